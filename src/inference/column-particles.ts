/** Particles side by side: one execution of the program for all of them, in which they are weighed and resampled. */
import { drawColumns, scoreColumns } from '../lanes/columns/choices.ts';
import { distributionOf } from '../lanes/columns/distribution.ts';
import { currentGroup, goOnWith } from '../lanes/columns/group.ts';
import { areFinite, elementwise, gather, gatherWords } from '../lanes/columns/kernels.ts';
import { executeTogether } from '../lanes/columns/run.ts';
import { ColumnStreams, executionKeys } from '../lanes/columns/streams.ts';
import type { Address } from '../runtime/address.ts';
import type { Entry } from '../runtime/execution.ts';
import type { Distribution, Handler, SampleOptions } from '../runtime/handler.ts';
import { machine } from '../runtime/machine.ts';
import { abandon, OneByOne } from '../runtime/signals.ts';
import type { Model } from './algorithm.ts';
import { consecutive } from './column-sampling.ts';
import { addScores, difference, scoreData } from './column-scores.ts';
import type { Proposal } from './continuation.ts';
import type { Filtering } from './filtering.ts';
import type { IterationCount } from './progress.ts';
import { effectiveSize, isDue, parentsOf } from './resampling.ts';

/** A factor that not all particles have met: what it brought those that have. */
interface Waiting {
  readonly weights: Float64Array;
}

/**
 * The handler of particles side by side. Particles that take different sides of a conditional may meet their n-th
 * factors at different times; these are weighed when all have come by, at a point of the program where all of them are.
 * If they have to be resampled then, and one that is to be copied has made choices since, they have to be executed one
 * by one after all.
 */
export class ColumnParticles implements Handler {
  readonly name = 'a particle filter';
  readonly guided: boolean;
  /** Fewest factors before a choice that was drawn from a guide. */
  guidedFrom = Infinity;
  /** Since the last resampling. */
  readonly logWeights: Float64Array;
  /** Log of the joint probability of the choices and factors of each. */
  scores: Float64Array;

  /** How many equally weighted particles those at the end were worth. */
  spread = 0;

  /** Factors that have been weighed. */
  private weighed = 0;
  /** Factors met, by particle; one number while all have met the same. */
  private met: Int32Array | number = 0;
  /** Factors before the last choice of each. */
  private drawnAt: Int32Array | number = 0;
  private waiting: Waiting[] = [];
  /** Importance weights of the choices since the last factor, if guides are used. */
  private pending: Float64Array | null = null;
  private dead: Uint8Array | null = null;
  /** When all have come to their end: how many factors each met, its end counted. */
  private ends: Int32Array | null = null;
  private streams!: ColumnStreams;

  constructor(
    private readonly size: number,
    private readonly filtering: Filtering,
    private readonly proposal: Proposal | null,
    private readonly progress: IterationCount,
  ) {
    this.guided = proposal !== null;
    this.logWeights = new Float64Array(size);
    this.scores = new Float64Array(size);
  }

  /** Runs the particles to their end; gives their values. */
  run<T>(entry: Entry, model: Model<T>): ArrayLike<T> {
    const { size } = this;
    const { slots, values } = executeTogether(
      entry,
      this,
      model,
      size,
      () => {
        this.streams = new ColumnStreams(() => executionKeys(entry, consecutive(size + 1, size)));
        // Particles draw from streams of their own; nothing else may draw.
        return new ColumnStreams(() => {
          throw new OneByOne('something is drawn that is no choice');
        });
      },
      () => this.end(),
    );
    if (slots.length < size) throw new OneByOne('some of them turned out impossible at their end');
    return values as ArrayLike<T>;
  }

  sample<V>(given: Distribution<V>, options: SampleOptions<V> | undefined, place: Address): V {
    this.settle();
    const distribution = distributionOf(given);
    const guide = this.guideOf(given, options, place);
    this.noteChoice();
    const from = guide === undefined ? distribution : distributionOf(guide);
    const value = drawColumns(from, this.streams.begin());
    const score = scoreColumns(distribution, value);
    if (guide !== undefined && guide !== given) this.weighGuide(score, scoreColumns(from, value));
    addScores(this.scores, score);
    this.giveUpImpossible(this.pending);
    return value as V;
  }

