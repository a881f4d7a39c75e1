import type { Random } from '../runtime/random.ts';
import { BetweenEnds, type BetweenParams } from './closed-forms/between.ts';
import { end, wrappedDistribution } from './wrapped.ts';
import { wrappingFamily } from './wrapping-family.ts';

class CensoredDistribution extends BetweenEnds {
  override readonly name = 'Censored';

  get family(): typeof Censored.family {
    return Censored.family;
  }

  /** And the ends, which are seen for what lies beyond them. */
  protected override valuesFrom(inside: readonly number[]): readonly number[] {
    const { a, b } = this.params;
    const ends = [a, b].filter((value) => Number.isFinite(value) && !inside.includes(value));
    return [...inside, ...ends].sort((x, y) => x - y);
  }

  override draw(random: Random): number {
    const { dist, a, b } = this.params;
    return Math.min(Math.max(dist.draw(random), a), b);
  }

  protected override scoreOfNumber(x: number): number {
    const { dist, a, b } = this.params;
    if (x < a || x > b) return -Infinity;
    if (x === a) return Math.log(this.known('cdf')(a));
    if (x === b) return Math.log(this.beyond());
    return dist.score(x);
  }

  /** The probability of b or more. */
  private beyond(): number {
    const { b } = this.params;
    return this.beyondWrapped(this.isContinuous ? b : Math.ceil(b) - 1);
  }

  protected override cdfOfNumber(x: number): number {
    const { a, b } = this.params;
    if (x < a) return 0;
    return x >= b ? 1 : this.known('cdf')(x);
  }

  protected override quantileOfNumber(p: number): number {
    const { a, b } = this.params;
    return Math.min(Math.max(this.known('quantile')(p), a), b);
  }
}

/**
 * What is seen of a draw from `dist` by an instrument that ends at `a` and `b`: values beyond them are seen as `a` or `b`. A value at
 * an end scores the logarithm of the probability of being there or beyond. Also written `Censored(dist, a, b)`.
 */
export const Censored = wrappingFamily<BetweenParams, CensoredDistribution, [a: number, b: number]>(
  'Censored',
  { dist: wrappedDistribution, a: end, b: end },
  (params) => new CensoredDistribution(params),
  ({ a, b }) => (a < b ? undefined : `a must be less than b, got ${a} and ${b}`),
);
