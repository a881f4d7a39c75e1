/**
 * A Gaussian with a full Cholesky factor, row by row: a choice is mu + s ∘ (U ε + W c), with U lower triangular with ones on its diagonal, ε noise
 * of its own, and c the noise of all choices before it. All rows together are the factor of one covariance.
 */
import { Gaussian } from '../../distributions/gaussian.ts';
import { TensorGaussian } from '../../distributions/tensor-gaussian.ts';
import type { Distribution } from '../../runtime/handler.ts';
import { LOG_2PI } from '../../tensor/constants.ts';
import type { Node, Value } from '../../tensor/node.ts';
import * as ops from '../../tensor/ops.ts';
import { mask } from '../../tensor/tensor.ts';
import type { Conditional, Extent, JointKind, Own, OwnParams } from './conditional.ts';
import { asColumn, below, fromColumn, identity, times, total } from './matrices.ts';
import type { JointState } from './preceding-choices.ts';

/** Parameters of a mean, of scales and of what comes from noise. */
export function linearParams(own: Own, { size, scalar }: Extent, { count }: JointState): OwnParams {
  return {
    mu: scalar ? own.number('mu') : own.tensor('mu', [size, 1]),
    scale: ops.softplus(scalar ? own.number('scale') : own.tensor('scale', [size, 1])) as Value,
    below:
      size === 1
        ? null
        : (ops.mul(
            own.tensor('below', [size, size]),
            mask(size, size, (i, j) => j < i),
          ) as Value),
    reach: count === 0 ? null : own.after('reach', [size, count]),
  };
}

export class LinearConditional implements Conditional {
  readonly noise: Distribution<unknown>;

  constructor(
    protected readonly params: OwnParams,
    protected readonly extent: Extent,
    protected readonly before: JointState,
  ) {
    this.noise = extent.scalar
      ? Gaussian({ mu: 0, sigma: 1 })
      : TensorGaussian({ mu: 0, sigma: 1, dims: [extent.size, 1] });
  }

  /** The shift that depends on the choices before. */
  private get shift(): Value | null {
    const { reach } = this.params;
    const { features } = this.before;
    if (reach === null || features === null) return null;
    return fromColumn(times(reach, features), this.extent.scalar);
  }

  pointOf(noise: Value): Value {
    const { mu, scale } = this.params as Record<string, Value>;
    const { below } = this.params;
    const { shift } = this;
    let sum = noise;
    if (below !== null) sum = ops.add(sum, times(below, noise)) as Value;
    if (shift !== null) sum = ops.add(sum, shift) as Value;
    return ops.add(mu, ops.mul(scale, sum)) as Value;
  }

  noiseOf(point: Value): Value {
    const { mu, scale } = this.params as Record<string, Value>;
    const { below } = this.params;
    const { shift } = this;
    const { size } = this.extent;
    let rest = ops.div(ops.sub(point, mu), scale) as Value;
    if (shift !== null) rest = ops.sub(rest, shift) as Value;
    if (below === null) return rest;
    return ops.triangularSolve(ops.add(below, identity(size)) as Node, rest as Node) as Value;
  }

  logDensity(point: Value): Value {
    return this.logDensityOfNoise(this.noiseOf(point));
  }

  logDensityOfNoise(noise: Value): Value {
    const { size, scalar } = this.extent;
    const { scale } = this.params as Record<string, Value>;
    const all = (x: Value): Value => (scalar ? x : total(x));
    const constant = ops.add(ops.mul(0.5, all(ops.square(noise) as Value)), 0.5 * size * LOG_2PI) as Value;
    return ops.neg(ops.add(constant, all(ops.log(scale) as Value))) as Value;
  }

  after(point: Value, noise: Value | undefined): JointState {
    return withFeatures(this.before, noise ?? this.noiseOf(point), this.extent);
  }
}

/** The state after a choice: the one before, with the noise of the choice added. */
function withFeatures({ features, count }: JointState, noise: Value, { size, scalar }: Extent): JointState {
  return { features: below(features, asColumn(noise, scalar)), count: count + size };
}

export const fullRank: JointKind = {
  words: 'a Gaussian of full rank',
  gaussian: true,
  params: linearParams,
  conditional: (params, extent, before) => new LinearConditional(params, extent, before),
};
