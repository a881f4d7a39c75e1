/**
 * Sequential Monte Carlo by executing the program: what the faster ways have to agree with, to the last bit.
 *
 * A _particle_ is an execution that has come to its n-th factor. JavaScript cannot copy an execution, so a particle is kept as the
 * values of its choices (`Particle`): executing the program with these leads back to where it was, and there it makes others
 * (`Continuation`). All are weighed at their n-th factors together; when few of them carry most of the weight, they are replaced by
 * copies of those (`resampling.ts`), which may then be moved apart (`rejuvenation.ts`). The whole algorithm is `filter`:
 *
 * ```
 * while (not all have ended) {
 *   execute each up to its next factor;  its weight grows by what the factor brings
 *   if (the weights are uneven) { give each as many children as its share of the weight; all weights are equal again }
 *   move each by a few steps that leave the distribution of such executions unchanged
 * }
 * ```
 *
 * The choices of the particle at place i draw from a stream of that place, numbered by the factors before them. So results
 * do not depend on the order in which particles are executed, nor on how far each goes (`horizon.ts`), and particles side by
 * side (`column-*.ts`) draw the same.
 */
import { followed } from '../../guides/guide-of.ts';
import type { Address } from '../../runtime/address.ts';
import { WaymarkError } from '../../runtime/errors.ts';
import { abandoned, type Entry } from '../../runtime/execution.ts';
import type { Distribution, Handler, SampleOptions } from '../../runtime/handler.ts';
import { machine } from '../../runtime/machine.ts';
import { fresh } from '../../runtime/primitives.ts';
import type { RandomStream } from '../../runtime/random.ts';
import { giveUp, type RemainingCall } from '../../runtime/returning.ts';
import type { Model } from '../algorithm.ts';
import { infiniteFactor } from '../chains/reexecution.ts';
import type { IterationCount } from '../progress.ts';
import { extendedByAll } from './divided-particles.ts';
import { type Filtering, nothingPossible } from './filtering.ts';
import { Horizon, isWorthPoint, SCOUTED, stop } from './horizon.ts';
import { Particle, type Point } from './particle.ts';
import { type Proposal, proposed, remind } from './proposals.ts';
import type { Rejuvenation, Samples } from './rejuvenation.ts';
import { parentsOf } from './resampling.ts';

/** Particles that go on from factor to factor, however they are executed. */
export interface Particles {
  /** Since the last resampling. */
  readonly logWeights: Float64Array;
  /** Number of factors weighed. */
  readonly factors: number;
  /** Fewest factors before a choice that was drawn from a guide; infinite if none was. */
  readonly guidedFrom: number;
  /** Goes on to the next factor, and weighs there; calls `within` between two. False if all have come to their end. */
  advance(within: () => void): boolean;
  /** Whether the i-th has come to its end, and met all its factors. */
  readonly hasEnded: (i: number) => boolean;
  /** Gives each particle its number of children, as many as there are particles in all, with equal weights. */
  replace(children: Int32Array): void;
  /** Moves those that have not come to their end, if that was asked for. */
  rejuvenate(): void;
  /** All of them turned out impossible. */
  fail(message: string): never;
}

/** Runs particles to their end. False if that would take too long; they are discarded then. */
export function filter(
  particles: Particles,
  filtering: Filtering,
  progress: IterationCount,
  isLong: () => boolean,
): boolean {
  const { logWeights } = particles;
  try {
    while (particles.advance(progress.within)) {
      if (isLong()) return false;
      const logSum = filtering.weigh(logWeights);
      if (logSum === -Infinity) particles.fail(nothingPossible(filtering.size, particles.factors));
      if (filtering.isDue(particles.hasEnded)) {
        const guided = particles.guidedFrom < particles.factors;
        particles.replace(filtering.resample(logWeights, logSum, guided).array);
      }
      particles.rejuvenate();
      progress.step(() => `${particles.factors} factors`);
    }
  } finally {
    progress.finish();
  }
  const children = filtering.finish(logWeights, particles.guidedFrom < Infinity);
  if (children !== null) particles.replace(children.array);
  return true;
}

/** Particles that are executed one after the other. */
export class Population<T> implements Particles {
  readonly particles: Particle<T>[] = [];
  readonly logWeights: Float64Array;
  factors = 0;
  private readonly horizon: Horizon;

