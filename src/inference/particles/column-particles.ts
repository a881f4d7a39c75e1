/** Particles side by side: one execution of the program for all of them, in which they are weighed and resampled. */
import { drawColumns, drawScored, gainOf, scoreColumns } from '../../lanes/columns/choices.ts';
import { type AnyDistribution, distributionOf } from '../../lanes/columns/distribution.ts';
import type { Keys } from '../../lanes/columns/draws.ts';
import { currentGroup, goOnAs, goOnWith } from '../../lanes/columns/group.ts';
import { Doubles, kernelMemory, Words } from '../../lanes/columns/kernel-memory.ts';
import {
  addTo,
  areFinite,
  consecutive,
  elementwise,
  gain,
  gather,
  type Operand,
  parentPlaces,
} from '../../lanes/columns/kernels.ts';
import type { Moves } from '../../lanes/columns/moves.ts';
import { executeTogether } from '../../lanes/columns/run.ts';
import { addScores, dropScore } from '../../lanes/columns/scores.ts';
import { ColumnStreams, executionKeys, Lineage } from '../../lanes/columns/streams.ts';
import type { Address } from '../../runtime/address.ts';
import type { Entry } from '../../runtime/execution.ts';
import type { Distribution, Handler, SampleOptions } from '../../runtime/handler.ts';
import { abandon, OneByOne } from '../../runtime/signals.ts';
import type { Model } from '../algorithm.ts';
import type { IterationCount } from '../progress.ts';
import { guideTogether } from '../sampling/column-guides.ts';
import { difference, isAllFinite, scoreNumbers } from '../sampling/column-scores.ts';
import { ChoicePlaces } from './column-places.ts';
import { DrawsElsewhere, OutOfStep } from './other-ways.ts';
import { type Counts, copied, countOf, fillUp, mostOf, spread } from './particle-counts.ts';
import { Guidance, type Populations } from './populations.ts';
import { fromGuide, type Proposal } from './proposals.ts';
import { arrayOf, stored, type Waiting } from './waiting-factor.ts';

/** Choices of a particle that are alike, as far as anybody can know. */
const USUAL_DRAWS = 8;

/**
 * The handler of particles side by side. Particles that take different sides of a conditional may meet their n-th
 * factors at different times; these are weighed when all have come by, at a point of the program where all of them are.
 * If they have to be resampled then, and one that is to be copied has made choices since, they have to go on from factor to
 * factor (`ColumnFilter`).
 */
export class ColumnParticles implements Handler {
  readonly name = 'a particle filter';
  readonly guided: boolean;
  readonly usesAddresses: boolean;
  /** From where on populations have drawn from guides. */
  readonly guidance: Guidance;
  /** Since the last resampling. */
  readonly logWeights: Doubles;
  /** Log of the joint probability of the choices and factors of each. */
  scores: Doubles;

  /** Factors that have been weighed. */
  private weighed = 0;
  /** Log of the sum of the weights as they are now, if they have been weighed so. */
  private logSum: number | undefined;
  /** Factors met, by particle; one number while all have met the same. */
  private met: Counts = 0;
  /** Factors before the last choice of each. */
  private drawnAt: Counts = 0;
  private waiting: Waiting[] = [];
  /** Importance weights of the choices since the last factor, if guides are used. */
  private pending: Doubles | null = null;
  private dead: Uint8Array | null = null;
  /** When all have come to their end: how many factors each met, its end counted. */
  private ends: Counts | null = null;
  private streams!: ColumnStreams;
  private readonly lineage: Lineage | null;
  private readonly places: ChoicePlaces;

