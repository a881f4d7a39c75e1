/** The particles of one rank, side by side: one execution for all of them, in which they are weighed together with those of other ranks. */
import type { Keys } from '../../lanes/columns/draws.ts';
import { Doubles, Words } from '../../lanes/columns/kernel-memory.ts';
import { parentPlaces } from '../../lanes/columns/kernels.ts';
import type { Ends } from '../../lanes/columns/run.ts';
import { executionKeys } from '../../lanes/columns/streams.ts';
import type { Entry } from '../../runtime/execution.ts';
import { abandon, OneByOne } from '../../runtime/signals.ts';
import type { Model } from '../algorithm.ts';
import type { IterationCount } from '../progress.ts';
import { ColumnParticles } from './column-particles.ts';
import type { Islands, Weighing } from './islands.ts';
import { type Counts, checkSettled, mostOf } from './particle-counts.ts';
import type { OnePopulation } from './populations.ts';
import type { Proposal } from './proposals.ts';
import type { Samples } from './rejuvenation.ts';
import { brought } from './waiting-factor.ts';

export class IslandParticles extends ColumnParticles {
  /** Whether all particles here have turned out impossible. */
  private areLost = false;

  constructor(
    private readonly islands: Islands,
    population: OnePopulation,
    proposal: Proposal | null,
    progress: IterationCount,
    drawsElsewhere: boolean,
  ) {
    const { first, count } = islands.share;
    super(count, population, proposal, progress, drawsElsewhere, first);
  }

  /** Runs the particles to the end of those of all ranks; gives nothing if none has come there on this one. */
  runIsland<T>(entry: Entry, model: Model<T>): Samples<T> | null {
    const ends = this.executed(entry, model);
    if (ends !== null && ends.length > 0 && ends.length === this.size) {
      const scores = this.scores.array;
      this.islands.arrive();
      return { values: ends.values as ArrayLike<T>, scores };
    }
    if (!this.areLost) throw new OneByOne('weights', 'some of them turned out impossible at their end');
    this.islands.watch();
    return null;
  }

  /** Null if none is left at the end. */
  private executed(entry: Entry, model: () => unknown): Ends | null {
    try {
      const keysOf = (numbers: Int32Array): Keys => executionKeys(entry, Words.of(numbers));
      return this.execute(entry, model, keysOf, this.islands.size);
    } catch (thrown) {
      if (thrown !== abandon) throw thrown;
      return null;
    }
  }

  protected override get placesNow(): Int32Array {
    return this.islands.places;
  }

  protected override moveAsOne(): boolean {
    return false; // Islands grow and shrink.
  }

  protected override parentsOf(children: Words, factor: number): Words {
    const { islands } = this;
    const counts = children.array;
    const own = islands.places.map((place) => counts[place]);
    checkSettled(own, this.drawnAt, factor);
    const parents = parentPlaces(children);
    const map = islands.follow(parents.array);
    parents.release();
    this.areLost = map.length === 0;
    if (this.areLost) throw abandon;
    this.streams.renew();
    return Words.of(map);
  }

  protected override noneIsLeft(): void {
    this.areLost = true;
  }

  protected override weighAt(factor: number): void {
    this.judgeAll(factor, this.hear());
    // They wait for children of others to take their places.
    if (!this.areLost) return;
    if (this.waiting.length > 0) throw new OneByOne('weights', 'all of them turn out impossible');
    throw abandon;
  }

  private judgeAll(factor: number, { weights, ended }: Weighing): void {
    const all = Doubles.of(weights);
    this.judge(factor, all, ended === null ? null : (place) => ended[place] === 1, undefined);
    all.release();
  }

  /** Hears of the weights of all, where the particles here have met, or come to the end of, so many factors. */
  private hear(): Weighing {
    const { ends, weighed, guidance } = this;
    const heard = this.islands.weigh({
      weights: this.logWeights.array,
      guidedFrom: guidance.earliest,
      end: ends === null ? Infinity : mostOf(ends),
      ended: endedOf(ends, weighed),
    });
    guidance.earliest = heard.guidedFrom;
    return heard;
  }

  /** Their end counts as one more factor; others may meet more. */
  protected override end(): void {
    this.settle();
    this.note(brought(this.pending, this.size, 0, false));
    const { met } = this;
    this.ends = typeof met === 'number' ? met : met.slice();
    for (;;) {
      if (this.waiting.length > 0) this.gainNext();
      this.weighed++;
      const heard = this.hear();
      if (heard.end < this.weighed) {
        this.finish(Doubles.of(heard.weights));
        return;
      }
      this.judgeAll(this.weighed - 1, heard);
    }
  }
}

function endedOf(ends: Counts | null, weighed: number): Uint8Array | 'all' | null {
  if (ends === null) return null;
  if (typeof ends === 'number') return ends <= weighed ? 'all' : null;
  return Uint8Array.from(ends, (end) => (end <= weighed ? 1 : 0));
}