  constructor(
    readonly size: number,
    private readonly continuation: Continuation<T>,
    /** Streams by number: particles draw the same whatever the order in which they run. */
    private readonly streamOf: (i: number) => RandomStream,
    private readonly rejuvenation: Rejuvenation<T> | null,
    /** Finished particles of another population that go through all of this one again, as the last of it. */
    retained: readonly Particle<T>[] = [],
  ) {
    this.logWeights = new Float64Array(size);
    for (let i = 0; i < size - retained.length; i++) this.particles.push(new Particle<T>(streamOf(i)));
    for (const { origin, values } of retained) this.particles.push(new Particle<T>(origin, values.slice()));
    this.horizon = new Horizon(size, rejuvenation === null); // moves would change what has run ahead
  }

  get guidedFrom(): number {
    return this.continuation.guidedFrom;
  }

  advance(within: () => void): boolean {
    const { particles, factors, logWeights, horizon } = this;
    if (factors === 0) this.scout();
    const isDue = ({ factors: met, finished, dead }: Particle<T>): boolean => factors >= met && !finished && !dead;
    const due = [...particles.keys()].filter((i) => isDue(particles[i]));
    const extend = (i: number): void => {
      const particle = particles[i];
      if (horizon.factors <= factors) horizon.move(factors, particle.point?.factors ?? 0, this.continuation.end);
      this.extend(particle, i, horizon.factors);
      within();
    };
    if (!extendedByAll(particles, due, this.continuation, extend)) due.forEach(extend);
    if (!particles.some((particle) => factors < particle.factors)) return false;
    for (let i = 0; i < particles.length; i++) logWeights[i] += particles[i].weightAt(factors);
    this.factors++;
    return true;
  }

  readonly hasEnded = (i: number): boolean => this.particles[i].finished && this.particles[i].factors <= this.factors;

  replace(children: Int32Array): void {
    const { particles } = this;
    const parents = parentsOf(children);
    for (let place = 0; place < parents.length; place++) {
      if (parents[place] === place) continue;
      const parent = particles[parents[place]];
      particles[place] = parent.branch(this.factors - 1);
      if (particles[place].factors < parent.factors) this.horizon.branch(this.factors);
    }
    this.logWeights.fill(0);
  }

  rejuvenate(): void {
    this.rejuvenation?.moveAll(this.particles, this.factors, this.continuation.end);
  }

  get samples(): Samples<T> {
    const values = this.particles.map(({ value }) => value as T);
    return { values, scores: Float64Array.from(this.particles, ({ score }) => score) };
  }

  rejuvenatedSamples(): Samples<T> {
    return this.rejuvenation!.moveFinished(this.particles);
  }

  fail(message: string): never {
    const victim = this.particles.find((particle) => particle.factors === this.factors)!;
    this.continuation.fail(victim, message);
  }

  /** Executes a particle at the i-th place until it has met so many factors, or ends. Copies of one go on differently. */
  private extend(particle: Particle<T>, i: number, factors: number): void {
    particle.forgetFactors();
    this.continuation.run(particle, factors, this.streamOf(this.size + i));
  }

  /** Learns from one execution where the program may end; it is that of the first particle, if it may run ahead. */
  private scout(): void {
    this.extend(this.horizon.ahead ? this.particles[0] : new Particle<T>(this.streamOf(0)), 0, SCOUTED);
  }
}

/**
 * Continues particles: executes the model again with the choices that a particle has made, then makes new ones. Old
 * choices are read from a list without looking at their addresses, and old observations are not scored again, so
 * that going through the past costs little more than the program's own work.
 */
export class Continuation<T> implements Handler {
  readonly name = 'a particle filter';
  readonly returns = true;
  readonly guided: boolean;
  /** Fewest factors before a choice that was drawn from a guide; infinite if none was. */
  guidedFrom = Infinity;
  /** Most factors of an execution that came to its end so far, which counts as one of them; 0 if none has. */
  end = 0;

  protected particle!: Particle<T>;
  private random!: RandomStream;
  /** Choices and factors met in this execution, and how many of them are old. */
  protected choices = 0;
  private oldChoices = 0;
  protected factors = 0;
  private oldFactors = 0;
  private horizon = 0;
  private stopped = false;
  /** Importance weight of the choices since the last factor. */
  protected pending = 0;
  protected score = 0;
  /** The last point reached from which this execution can be taken up again. */
  protected point: Point | null = null;
  /** Message of the error thrown where the particle dies, if it should not just die. */
  private failure: string | null = null;