  constructor(
    private readonly size: number,
    private readonly populations: Populations,
    private readonly proposal: Proposal | null,
    private readonly progress: IterationCount,
    /** Whether something besides choices draws. */
    drawsElsewhere = false,
  ) {
    this.guidance = new Guidance(populations);
    this.guided = proposal !== null;
    // Helpers such as `flip`, which are asked about this, give no guides.
    this.usesAddresses = proposal !== null && proposal !== fromGuide;
    this.places = new ChoicePlaces(size);
    this.lineage = drawsElsewhere ? new Lineage(size) : null;
    this.logWeights = Doubles.zeros(size);
    this.scores = Doubles.zeros(size);
  }

  /** Runs the particles to their end; gives their values and scores. */
  run<T>(
    entry: Entry,
    model: Model<T>,
    /** The keys of streams with these numbers, one for each particle. */
    keysOf: (numbers: Int32Array) => Keys = (numbers) => executionKeys(entry, Words.of(numbers)),
    /** How many particles each population has. */
    each = this.size,
  ): { values: ArrayLike<T>; scores: Float64Array } {
    const { size } = this;
    kernelMemory().expect(size, USUAL_DRAWS);
    const streams = (): ColumnStreams => {
      const numbersFrom = (first: number, places: Int32Array): Int32Array => places.map((i) => first + (i % each));
      this.streams = new ColumnStreams(() => keysOf(numbersFrom(each + 1, consecutive(0, size).array)));
      // Choices draw from the streams of their place; what else draws has the stream that an execution began with.
      return new ColumnStreams(() => keysOf(numbersFrom(1, this.origins)), null, this.lineage);
    };
    const ends = executeTogether(entry, this, model, size, streams, { ended: () => this.end() });
    if (ends.length < size) throw new OneByOne('weights', 'some of them turned out impossible at their end');
    return { values: ends.values as ArrayLike<T>, scores: this.scores.array };
  }

  /** The places that particles began in. */
  private get origins(): Int32Array {
    if (this.lineage === null) throw new DrawsElsewhere('outside', 'something is drawn that is no choice');
    return this.lineage.origins;
  }

  sample<V>(given: Distribution<V>, options: SampleOptions<V> | undefined, place: Address): V {
    this.settle();
    const distribution = distributionOf(given);
    const { proposal } = this;
    const guide = proposal && guideTogether(proposal, this.places, given, options, place);
    this.noteChoice();
    if (!guide || guide === given) return drawScored(distribution, this.streams.begin(), this.scores) as V;
    const from = distributionOf(guide);
    const value = drawColumns(from, this.streams.begin());
    const score = scoreColumns(distribution, value);
    this.weighGuide(score, scoreColumns(from, value));
    addScores(this.scores, score);
    dropScore(score);
    this.giveUpImpossible(this.pending);
    return value as V;
  }

  observe<V>(given: Distribution<V>, value: V): void {
    const distribution: AnyDistribution = distributionOf(given);
    if (!this.areTogether) {
      this.factor(scoreColumns(distribution, value));
      return;
    }
    const most = gainOf(distribution, value, this.scores, this.logWeights);
    this.weighTogether(most, () => scoreColumns(distribution, value));
  }

  factor(score: unknown): void {
    const numbers = scoreNumbers(score);
    if (this.areTogether) {
      this.weighTogether(gain(numbers, this.scores, this.logWeights), () => numbers);
      dropScore(score);
      return;
    }
    addScores(this.scores, numbers);
    const brought = this.brought(numbers, score === numbers);
    this.note(brought);
    if (!isAllFinite(numbers)) this.giveUp(numbers);
    if (brought.weights !== numbers) dropScore(score);
    this.settle();
  }

  /** Whether all particles meet the factor they are at now, with nothing else to be weighed. */
  private get areTogether(): boolean {
    return currentGroup().isWhole && typeof this.met === 'number' && this.waiting.length === 0 && this.pending === null;
  }

  /** Weighs all particles at a factor that is among their weights already. `most` is as `gain` gives it. */
  private weighTogether(most: number, scores: () => Operand): void {
    (this.met as number)++;
    this.streams.nextEpoch();
    const areFinite = !Number.isNaN(most);
    if (!areFinite) this.giveUp(scores());
    this.weighAt(this.weighed++, areFinite ? most : undefined);
  }

