import type { Distribution } from '../runtime/handler.ts';
import { LOG_2PI } from '../tensor/constants.ts';
import { Tensor } from '../tensor/tensor.ts';
import { cholesky, logDeterminant, notACovariance, solveLower, timesLower } from './cholesky.ts';
import { family } from './family.ts';
import { elementsOf, realVector, squareMatrix } from './parameter.ts';
import { TensorGaussian } from './tensor-gaussian.ts';
import { vectors } from './value-kind.ts';

/** A vector with mean `mu` and covariance matrix `cov`. */
export const MultivariateGaussian = family(
  {
    name: 'MultivariateGaussian',
    params: { mu: realVector, cov: squareMatrix },
    values: vectors,
    /** The Cholesky factor of `cov`; undefined (and refused by `check`) if it has none. */
    prepare: ({ cov }) => cholesky(cov.data, cov.dims[0]) as Float64Array,
  },
  {
    check({ mu, cov }, factor) {
      const n = cov.dims[0];
      if (mu.length !== n) return `cov must have a row for each element of mu, got ${n} rows for ${mu.length} elements`;
      const problem = notACovariance(cov.data, n, factor);
      return problem && `cov ${problem}`;
    },
    draw({ mu }, random, factor) {
      const n = mu.length;
      const noise = new Float64Array(n);
      for (let i = 0; i < n; i++) noise[i] = random.gaussian();
      return shifted(mu, timesLower(factor, n, noise));
    },
    score({ mu }, value, factor) {
      const x = elementsOf(value)!;
      const n = mu.length;
      if (x.length !== n) return -Infinity;
      const distance = new Float64Array(n);
      for (let i = 0; i < n; i++) distance[i] = x[i] - mu.data[i];
      const whitened = solveLower(factor, n, distance);
      let squares = 0;
      for (let i = 0; i < n; i++) squares += whitened[i] * whitened[i];
      return -0.5 * (squares + n * LOG_2PI + logDeterminant(factor, n));
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
      transform: ({ mu }, noise, factor) => shifted(mu, timesLower(factor, mu.length, noise.data)),
    },
  },
);

function shifted(mu: Tensor, offset: Float64Array): Tensor {
  for (let i = 0; i < offset.length; i++) offset[i] += mu.data[i];
  return new Tensor(mu.dims, offset);
}