  constructor(
    private readonly entry: Entry,
    private readonly model: Model<T>,
    private readonly proposal: Proposal | null,
  ) {
    this.guided = proposal !== null;
  }

  /** Continues the particle until it has met `horizon` factors in all, or ends, or dies. */
  run(particle: Particle<T>, horizon: number, random: RandomStream): void {
    const { point } = particle;
    this.particle = particle;
    // Numbered by the factors before, a particle's choices draw the same however far it is run at a time.
    this.random = random.enter(particle.factors);
    this.point = point;
    this.choices = point?.choices ?? 0;
    this.oldChoices = particle.values.length;
    this.factors = point?.factors ?? 0;
    this.oldFactors = particle.factors;
    this.horizon = horizon;
    this.stopped = false;
    this.pending = 0;
    this.score = particle.score;
    const origin = particle.origin.again();
    if (point !== null) origin.goTo(point.call.begun);
    const value = this.entry.execute(this, this.model, origin, point?.call ?? null);
    if (this.stopped || value === abandoned) return;
    particle.finished = true;
    particle.value = value;
    particle.meet(this.pending, this.choices, this.score, this.point);
    if (particle.factors > this.end) this.end = particle.factors;
  }

  reaches(call: RemainingCall): boolean {
    call.keep();
    this.point = { call, choices: this.choices, factors: this.factors };
    machine.hands = false;
    return true;
  }

  /** The value of an old choice, unless a guide has to hear of it. */
  replay(): unknown {
    if (this.proposal !== null || this.choices >= this.oldChoices) return fresh;
    return this.particle.values[this.choices++];
  }

  /** Executes a dead particle once more and throws an error from the place where it dies. */
  fail({ origin, values, factors }: Particle<T>, message: string): never {
    this.failure = message;
    this.run(new Particle<T>(origin, values.slice(), factors - 1), factors, origin);
    throw new WaymarkError(message);
  }

  sample<V>(distribution: Distribution<V>, options: SampleOptions<V> | undefined, given: Address): V {
    const { proposal } = this;
    // Parameters of guides are named after the choice, as they were under Optimize.
    const address = proposal === null ? given : given.choice(machine.execution);
    const place = this.choices++;
    if (place < this.oldChoices) {
      return remind(proposal, distribution, options, address, this.particle.values[place] as V);
    }
    const guide = proposed(proposal, distribution, options, address);
    const value = (guide ?? distribution).draw(this.random.begin());
    const score = distribution.score(value);
    if (guide !== undefined && guide !== distribution) {
      this.pending += score - guide.score(value);
      this.guidedFrom = Math.min(this.guidedFrom, this.factors);
    }
    followed(guide)?.chosen(value);
    this.score += score;
    this.particle.values.push(value);
    if (this.pending === -Infinity) this.die();
    return value;
  }

  /** What a guide draws for itself. The numbers of the particle's place are for guides of new choices alone. */
  auxiliary<V>(distribution: Distribution<V>): { value: V; chance: number } {
    const { stream } = machine;
    return { value: distribution.draw((this.choices > this.oldChoices ? this.random : stream).begin()), chance: 0 };
  }

  factor(score: number): void {
    if (++this.factors > this.oldFactors) this.weigh(score);
  }

  observe<V>(distribution: Distribution<V>, value: V): void {
    if (++this.factors > this.oldFactors) this.weigh(distribution.score(value));
  }

  /** A factor not met before. */
  protected weigh(score: number): void {
    if (score === Infinity) throw infiniteFactor();
    if (score === -Infinity) {
      this.die();
      return;
    }
    this.score += score;
    this.random.enter(this.factors);
    this.particle.meet(this.pending + score, this.choices, this.score, this.point);
    if (isWorthPoint(this.factors, this.point?.factors ?? 0, this.end)) machine.hands = machine.program.resumable;
    this.pending = 0;
    if (this.factors >= this.horizon) this.stop();
  }

  /** Leaves the particle as it is now. After this, or `die`, the caller must return at once. */
  protected stop(): void {
    this.stopped = true;
    if (machine.returns) giveUp();
    else stop(this.factors, this.end);
  }

  protected die(): void {
    if (this.failure !== null) throw new WaymarkError(this.failure);
    this.particle.meet(-Infinity, this.choices, -Infinity, this.point);
    giveUp();
  }
}