  factor(score: unknown): void {
    const data = scoreData(score);
    addScores(this.scores, data);
    this.note(this.brought(data));
    if (!isAllFinite(data)) this.giveUp(data);
    this.settle();
  }

  private guideOf<V>(
    given: Distribution<V>,
    options: SampleOptions<V> | undefined,
    place: Address,
  ): Distribution<V> | undefined {
    const { proposal } = this;
    if (proposal === null) return undefined;
    const outer = machine.address;
    const found = proposal(given as Distribution<unknown>, options as never, place.choice(machine.execution));
    machine.address = outer;
    return found as Distribution<V> | undefined;
  }

  /** Adds to the importance weights, and notes from where on guides are used. */
  private weighGuide(target: Float64Array | number, guide: Float64Array | number): void {
    this.pending ??= new Float64Array(this.size);
    addScores(this.pending, difference(target, guide));
    const { met } = this;
    for (const slot of currentGroup().slots) {
      this.guidedFrom = Math.min(this.guidedFrom, typeof met === 'number' ? met : met[slot]);
    }
  }

  /** What the factor brings the particles of the current group, by number: its score and importance weights. */
  private brought(data: Float64Array | number): Float64Array {
    const { pending } = this;
    if (pending === null && typeof data !== 'number' && currentGroup().isWhole) return data;
    const brought = new Float64Array(this.size);
    if (pending !== null) {
      for (const slot of currentGroup().slots) {
        brought[slot] = pending[slot];
        pending[slot] = 0;
      }
    }
    addScores(brought, data);
    return brought;
  }

  /** Notes a factor of the particles of the current group. */
  private note(brought: Float64Array): void {
    const group = currentGroup();
    if (typeof this.met === 'number' && group.depth === 0) {
      this.waiting[this.met - this.weighed] = { weights: brought };
      this.met++;
    } else {
      const met = spread(this.met, this.size);
      for (const slot of group.slots) {
        const place = met[slot]++ - this.weighed;
        for (let k = this.waiting.length; k <= place; k++) this.waiting[k] = { weights: new Float64Array(this.size) };
        this.waiting[place].weights[slot] = brought[slot];
      }
      this.met = met;
    }
    this.streams.nextEpoch();
  }

  private noteChoice(): void {
    const { met } = this;
    const group = currentGroup();
    if (group.depth === 0 && typeof met === 'number') {
      this.drawnAt = met;
      return;
    }
    const drawnAt = spread(this.drawnAt, this.size);
    for (const slot of group.slots) drawnAt[slot] = typeof met === 'number' ? met : met[slot];
    this.drawnAt = drawnAt;
  }

  /** A particle drawn from a guide whose choice is impossible ends there; that is left to executions alone. */
  private giveUpImpossible(pending: Float64Array | null): void {
    if (pending === null) return;
    const { slots } = currentGroup();
    const weights = Float64Array.from(slots, (slot) => pending[slot]);
    if (!weights.includes(-Infinity)) return;
    throw new OneByOne('a guide draws what is impossible');
  }

  /** Goes on without the particles of the current group whose score is −∞. */
  private giveUp(given: Float64Array | number): void {
    const group = currentGroup();
    const scores = typeof given === 'number' ? new Float64Array(group.size).fill(given) : given;
    if (scores.includes(Infinity)) throw new OneByOne('a factor is infinite');
    const left: number[] = [];
    this.dead ??= new Uint8Array(this.size);
    for (let i = 0; i < scores.length; i++) {
      if (scores[i] === -Infinity) this.dead[group.slots[i]] = 1;
      else left.push(i);
    }
    if (left.length === 0) throw group.depth === 0 ? new OneByOne('all of them turn out impossible') : abandon;
    goOnWith(
      Int32Array.from(left),
      Int32Array.from(left, (i) => group.slots[i]),
    );
  }

  /** Weighs the particles at each factor that all of them have met, if all of them are here. */
  private settle(): void {
    if (this.waiting.length === 0 || currentGroup().depth > 0) return;
    while (this.waiting.length > 0 && this.allHaveMet(this.weighed)) this.weigh();
  }

