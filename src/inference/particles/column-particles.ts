/** Particles side by side: one execution of the program for all of them, in which they are weighed and resampled. */
import { drawColumns, drawScored, gainOf, scoreColumns } from '../../lanes/columns/choices.ts';
import { type AnyDistribution, distributionOf } from '../../lanes/columns/distribution.ts';
import type { Keys } from '../../lanes/columns/draws.ts';
import { USUAL_DRAWS } from '../../lanes/columns/foresight.ts';
import { current, currentGroup, type Group, goOnAs, goOnWith } from '../../lanes/columns/group.ts';
import { Doubles, kernelMemory, Words } from '../../lanes/columns/kernel-memory.ts';
import { addTo, consecutive, gain, gather, type Operand, parentPlaces } from '../../lanes/columns/kernels.ts';
import type { Moves } from '../../lanes/columns/moves.ts';
import { type Ends, executeTogether } from '../../lanes/columns/run.ts';
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
import { DrawsElsewhere } from './other-ways.ts';
import { type Counts, checkSettled, copied, countOf, fillUp, mostOf, spread } from './particle-counts.ts';
import { Guidance, type Populations } from './populations.ts';
import { fromGuide, type Proposal } from './proposals.ts';
import { arrayOf, brought, comingIn, refuseImpossible, stored, type Waiting } from './waiting-factor.ts';

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
  logWeights: Doubles;
  /** Log of the joint probability of the choices and factors of each. */
  scores: Doubles;

  /** Factors that have been weighed. */
  protected weighed = 0;
  /** Log of the sum of the weights as they are now, if they have been weighed so. */
  protected logSum: number | undefined;
  /** Factors met, by particle; one number while all have met the same. */
  protected met: Counts = 0;
  /** Factors before the last choice of each. */
  protected drawnAt: Counts = 0;
  protected waiting: Waiting[] = [];
  /** Importance weights of the choices since the last factor, if guides are used. */
  protected pending: Doubles | null = null;
  private dead: Uint8Array | null = null;
  /** When all have come to their end: how many factors each met, its end counted. */
  protected ends: Counts | null = null;
  protected streams!: ColumnStreams;
  private readonly lineage: Lineage | null;
  private readonly places: ChoicePlaces;

  constructor(
    protected size: number,
    protected readonly populations: Populations,
    private readonly proposal: Proposal | null,
    private readonly progress: IterationCount,
    /** Whether something besides choices draws. */
    drawsElsewhere = false,
    /** The place of the first of them among all. */
    first = 0,
  ) {
    this.guidance = new Guidance(populations);
    this.guided = proposal !== null;
    // Helpers such as `flip`, which are asked about this, give no guides.
    this.usesAddresses = proposal !== null && proposal !== fromGuide;
    this.places = new ChoicePlaces();
    this.lineage = drawsElsewhere ? new Lineage(size, first) : null;
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
    const ends = this.execute(entry, model, keysOf, each);
    if (ends.length < this.size) throw new OneByOne('weights', 'some of them turned out impossible at their end');
    return { values: ends.values as ArrayLike<T>, scores: this.scores.array };
  }

  protected execute(entry: Entry, model: () => unknown, keysOf: (numbers: Int32Array) => Keys, each: number): Ends {
    const { size } = this;
    kernelMemory().loops.expect(size, USUAL_DRAWS);
    const streams = (): ColumnStreams => {
      const numbersFrom = (first: number, places: Int32Array): Int32Array => places.map((i) => first + (i % each));
      this.streams = new ColumnStreams(() => keysOf(numbersFrom(each + 1, this.placesNow)));
      // Choices draw from the streams of their place; what else draws has the stream that an execution began with.
      return new ColumnStreams(() => keysOf(numbersFrom(1, this.origins)), null, this.lineage);
    };
    return executeTogether(entry, this, model, size, streams, { ended: () => this.end() });
  }

  /** The places that particles are in, whose streams choices draw from. */
  protected get placesNow(): Int32Array {
    return consecutive(0, this.size).array;
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
    const guide = proposal && guideTogether(proposal, this.places, given, options, place, this.streams);
    this.noteChoice();
    if (!guide || guide === given) return drawScored(distribution, this.streams.begin(), this.scores) as V;
    const from = distributionOf(guide);
    const value = drawColumns(from, this.streams.begin());
    const score = scoreColumns(distribution, value);
    this.weighGuide(score, scoreColumns(from, value));
    addScores(this.scores, score);
    dropScore(score);
    refuseImpossible(this.pending);
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
    const gained = brought(this.pending, this.size, numbers, score === numbers);
    this.note(gained);
    if (!isAllFinite(numbers)) this.giveUp(numbers);
    if (gained.weights !== numbers) dropScore(score);
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

  /** Notes a factor of the particles of the current group. */
  protected note(gained: Waiting): void {
    const group = currentGroup();
    if (typeof this.met === 'number' && group.depth === 0) {
      this.waiting[this.met - this.weighed] = gained;
      this.met++;
    } else {
      const weights = arrayOf(gained.weights);
      const met = spread(this.met, this.size);
      for (const slot of group.slots) {
        const place = met[slot]++ - this.weighed;
        comingIn(this.waiting, place, this.size)[slot] = weights[slot];
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
    if (left.length > 0 || group.depth > 0) this.goOnWithout(left, group);
    else this.noneIsLeft();
  }

  private goOnWithout(left: readonly number[], group: Group): void {
    if (left.length === 0) throw abandon;
    goOnWith(Words.of(Int32Array.from(left)), Words.of(Int32Array.from(left, (i) => group.slots[i])));
  }

  protected noneIsLeft(): void {
    throw new OneByOne('weights', 'all of them turn out impossible');
  }

  /** Weighs the particles at each factor that all of them have met, if all of them are here. */
  protected settle(): void {
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
    this.gainNext();
    this.weighAt(this.weighed++);
  }

  /** Adds what the next factor brings to the weights. */
  protected gainNext(): void {
    const { weights, isOwn } = this.waiting.shift()!;
    const gained = stored(weights);
    addTo(this.logWeights, gained);
    if (isOwn) gained.release();
  }

  /** Weighs the particles at a factor, and replaces them if that is due. The largest log-weight may be known. */
  protected weighAt(factor: number, most?: number): void {
    const { ends } = this;
    // Where all end together, none waits for others.
    const together = typeof this.met === 'number' && this.dead === null;
    const hasEnded =
      ends === null || together ? null : (i: number): boolean => !this.dead?.[i] && countOf(ends, i) <= this.weighed;
    this.judge(factor, this.logWeights, hasEnded, most);
  }

  /** The same by the weights of all, with the particles that have ended. */
  protected judge(
    factor: number,
    logWeights: Doubles,
    hasEnded: ((i: number) => boolean) | null,
    most: number | undefined,
  ): void {
    const { populations } = this;
    const logSum = populations.weigh(logWeights, most);
    this.logSum = logSum;
    if (logSum === -Infinity) throw new OneByOne('weights', 'all of them turn out impossible');
    if (populations.isDue(hasEnded)) this.resample(logWeights, logSum, factor);
    this.progress.step();
  }

  private resample(logWeights: Doubles, logSum: number, factor: number): void {
    const { populations } = this;
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
  protected moveAsOne(factor: number): boolean {
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
    const parents = this.parentsOf(children, factor);
    children.release();
    const group = currentGroup();
    if (group.isWhole) goOnWith(parents, this.resized(parents.length) ? consecutive(0, this.size) : group.numbers);
    else {
      this.resized(parents.length);
      fillUp(parents.array);
    }
    this.streams.copy(() => parents);
    this.places.copy(() => parents);
    this.lineage?.copy(parents);
    const { scores, pending, dead } = this;
    this.scores = gather(scores, parents);
    scores.release();
    this.met = copied(this.met, parents);
    this.drawnAt = copied(this.drawnAt, parents);
    this.dead = dead && Uint8Array.from(parents.array, (parent) => dead[parent]);
    this.ends = this.ends && copied(this.ends, parents);
    this.pending = pending && gather(pending, parents);
    this.waiting = this.waiting.map(({ weights }) => ({ weights: gather(stored(weights), parents), isOwn: true }));
    this.populations.even(this.logWeights);
  }

  /** By place, which of these particles goes on there. */
  protected parentsOf(children: Words, factor: number): Words {
    checkSettled(children.array, this.drawnAt, factor);
    return parentPlaces(children);
  }

  /** There are so many of them from now on; whether there were others. */
  private resized(size: number): boolean {
    if (size === this.size) return false;
    this.size = size;
    current.columns!.size = size;
    this.logWeights.release();
    this.logWeights = Doubles.zeros(size);
    return true;
  }

  /** All that are left have come to their end, which counts as one more factor. */
  protected end(): void {
    this.settle();
    if (this.areTogether) {
      this.ends = ++(this.met as number);
      const factor = this.weighed++;
      // It brings no weight, so that they may have been weighed already.
      if (this.logSum === undefined) this.weighAt(factor);
      else this.progress.step();
    } else {
      this.note(brought(this.pending, this.size, 0, false));
      const { met } = this;
      this.ends = typeof met === 'number' ? met : met.slice();
      // The particles that met most factors may have been replaced on the way.
      while (this.waiting.length > 0 && mostOf(this.ends) > this.weighed) this.weigh();
    }
    this.finish(this.logWeights);
  }

  /** Resamples for the last time, by the weights of all. */
  protected finish(logWeights: Doubles): void {
    const { populations } = this;
    populations.end();
    if (populations.areEven(logWeights, this.guidance.at(Infinity))) return;
    this.resample(logWeights, this.logSum ?? populations.weigh(logWeights), Infinity);
  }
}
