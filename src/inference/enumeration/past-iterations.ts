import type { PastIterations } from '../../runtime/iteration.ts';
import { machine } from '../../runtime/machine.ts';

/** The path of a search, as far as it is followed again. */
export interface FollowedPath {
  /** Choices met so far in this execution. */
  readonly position: number;
  /** Counts the changes of the path. */
  readonly time: number;
  /** Whether the path up to a position is made again in this execution, and is as it was at a time. */
  isUnchanged(position: number, time: number): boolean;
  skipTo(position: number): void;
}

/**
 * What the iterations of one construct gave when they were last run. In a program that keeps no state they give the same
 * as long as the choices before and in them are the same, so that they need not be run again. An enumeration then runs
 * few iterations for each path, and not all that come before the choice that is another.
 */
export class Iterated implements PastIterations {
  private start = -1;
  private count = 0;
  private readonly results: unknown[] = [];
  /** Position and time after each iteration. */
  private readonly ends: number[] = [];
  private readonly times: number[] = [];
  private execution = 0;
  /** Whether two constructs have the same address, because host code called back from one place. */
  private ambiguous = false;

  constructor(private readonly path: FollowedPath) {}

  begin(results: unknown[]): number {
    const { path } = this;
    if (this.execution === machine.execution) this.ambiguous = true;
    this.execution = machine.execution;
    if (path.position !== this.start || this.ambiguous) {
      this.start = path.position;
      this.count = 0;
      return 0;
    }
    let known = this.count;
    while (known > 0 && !path.isUnchanged(this.ends[known - 1], this.times[known - 1])) known--;
    this.count = known;
    if (known === 0) return 0;
    for (let i = 0; i < known; i++) results[i] = this.results[i];
    path.skipTo(this.ends[known - 1]);
    return known;
  }

  note(i: number, result: unknown): void {
    const { path } = this;
    this.results[i] = result;
    this.ends[i] = path.position;
    this.times[i] = path.time;
    this.count = i + 1;
  }
}
