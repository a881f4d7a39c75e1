import type { Distribution } from '../runtime/handler.ts';
import { LOG_2PI } from '../tensor/constants.ts';
import { Tensor } from '../tensor/tensor.ts';
import { logDeterminant } from './cholesky.ts';
import { family } from './family.ts';
import { elementsOf, lowerTriangle, realVector } from './parameter.ts';
import { TensorGaussian } from './tensor-gaussian.ts';
import { vectors } from './value-kind.ts';
import { givenDims } from './value-size.ts';
import { coloured, squaredDistance, standardNormals } from './whitened.ts';

/** A vector with mean `mu` whose covariance is L Lᵀ, for the lower-triangular L given as `factor`. */
export const MultivariateGaussianFactor = family(
  {
    name: 'MultivariateGaussianFactor',
    params: { mu: realVector, factor: lowerTriangle },
    values: vectors,
    dims: ({ mu }) => givenDims(mu),
  },
  {
    check({ mu, factor }) {
      const n = factor.dims[0];
      if (mu.length === n) return undefined;
      return `factor must have a row for each element of mu, got ${n} rows for ${mu.length} elements`;
    },
    draw: ({ mu, factor }, random) => coloured(factor.data, mu, standardNormals(mu.length, random)),
    score({ mu, factor }, value) {
      const x = elementsOf(value)!;
      const n = mu.length;
      if (x.length !== n) return -Infinity;
      return -0.5 * (squaredDistance(factor.data, mu, x) + n * LOG_2PI + logDeterminant(factor.data, n));
    },
    mean: ({ mu }) => mu,
    variance({ mu, factor }) {
      const n = mu.length;
      const squares = (_: number, i: number) =>
        factor.data.subarray(i * n, (i + 1) * n).reduce((sum, l) => sum + l * l, 0);
      return new Tensor(mu.dims, mu.data.map(squares));
    },
    entropy: ({ mu, factor }) => 0.5 * (mu.length * (1 + LOG_2PI) + logDeterminant(factor.data, mu.length)),
    reparameterisation: {
      base: ({ mu }): Distribution<Tensor> => TensorGaussian({ mu: 0, sigma: 1, dims: mu.dims }),
      transform: ({ mu, factor }, noise) => coloured(factor.data, mu, noise.data),
    },
  },
);
