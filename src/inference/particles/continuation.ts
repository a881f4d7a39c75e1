import { givenGuide } from '../../guides/guide-of.ts';
import { LearnedGuides } from '../../guides/learned-guides.ts';
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
import { Particle, type Point } from './particle.ts';
import { stop } from './stopping.ts';

/** The distribution that a choice is drawn from instead of its own, or undefined for its own. */
export type Proposal = (
  distribution: Distribution<unknown>,
  options: SampleOptions<unknown> | undefined,
  address: Address,
) => Distribution<unknown> | undefined;

/** Draws from the guides that a program gives. */
export const fromGuide: Proposal = (distribution, options, address) =>
  options?.guide === undefined ? undefined : givenGuide(distribution, options.guide, address);

/** Draws from automatic guides too, as far as they have been learned. */
export function fromAnyGuide(): Proposal {
  const guides = new LearnedGuides();
  return (distribution, options, address) => guides.of(distribution, options, address);
}

/** What a proposal gives at a choice. The program goes on from where it is. */
function proposed<V>(
  proposal: Proposal | null,
  distribution: Distribution<V>,
  options: SampleOptions<V> | undefined,
  address: Address,
): Distribution<V> | undefined {
  if (proposal === null) return undefined;
  const outer = machine.address;
  const found = proposal(distribution as Distribution<unknown>, options as SampleOptions<unknown>, address);
  machine.address = outer;
  return found as Distribution<V> | undefined;
}

/** Going through fewer factors again costs less than keeping the points from which to go on. */
const FACTORS_PER_POINT = 16;

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
  private values: unknown[] = [];
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
    this.values = particle.values;
    this.point = point;
    this.choices = point === null ? 0 : point.choices;
    this.oldChoices = particle.choices;
    this.factors = point === null ? 0 : point.factors;
    this.oldFactors = particle.factors;
    this.horizon = horizon;
    this.stopped = false;
    this.pending = 0;
    this.score = particle.score;
    const origin = particle.origin.again();
    if (point !== null) origin.goTo(point.call.begun);
    const value = this.entry.execute(this, this.model, origin, point === null ? null : point.call);
    if (this.stopped || value === abandoned) return;
    particle.finished = true;
    particle.value = value;
    particle.weigh(this.pending, this.choices, this.score, this.point);
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
    return this.values[this.choices++];
  }

  /** Executes a dead particle once more and throws an error from the place where it dies. */
  fail(particle: Particle<T>, message: string): never {
    this.failure = message;
    const { factors } = particle;
    const { origin, values, choices } = particle;
    this.run(new Particle<T>(origin).become(origin, values, choices, factors - 1, 0), factors, origin);
    throw new WaymarkError(message);
  }

  sample<V>(distribution: Distribution<V>, options: SampleOptions<V> | undefined, given: Address): V {
    const { proposal } = this;
    // Parameters of guides are named after the choice, as they were under Optimize.
    const address = proposal === null ? given : given.choice(machine.execution);
    const place = this.choices++;
    if (place < this.oldChoices) {
      // A guide may leave something in the store for later ones.
      if (typeof options?.guide === 'function') proposed(proposal, distribution, options, address);
      return this.values[place] as V;
    }
    const guide = proposed(proposal, distribution, options, address);
    const value = (guide ?? distribution).draw(this.random.begin());
    const score = distribution.score(value);
    if (guide !== undefined && guide !== distribution) {
      this.pending += score - guide.score(value);
      this.guidedFrom = Math.min(this.guidedFrom, this.factors);
    }
    this.score += score;
    this.particle.choose(value);
    if (this.pending === -Infinity) this.die();
    return value;
  }

  factor(score: number): void {
    if (++this.factors > this.oldFactors) this.weigh(score);
  }

  observe<V>(distribution: Distribution<V>, value: V): void {
    if (++this.factors > this.oldFactors) this.weigh(distribution.score(value));
  }

  /** A factor not met before. */
  protected weigh(score: number): void {
    if (score === -Infinity) {
      this.die();
      return;
    }
    if (score === Infinity) throw infiniteFactor();
    this.score += score;
    this.random.enter(this.factors);
    this.particle.weigh(this.pending + score, this.choices, this.score, this.point);
    if (this.isFarFromPoints()) machine.hands = machine.program.resumable;
    this.pending = 0;
    if (this.factors >= this.horizon) this.stop();
  }

  /** Whether a point to go on from is worth having here: the last is far back, and so is the end. */
  private isFarFromPoints(): boolean {
    const { factors, point, end } = this;
    if (factors < (point === null ? 0 : point.factors) + FACTORS_PER_POINT) return false;
    return end <= factors || end - factors > FACTORS_PER_POINT;
  }

  /** Leaves the particle as it is now. Whoever calls this must return at once. */
  protected stop(): void {
    this.stopped = true;
    if (machine.returns) giveUp();
    else stop(this.factors, this.end);
  }

  /** Whoever calls this must return at once. */
  protected die(): void {
    if (this.failure !== null) throw new WaymarkError(this.failure);
    this.particle.weigh(-Infinity, this.choices, -Infinity, this.point);
    giveUp();
  }
}