  private allHaveMet(factor: number): boolean {
    const { met, ends } = this;
    if (typeof met === 'number') return met > factor;
    for (const slot of currentGroup().slots) if (met[slot] <= factor && ends === null) return false;
    return true;
  }

  private weigh(): void {
    const { filtering, logWeights, ends } = this;
    const { weights } = this.waiting.shift()!;
    const factor = this.weighed++;
    const both = [logWeights, weights].map((data) => ({ data, step: 1 }) as const);
    elementwise('add', logWeights.length, both, logWeights);
    const logSum = filtering.weigh(logWeights);
    if (logSum === -Infinity) throw new OneByOne('all of them turn out impossible');
    // Where all end together, none waits for others.
    const together = typeof this.met === 'number' && this.dead === null;
    const hasEnded =
      ends === null || together ? null : (i: number): boolean => !this.dead?.[i] && ends[i] <= this.weighed;
    if (isDue(filtering.shares, hasEnded)) {
      this.replace(filtering.resample(logWeights, logSum, this.guidedFrom <= factor), factor);
    }
    this.progress.step();
  }

  /** Gives each particle its number of children: copies of what it is now. */
  private replace(children: Int32Array, factor: number): void {
    const { drawnAt } = this;
    const isSettled = typeof drawnAt === 'number' ? () => drawnAt <= factor : (i: number) => drawnAt[i] <= factor;
    if (typeof drawnAt !== 'number' || drawnAt > factor) {
      for (let i = 0; i < children.length; i++) {
        if (children[i] <= 1 || isSettled(i)) continue;
        throw new OneByOne('they meet different numbers of factors, with choices in between');
      }
    }
    const parents = parentsOf(children);
    const group = currentGroup();
    if (group.isWhole) goOnWith(parents, group.slots);
    else this.fillUp(parents);
    const copied = (counts: Int32Array | number): Int32Array | number =>
      typeof counts === 'number' ? counts : gatherWords(counts, parents);
    this.streams.copy(parents);
    this.scores = gather(this.scores, parents);
    this.met = copied(this.met);
    this.drawnAt = copied(this.drawnAt);
    this.dead = this.dead?.map((_, slot, dead) => dead[parents[slot]]) ?? null;
    this.ends = this.ends && gatherWords(this.ends, parents);
    this.pending = this.pending && gather(this.pending, parents);
    this.waiting = this.waiting.map(({ weights }) => ({ weights: gather(weights, parents) }));
    this.logWeights.fill(0);
  }

  /** Particles take the places of others, some of which are dead. */
  private fillUp(parents: Int32Array): void {
    const { slots } = currentGroup();
    const lanes = new Int32Array(this.size).fill(-1);
    for (let lane = 0; lane < slots.length; lane++) lanes[slots[lane]] = lane;
    const map: number[] = [];
    const numbers: number[] = [];
    for (let slot = 0; slot < parents.length; slot++) {
      const lane = lanes[parents[slot]];
      if (lane < 0) continue;
      map.push(lane);
      numbers.push(slot);
    }
    goOnWith(Int32Array.from(map), Int32Array.from(numbers));
  }

  /** All that are left have come to their end, which counts as one more factor. */
  private end(): void {
    this.settle();
    this.note(this.brought(0));
    const { met, size } = this;
    this.ends = typeof met === 'number' ? new Int32Array(size).fill(met) : met.slice();
    // Those that met most factors may have been replaced on the way.
    while (this.waiting.length > 0 && this.ends.some((end) => end > this.weighed)) this.weigh();
    this.spread = effectiveSize(this.filtering.shares);
    const children = this.filtering.finish(this.logWeights, this.guidedFrom < Infinity);
    if (children !== null) this.replace(children, Infinity);
  }
}

function spread(counts: Int32Array | number, size: number): Int32Array {
  return typeof counts === 'number' ? new Int32Array(size).fill(counts) : counts;
}

const isAllFinite = (scores: Float64Array | number): boolean =>
  typeof scores === 'number' ? Number.isFinite(scores) : areFinite(scores);
