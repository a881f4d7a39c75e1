import type { Distribution } from '../runtime/handler.ts';
import { LOG_2PI } from '../tensor/constants.ts';
import { Tensor } from '../tensor/tensor.ts';
import { cholesky, logDeterminant, notACovarianceOf, solveUpper } from './cholesky.ts';
import { family } from './family.ts';
import { elementsOf, realVector, squareMatrix } from './parameter.ts';
import { TensorGaussian } from './tensor-gaussian.ts';
import { vectors } from './value-kind.ts';
import { givenDims } from './value-size.ts';
import { standardNormals } from './whitened.ts';

/** A vector with mean `mu` whose covariance is the inverse of `precision`. */
export const MultivariateGaussianPrecision = family(
  {
    name: 'MultivariateGaussianPrecision',
    params: { mu: realVector, precision: squareMatrix },
    values: vectors,
    dims: ({ mu }) => givenDims(mu),
    /** The Cholesky factor of `precision`; undefined (and refused by `check`) if it has none. */
    prepare: ({ precision }) => cholesky(precision.data, precision.dims[0]) as Float64Array,
  },
  {
    check: ({ mu, precision }, factor) => notACovarianceOf(mu, 'precision', precision, factor),
    draw: ({ mu }, random, factor) => placed(factor, mu, standardNormals(mu.length, random)),
    score({ mu }, value, factor) {
      const x = elementsOf(value)!;
      const n = mu.length;
      if (x.length !== n) return -Infinity;
      // The squared length of Lᵀ (x − mu).
      let squares = 0;
      for (let j = 0; j < n; j++) {
        let sum = 0;
        for (let i = j; i < n; i++) sum += factor[i * n + j] * (x[i] - mu.data[i]);
        squares += sum * sum;
      }
      return -0.5 * (squares + n * LOG_2PI - logDeterminant(factor, n));
    },
    mean: ({ mu }) => mu,
    variance({ mu }, factor) {
      const n = mu.length;
      const variance = new Float64Array(n);
      for (let j = 0; j < n; j++) {
        const column = solveUpper(
          factor,
          n,
          Float64Array.from({ length: n }, (_, i) => (i === j ? 1 : 0)),
        );
        for (let i = 0; i < n; i++) variance[i] += column[i] * column[i];
      }
      return new Tensor(mu.dims, variance);
    },
    entropy: ({ mu }, factor) => 0.5 * (mu.length * (1 + LOG_2PI) - logDeterminant(factor, mu.length)),
    reparameterisation: {
      base: ({ mu }): Distribution<Tensor> => TensorGaussian({ mu: 0, sigma: 1, dims: mu.dims }),
      transform: ({ mu }, noise, factor) => placed(factor, mu, noise.data),
    },
  },
);

/** mu + L⁻ᵀ noise, whose covariance is the inverse of L Lᵀ. */
function placed(factor: Float64Array, mu: Tensor, noise: ArrayLike<number>): Tensor {
  const offset = solveUpper(factor, mu.length, noise);
  return new Tensor(
    mu.dims,
    offset.map((o, i) => mu.data[i] + o),
  );
}
