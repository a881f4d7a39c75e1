/**
 * Random numbers for families that draw for one execution after the other. Most of them need one number, or begin
 * with one: the first uniform, or normal, of every execution is drawn in one loop, and only further numbers come from the stream of an
 * execution.
 */
import type { Random, RandomStream } from '../../runtime/random.ts';
import type { ColumnStreams } from './streams.ts';

export class LaneRandom implements Random {
  private firsts: Float64Array | null = null;
  private normals: Float64Array | null = null;
  private lane = 0;
  private isFirst = true;
  private stream: RandomStream | null = null;

  /** The streams are at the choice. */
  constructor(private readonly streams: ColumnStreams) {}

  /** For the execution at this place in the current group. */
  at(lane: number): this {
    this.lane = lane;
    this.isFirst = true;
    this.stream = null;
    return this;
  }

  uniform(): number {
    if (!this.isFirst) return this.further.uniform();
    this.isFirst = false;
    this.firsts ??= this.streams.uniforms().array.slice();
    return this.firsts[this.lane];
  }

  gaussian(): number {
    if (!this.isFirst) return this.further.gaussian();
    this.isFirst = false;
    this.normals ??= this.streams.normals(0, 1).numbers.array.slice();
    return this.normals[this.lane];
  }

  integer(n: number): number {
    return Math.floor(this.uniform() * n);
  }

  /** The stream itself, from where it is now. */
  private get further(): RandomStream {
    if (this.stream === null) {
      this.stream = this.streams.at(this.lane);
      if (!this.isFirst) this.stream.skipTo(1);
      this.isFirst = false;
    }
    return this.stream;
  }
}
