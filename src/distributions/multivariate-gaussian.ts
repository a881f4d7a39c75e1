import type { Distribution } from '../runtime/handler.ts';
import { LOG_2PI } from '../tensor/constants.ts';
import { Tensor } from '../tensor/tensor.ts';
import { alternatives } from './alternatives.ts';
import { cholesky, logDeterminant, notACovarianceOf } from './cholesky.ts';
import { family } from './family.ts';
import { MultivariateGaussianFactor } from './multivariate-gaussian-factor.ts';
import { MultivariateGaussianPrecision } from './multivariate-gaussian-precision.ts';
import { elementsOf, realVector, squareMatrix } from './parameter.ts';
import { TensorGaussian } from './tensor-gaussian.ts';
import { vectors } from './value-kind.ts';
import { givenDims } from './value-size.ts';
import { coloured, squaredDistance, standardNormals } from './whitened.ts';

const byCovariance = family(
  {
    name: 'MultivariateGaussian',
    params: { mu: realVector, cov: squareMatrix },
    values: vectors,
    dims: ({ mu }) => givenDims(mu),
    /** The Cholesky factor of `cov`; undefined (and refused by `check`) if it has none. */
    prepare: ({ cov }) => cholesky(cov.data, cov.dims[0]) as Float64Array,
  },
  {
    check: ({ mu, cov }, factor) => notACovarianceOf(mu, 'cov', cov, factor),
    draw: ({ mu }, random, factor) => coloured(factor, mu, standardNormals(mu.length, random)),
    score({ mu }, value, factor) {
      const x = elementsOf(value)!;
      const n = mu.length;
      if (x.length !== n) return -Infinity;
      return -0.5 * (squaredDistance(factor, mu, x) + n * LOG_2PI + logDeterminant(factor, n));
    },
    mean: ({ mu }) => mu,
    variance: ({ mu, cov }) =>
      new Tensor(
        mu.dims,
        mu.data.map((_, i) => cov.data[i * mu.length + i]),
      ),
    entropy: ({ mu }, factor) => 0.5 * (mu.length * (1 + LOG_2PI) + logDeterminant(factor, mu.length)),
    reparameterisation: {
      base: ({ mu }): Distribution<Tensor> => TensorGaussian({ mu: 0, sigma: 1, dims: mu.dims }),
      transform: ({ mu }, noise, factor) => coloured(factor, mu, noise.data),
    },
  },
);

/**
 * A vector with mean `mu` and covariance matrix `cov`. In place of `cov` its inverse may be given, as `precision`, or its Cholesky
 * factor, as `factor`, which saves having to factor it.
 */
export const MultivariateGaussian = alternatives(byCovariance, {
  precision: MultivariateGaussianPrecision,
  factor: MultivariateGaussianFactor,
});
