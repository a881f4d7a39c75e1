import type { Distribution, Interval } from '../../runtime/handler.ts';
import { numbersBetween, WrappedDistribution } from '../wrapped.ts';
import { listedMean, listedVariance } from './listed-moments.ts';

export interface BetweenParams {
  dist: Distribution<number>;
  a: number;
  b: number;
}

/** A distribution made of another one, whose values lie from a to b. */
export abstract class BetweenEnds extends WrappedDistribution<BetweenParams> {
  override support?: () => readonly number[] | Interval;
  /** Of whole numbers only. */
  mean?: () => number;
  variance?: () => number;

  constructor(params: BetweenParams) {
    super(params);
    const { dist, a, b } = params;
    if (this.isContinuous) {
      this.support = () => this.between(a, b);
      return;
    }
    const inside = numbersBetween(dist, a, b);
    if (inside !== undefined) this.support = () => this.valuesFrom(inside);
    this.mean = () => listedMean(this.listed(a, b));
    this.variance = () => listedVariance(this.listed(a, b));
  }

  /** All values, from those of the other distribution in the interval. */
  protected valuesFrom(inside: readonly number[]): readonly number[] {
    return inside;
  }
}
