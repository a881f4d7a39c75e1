import { logGamma } from '../tensor/special/gamma.ts';
import { Tensor } from '../tensor/tensor.ts';
import { cholesky, isSymmetric, logDeterminant, notACovariance, squaresOfSolution } from './cholesky.ts';
import { drawLogGamma } from './draws/gamma.ts';
import { family } from './family.ts';
import { positive, squareMatrix } from './parameter.ts';
import { covariances } from './value-kind.ts';
import { givenDims } from './value-size.ts';

/** What a Wishart distribution and its inverse have in common. */
export const ofScale = {
  params: { df: positive, scale: squareMatrix },
  values: covariances,
  dims: ({ scale }: { scale: Tensor }) => givenDims(scale),
  /** The Cholesky factor of `scale`; undefined (and refused by `check`) if it has none. */
  prepare: ({ scale }: { scale: Tensor }) => cholesky(scale.data, scale.dims[0]) as Float64Array,
};

/** What the parameters of both have to be. */
export function checkScale({ df, scale }: { df: number; scale: Tensor }, factor: Float64Array): string | undefined {
  const n = scale.dims[0];
  if (df <= n - 1) return `df must be greater than ${n - 1} for a scale of ${n} rows, got ${df}`;
  const problem = notACovariance(scale.data, n, factor);
  return problem && `scale ${problem}`;
}

/** The logarithm of the multivariate gamma function of n dimensions, at half the degrees of freedom. */
export function logMultiGamma(df: number, n: number): number {
  let sum = 0.25 * n * (n - 1) * Math.log(Math.PI);
  for (let i = 0; i < n; i++) sum += logGamma(0.5 * (df - i));
  return sum;
}

/** For each element of a matrix the product of the two elements of the diagonal in its row and its column. */
export function endProducts({ data, dims: [n] }: Tensor): Float64Array {
  return data.map((_, at) => data[Math.floor(at / n) * (n + 1)] * data[(at % n) * (n + 1)]);
}

/** The sum of `df` outer products of draws from MultivariateGaussian(0, scale); `df` need not be whole. */
export const Wishart = family(
  { name: 'Wishart', ...ofScale },
  {
    check: checkScale,
    draw({ df, scale }, random, factor) {
      // Bartlett's decomposition: a triangle of normals with roots of chi-squares on its diagonal.
      const n = scale.dims[0];
      const a = new Float64Array(n * n);
      for (let i = 0; i < n; i++) {
        for (let j = 0; j < i; j++) a[i * n + j] = random.gaussian();
        a[i * n + i] = Math.exp(0.5 * (drawLogGamma(0.5 * (df - i), random) + Math.LN2));
      }
      const root = new Float64Array(n * n);
      for (let i = 0; i < n; i++) {
        for (let j = 0; j <= i; j++) {
          let sum = 0;
          for (let k = j; k <= i; k++) sum += factor[i * n + k] * a[k * n + j];
          root[i * n + j] = sum;
        }
      }
      return new Tensor(scale.dims, withFactor(timesOwnTranspose(root, n), n));
    },
    score({ df, scale }, x, factor) {
      const n = scale.dims[0];
      if (x.dims[0] !== n || !isSymmetric(x.data, n)) return -Infinity;
      const root = cholesky(x.data, n);
      if (root === undefined) return -Infinity;
      // The trace of scale⁻¹ x.
      const trace = squaresOfSolution(factor, n, root);
      return (
        0.5 * ((df - n - 1) * logDeterminant(root, n) - trace - df * n * Math.LN2 - df * logDeterminant(factor, n)) -
        logMultiGamma(df, n)
      );
    },
    mean: ({ df, scale }) =>
      new Tensor(
        scale.dims,
        scale.data.map((s) => df * s),
      ),
    variance({ df, scale }) {
      const ends = endProducts(scale);
      return new Tensor(
        scale.dims,
        scale.data.map((value, at) => df * (value * value + ends[at])),
      );
    },
  },
);

/** With few degrees of freedom a draw may be singular once it is rounded: its diagonal is raised by as little as helps. */
function withFactor(matrix: Float64Array, n: number): Float64Array {
  for (let raise = Number.EPSILON; raise < 1 && cholesky(matrix, n) === undefined; raise *= 2) {
    for (let i = 0; i < n; i++) matrix[i * n + i] *= 1 + raise;
  }
  return matrix;
}

/** L Lᵀ, exactly symmetric. */
function timesOwnTranspose(l: Float64Array, n: number): Float64Array {
  const product = new Float64Array(n * n);
  for (let i = 0; i < n; i++) {
    for (let j = 0; j <= i; j++) {
      let sum = 0;
      for (let k = 0; k <= j; k++) sum += l[i * n + k] * l[j * n + k];
      product[i * n + j] = sum;
      product[j * n + i] = sum;
    }
  }
  return product;
}
