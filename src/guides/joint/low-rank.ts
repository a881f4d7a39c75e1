/**
 * A Gaussian whose covariance is a diagonal plus a matrix of low rank: a choice is mu + s ∘ (ε + F η), with factors
 * η that all choices share. Given the choices before, the factors are Gaussian. The state holds their precision and
 * the product of the precision with the mean; a choice adds Fᵀ F to the first, and Fᵀ times its standardised value
 * to the second.
 */
import { TensorGaussian } from '../../distributions/tensor-gaussian.ts';
import type { Distribution } from '../../runtime/handler.ts';
import { LOG_2PI } from '../../tensor/constants.ts';
import type { Node, Value } from '../../tensor/node.ts';
import * as ops from '../../tensor/ops.ts';
import { Tensor } from '../../tensor/tensor.ts';
import { agreedSize, type Conditional, type Extent, type JointKind, type OwnParams } from './conditional.ts';
import { asColumn, fromColumn, identity, times, total } from './matrices.ts';
import type { Filter, JointState } from './preceding-choices.ts';

const zeros = (n: number): Tensor => new Tensor([n, 1], new Float64Array(n));

/** Before the first choice, the factors are standard normal. */
const unknown = (rank: number): Filter => ({
  precision: identity(rank),
  factor: identity(rank),
  logDeterminant: 0,
  information: zeros(rank),
  whitened: zeros(rank),
});

class LowRankConditional implements Conditional {
  readonly noise: Distribution<unknown>;
  private readonly filter: Filter;
  private next: { readonly point: Value; readonly state: JointState } | null = null;

  constructor(
    private readonly params: OwnParams,
    private readonly extent: Extent,
    before: JointState,
    private readonly rank: number,
  ) {
    this.noise = TensorGaussian({ mu: 0, sigma: 1, dims: [extent.size + rank, 1] });
    this.filter = before.filter ?? unknown(rank);
  }

  pointOf(noise: Value): Value {
    const { size, scalar } = this.extent;
    const { mu, scale, factor } = this.params as Record<string, Value>;
    const own = ops.sliceAxis(noise as Node, 0, 0, size) as Value;
    const rest = ops.sliceAxis(noise as Node, 0, size, size + this.rank) as Value;
    // The mean of the factors is C⁻ᵀ C⁻¹ times the information.
    const spread = ops.add(this.filter.whitened, rest) as Node;
    const factors = ops.triangularSolve(this.filter.factor as Node, spread, true) as Value;
    const sum = ops.add(own, times(factor, factors)) as Value;
    return ops.add(mu, ops.mul(scale, fromColumn(sum, scalar))) as Value;
  }

  logDensity(point: Value): Value {
    const { size, scalar } = this.extent;
    const { scale } = this.params as Record<string, Value>;
    const { filter } = this.after(point);
    const squares = (x: Value): Value => total(ops.square(x) as Value);
    const stretched = ops.sub(filter!.logDeterminant, this.filter.logDeterminant);
    const distance = ops.sub(
      ops.add(squares(this.standardised(point)), squares(this.filter.whitened)),
      squares(filter!.whitened),
    );
    const logScale = ops.log(scale) as Value;
    const half = ops.mul(0.5, ops.add(ops.add(stretched, distance), size * LOG_2PI));
    return ops.neg(ops.add(half, scalar ? logScale : total(logScale))) as Value;
  }

  private standardised(point: Value): Value {
    const { mu, scale } = this.params as Record<string, Value>;
    return asColumn(ops.div(ops.sub(point, mu), scale) as Value, this.extent.scalar);
  }

  after(point: Value): JointState {
    if (this.next?.point !== point) this.next = { point, state: this.updated(point) };
    return this.next.state;
  }

  private updated(point: Value): JointState {
    const { filter, rank } = this;
    const factor = this.params.factor as Node;
    const precision = ops.add(filter.precision, ops.matmul(factor, factor, true)) as Node;
    const information = ops.add(filter.information, ops.matmul(factor, this.standardised(point) as Node, true)) as Node;
    const cholesky = ops.cholesky(precision) as Node;
    const diagonal = ops.sum(ops.mul(cholesky, identity(rank)) as Node, 1) as Node;
    const whitened = ops.triangularSolve(cholesky, information) as Value;
    return {
      features: whitened,
      count: rank,
      filter: {
        precision,
        factor: cholesky,
        logDeterminant: ops.mul(2, ops.sum(ops.log(diagonal) as Node)) as Value,
        information,
        whitened,
      },
    };
  }
}

/** A guide with so many factors; without a number, with as many as have been learned. */
export const lowRank = (asked: number | undefined): JointKind => ({
  words: 'a Gaussian of low rank',
  gaussian: true,

  params(own, { size, scalar }) {
    const rank = agreedSize('rank', own.dimsOf('factor')?.[1], asked);
    return {
      mu: scalar ? own.number('mu') : own.tensor('mu', [size, 1]),
      scale: ops.softplus(scalar ? own.number('scale') : own.tensor('scale', [size, 1])) as Value,
      // (At zero there would be no gradient.)
      factor: own.tensor('factor', [size, rank], 0.1),
    };
  },

  conditional(params, extent, before) {
    const factor = params.factor as Node | Tensor;
    const [, rank] = factor instanceof Tensor ? factor.dims : factor.shape;
    return new LowRankConditional(params, extent, before, rank);
  },
});
