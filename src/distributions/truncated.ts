import { WaymarkError } from '../runtime/errors.ts';
import type { Random } from '../runtime/random.ts';
import { BetweenEnds, type BetweenParams } from './closed-forms/between.ts';
import { tailQuantile } from './draws/tail.ts';
import { end, listedNumbers, noClosedForm, wrappedDistribution } from './wrapped.ts';
import { wrappingFamily } from './wrapping-family.ts';

/** Draws that would be refused more often than not are made from the distribution function. */
const OFTEN_INSIDE = 0.25;
/** Probabilities above this have too few digits left to be told from 1. */
const UPPER_TAIL = 0.999;

class TruncatedDistribution extends BetweenEnds {
  override readonly name = 'Truncated';
  private found: number | undefined;

  get family(): typeof Truncated.family {
    return Truncated.family;
  }

  /** The probability of the interval under the distribution that is truncated. */
  get mass(): number {
    this.found ??= this.wrapped.cdf === undefined ? this.listedMass() : this.massByCdf();
    return this.found;
  }

  private massByCdf(): number {
    const { b } = this.params;
    const cdf = this.known('cdf');
    const below = this.below();
    const upTo = b === Infinity ? 1 : cdf(b);
    // In the upper tail the difference of what lies beyond the ends keeps its digits.
    return below < 0.5 ? upTo - below : this.fromStart() - (b === Infinity ? 0 : this.beyondWrapped(b));
  }

  private listedMass(): number {
    const { dist, a, b } = this.params;
    const listed = listedNumbers(dist);
    if (listed === undefined) throw noClosedForm(this.name, dist, 'cdf');
    let mass = 0;
    for (const k of listed) mass += k >= a && k <= b ? Math.exp(dist.score(k)) : 0;
    return mass;
  }

  /** What lies just outside the interval. */
  private before(): number {
    const { a } = this.params;
    return this.isContinuous ? a : Math.ceil(a) - 1;
  }

  /** The probability of less than a. */
  private below(): number {
    return this.params.a === -Infinity ? 0 : this.known('cdf')(this.before());
  }

  /** The probability of a or more. */
  private fromStart(): number {
    return this.params.a === -Infinity ? 1 : this.beyondWrapped(this.before());
  }

  protected override scoreOfNumber(x: number): number {
    const { dist, a, b } = this.params;
    if (x < a || x > b) return -Infinity;
    return dist.score(x) - Math.log(this.mass);
  }

  protected override cdfOfNumber(x: number): number {
    const { a, b } = this.params;
    if (x < a) return 0;
    if (x >= b) return 1;
    const below = this.below();
    const share = below < 0.5 ? this.known('cdf')(x) - below : this.fromStart() - this.beyondWrapped(x);
    return Math.min(1, share / this.mass);
  }

  protected override quantileOfNumber(p: number): number {
    const { a, b } = this.params;
    if (p === 0 && this.isContinuous) return this.between(a, b).lower;
    if (p === 1) return this.between(a, b).upper;
    const upTo = this.below() + p * this.mass;
    if (!this.inGraph && upTo > UPPER_TAIL) return this.inTail(p * this.mass);
    return Math.min(Math.max(this.known('quantile')(upTo), a), b);
  }

  /** The value up to which there is so much probability in the interval. */
  private inTail(share: number): number {
    const { a, b } = this.params;
    const x = tailQuantile((at) => this.beyondWrapped(at), this.fromStart() - share, a, b);
    return this.isContinuous ? x : Math.floor(x);
  }

  override draw(random: Random): number {
    const { a, b } = this.params;
    if (this.mass >= OFTEN_INSIDE || this.wrapped.cdf === undefined) return this.drawInside(random);
    const share = random.uniform() * this.mass;
    const upTo = this.below() + share;
    if (upTo > UPPER_TAIL || this.wrapped.quantile === undefined) return this.inTail(share);
    return Math.min(Math.max(this.wrapped.quantile(upTo), a), b);
  }

  private drawInside(random: Random): number {
    const { dist, a, b } = this.params;
    for (let tries = 0; tries < 1e6; tries++) {
      const x = dist.draw(random);
      if (x >= a && x <= b) return x;
    }
    throw new WaymarkError(`Truncated: draws of ${dist.name} between ${a} and ${b} are too rare to be found.`);
  }
}

/**
 * `dist`, given that its value is from `a` to `b`, both included; an end may be infinite. Also written `Truncated(dist, a, b)`.
 */
export const Truncated = wrappingFamily<BetweenParams, TruncatedDistribution, [a: number, b: number]>(
  'Truncated',
  { dist: wrappedDistribution, a: end, b: end },
  (params) => new TruncatedDistribution(params),
  ({ dist, a, b }, made) => {
    if (!(dist.isContinuous ? a < b : a <= b)) return `a must be less than b, got ${a} and ${b}`;
    return made.mass > 0 ? undefined : `${dist.name} has no probability between ${a} and ${b}`;
  },
);