  /** Adds to the importance weights, and notes from where on guides are used. */
  private weighGuide(target: Operand, guide: Operand): void {
    this.pending ??= Doubles.zeros(this.size);
    const gained = difference(target, guide);
    addScores(this.pending, gained);
    gained.release();
    dropScore(guide);
    this.guidance.note(this.met);
  }

  /** What the factor brings the particles of the current group, by number: its score and importance weights. */
  private brought(score: Operand, isOwn: boolean): Waiting {
    const { pending, size } = this;
    if (currentGroup().isWhole) {
      if (pending === null && typeof score !== 'number') return { weights: score, isOwn };
      const weights = elementwise('add', size, pending ?? 0, score);
      pending?.fill(0);
      return { weights, isOwn: true };
    }
    const weights = new Float64Array(size);
    if (pending !== null) {
      const left = pending.array.slice();
      for (const slot of currentGroup().slots) {
        weights[slot] = left[slot];
        left[slot] = 0;
      }
      pending.become(left);
    }
    const brought = Doubles.of(weights);
    addScores(brought, score);
    return { weights: brought, isOwn: true };
  }

  /** Notes a factor of the particles of the current group. */
  private note(brought: Waiting): void {
    const group = currentGroup();
    if (typeof this.met === 'number' && group.depth === 0) {
      this.waiting[this.met - this.weighed] = brought;
      this.met++;
    } else {
      const weights = arrayOf(brought.weights);
      const met = spread(this.met, this.size);
      for (const slot of group.slots) {
        const place = met[slot]++ - this.weighed;
        this.comingIn(place)[slot] = weights[slot];
      }
      this.met = met;
    }
    this.streams.nextEpoch();
  }

