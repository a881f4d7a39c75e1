import type { Distribution, Interval } from '../runtime/handler.ts';
import type { Random } from '../runtime/random.ts';
import { logAddExp } from '../tensor/special/exponentials.ts';
import { probability } from './parameter.ts';
import { listedNumbers, WrappedDistribution, wrappedDistribution } from './wrapped.ts';
import { wrappingFamily } from './wrapping-family.ts';

interface ZeroInflatedParams {
  dist: Distribution<number>;
  p: number;
}

class ZeroInflatedDistribution extends WrappedDistribution<ZeroInflatedParams> {
  override readonly name = 'ZeroInflated';
  override support?: () => readonly number[] | Interval;

  constructor(params: ZeroInflatedParams) {
    super(params);
    const own = params.dist.support?.();
    const listed = listedNumbers(params.dist);
    if (listed !== undefined) this.support = () => (listed.includes(0) ? listed : [0, ...listed]);
    else if (own !== undefined && 'lower' in own) this.support = () => own;
  }

  get family(): typeof ZeroInflated.family {
    return ZeroInflated.family;
  }

  override draw(random: Random): number {
    return random.uniform() < this.params.p ? 0 : this.params.dist.draw(random);
  }

  protected override scoreOfNumber(x: number): number {
    const { dist, p } = this.params;
    const own = Math.log1p(-p) + dist.score(x);
    if (x !== 0) return own;
    return this.isContinuous ? Math.log(p) : logAddExp(Math.log(p), own);
  }

  mean(): number {
    return (1 - this.params.p) * this.moment('mean');
  }

  variance(): number {
    const { p } = this.params;
    return (1 - p) * (this.moment('variance') + p * this.moment('mean') ** 2);
  }

  protected override cdfOfNumber(x: number): number {
    const { p } = this.params;
    const own = (1 - p) * this.known('cdf')(x);
    return x >= 0 ? p + own : own;
  }

  protected override quantileOfNumber(at: number): number {
    const { p } = this.params;
    const below = (1 - p) * this.known('cdf')(this.isContinuous ? 0 : -1);
    const own = this.known('quantile');
    if (at < below) return own(at / (1 - p));
    if (at <= below + p) return 0;
    const rest = own(Math.min(1, (at - p) / (1 - p)));
    // By rounding it may be the next one.
    return this.isContinuous || this.cdfOfNumber(rest - 1) < at * (1 - 1e-14) ? rest : rest - 1;
  }
}

/**
 * 0 with probability `p`, else a draw from `dist`: counts with more zeros than their family has, or amounts that are often none at
 * all. Also written `ZeroInflated(dist, p)`.
 */
export const ZeroInflated = wrappingFamily<ZeroInflatedParams, ZeroInflatedDistribution, [p: number]>(
  'ZeroInflated',
  { dist: wrappedDistribution, p: probability },
  (params) => new ZeroInflatedDistribution(params),
);
