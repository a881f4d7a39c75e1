import type { Distribution, Interval } from '../runtime/handler.ts';
import type { Random } from '../runtime/random.ts';
import { listedMean, listedVariance } from './closed-forms/listed-moments.ts';
import { end, numbersBetween, WrappedDistribution, wrappedDistribution } from './wrapped.ts';
import { wrappingFamily } from './wrapping-family.ts';

export interface CensoredParams {
  dist: Distribution<number>;
  a: number;
  b: number;
}

class CensoredDistribution extends WrappedDistribution<CensoredParams> {
  override readonly name = 'Censored';
  override support?: () => readonly number[] | Interval;
  /** Of whole numbers only. */
  mean?: () => number;
  variance?: () => number;

  constructor(params: CensoredParams) {
    super(params);
    const { dist, a, b } = params;
    const inside = this.isContinuous ? undefined : numbersBetween(dist, a, b);
    if (inside !== undefined) this.support = () => withEnds(inside, a, b);
    if (this.isContinuous) this.support = () => this.between(a, b);
    if (this.isContinuous) return;
    this.mean = () => listedMean(this.listed(params.a, params.b));
    this.variance = () => listedVariance(this.listed(params.a, params.b));
  }

  get family(): typeof Censored.family {
    return Censored.family;
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

/** Values inside, and the ends that are seen for those beyond. */
function withEnds(inside: readonly number[], a: number, b: number): readonly number[] {
  const ends = [a, b].filter((end) => Number.isFinite(end) && !inside.includes(end));
  return [...inside, ...ends].sort((x, y) => x - y);
}

/**
 * What is seen of a draw from `dist` by an instrument that ends at `a` and `b`: values beyond them are seen as `a` or `b`. A value at
 * an end scores the logarithm of the probability of being there or beyond. Also written `Censored(dist, a, b)`.
 */
export const Censored = wrappingFamily<CensoredParams, CensoredDistribution, [a: number, b: number]>(
  'Censored',
  { dist: wrappedDistribution, a: end, b: end },
  (params) => new CensoredDistribution(params),
  ({ a, b }) => (a < b ? undefined : `a must be less than b, got ${a} and ${b}`),
);