  /** The weights of a factor that not all particles have met. */
  private comingIn(place: number): Float64Array {
    const { waiting } = this;
    for (let k = waiting.length; k <= place; k++) waiting[k] = { weights: new Float64Array(this.size), isOwn: true };
    const found = waiting[place];
    if (found.weights instanceof Doubles) found.weights = found.weights.array.slice();
    return found.weights;
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
  private giveUpImpossible(pending: Doubles | null): void {
    if (pending === null || areFinite(pending)) return;
    const weights = pending.array;
    if (!currentGroup().slots.some((slot) => weights[slot] === -Infinity)) return;
    throw new OneByOne('weights', 'a guide draws what is impossible');
  }

  /** Goes on without the particles of the current group whose score is −∞. */
  private giveUp(given: Operand): void {
    const group = currentGroup();
    const scores = typeof given === 'number' ? new Float64Array(group.size).fill(given) : given.array;
    if (scores.includes(Infinity)) throw new OneByOne('weights', 'a factor is infinite');
    const left: number[] = [];
    this.dead ??= new Uint8Array(this.size);
    for (let i = 0; i < scores.length; i++) {
      if (scores[i] === -Infinity) this.dead[group.slots[i]] = 1;
      else left.push(i);
    }
    if (left.length === 0)
      throw group.depth === 0 ? new OneByOne('weights', 'all of them turn out impossible') : abandon;
    goOnWith(Words.of(Int32Array.from(left)), Words.of(Int32Array.from(left, (i) => group.slots[i])));
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
    const { weights, isOwn } = this.waiting.shift()!;
    const gained = stored(weights);
    addTo(this.logWeights, gained);
    if (isOwn) gained.release();
    this.weighAt(this.weighed++);
  }

  /** Weighs the particles at a factor, and replaces them if that is due. The largest log-weight may be known. */
  private weighAt(factor: number, most?: number): void {
    const { populations, logWeights, ends } = this;
    const logSum = populations.weigh(logWeights, most);
    this.logSum = logSum;
    if (logSum === -Infinity) throw new OneByOne('weights', 'all of them turn out impossible');
    // Where all end together, none waits for others.
    const together = typeof this.met === 'number' && this.dead === null;
    const hasEnded =
      ends === null || together ? null : (i: number): boolean => !this.dead?.[i] && countOf(ends, i) <= this.weighed;
    if (populations.isDue(hasEnded)) this.resample(logSum, factor);
    this.progress.step();
  }

  private resample(logSum: number, factor: number): void {
    const { populations, logWeights } = this;
    const guided = this.guidance.at(factor);
    this.logSum = undefined;
    if (!this.moveAsOne(factor)) {
      this.replace(populations.resample(logWeights, logSum, guided), factor);
      return;
    }
    const moves = populations.resampleByMoves(logWeights, logSum, guided);
    if (moves instanceof Words) this.replace(moves, factor);
    else this.move(moves);
  }

  /** Whether all particles are here, have met the same factors, and made no choice since. */
  private moveAsOne(factor: number): boolean {
    const { drawnAt, dead, ends } = this;
    return (
      this.areTogether &&
      dead === null &&
      (ends === null || typeof ends === 'number') &&
      typeof drawnAt === 'number' &&
      drawnAt <= factor
    );
  }

  /** Makes particles go on as copies of others. */
  private move(moves: Moves): void {
    goOnAs(moves);
    this.streams.copy(() => moves.map);
    this.places.copy(() => moves.map);
    this.lineage?.copy(moves.map);
    moves.apply(this.scores);
    this.populations.even(this.logWeights);
  }

  /** Gives each particle its number of children: copies of what it is now. */
  private replace(children: Words, factor: number): void {
    this.checkSettled(children, factor);
    const parents = parentPlaces(children);
    children.release();
    const group = currentGroup();
    if (group.isWhole) goOnWith(parents, group.numbers);
    else fillUp(parents.array);
    this.streams.copy(() => parents);
    this.places.copy(() => parents);
    this.lineage?.copy(parents);
    const { scores, pending, dead } = this;
    this.scores = gather(scores, parents);
    scores.release();
    this.met = copied(this.met, parents);
    this.drawnAt = copied(this.drawnAt, parents);
    this.dead = dead?.map((_, slot) => dead[parents.array[slot]]) ?? null;
    this.ends = this.ends && copied(this.ends, parents);
    this.pending = pending && gather(pending, parents);
    this.waiting = this.waiting.map(({ weights }) => ({ weights: gather(stored(weights), parents), isOwn: true }));
    this.populations.even(this.logWeights);
  }

  /** None that is to be copied may have made choices since it met the factor. */
  private checkSettled(children: Words, factor: number): void {
    const { drawnAt } = this;
    if (typeof drawnAt === 'number' && drawnAt <= factor) return;
    const counts = children.array;
    for (let i = 0; i < counts.length; i++) {
      if (counts[i] <= 1 || (typeof drawnAt === 'number' ? drawnAt : drawnAt[i]) <= factor) continue;
      throw new OutOfStep('courses', 'they meet different numbers of factors, with choices in between');
    }
  }

  /** All that are left have come to their end, which counts as one more factor. */
  private end(): void {
    this.settle();
    if (this.areTogether) {
      this.ends = ++(this.met as number);
      const factor = this.weighed++;
      // It brings no weight, so that they may have been weighed already.
      if (this.logSum === undefined) this.weighAt(factor);
      else this.progress.step();
    } else {
      this.note(this.brought(0, false));
      const { met } = this;
      this.ends = typeof met === 'number' ? met : met.slice();
      // Those that met most factors may have been replaced on the way.
      while (this.waiting.length > 0 && mostOf(this.ends) > this.weighed) this.weigh();
    }
    const { populations, logWeights } = this;
    populations.end();
    if (populations.areEven(logWeights, this.guidance.at(Infinity))) return;
    this.resample(this.logSum ?? populations.weigh(logWeights), Infinity);
  }
}
