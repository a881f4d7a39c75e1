import { logGamma } from '../tensor/special/gamma.ts';
import { Tensor } from '../tensor/tensor.ts';
import { cholesky, logDeterminant, notACovarianceOf } from './cholesky.ts';
import { drawLogGamma } from './draws/gamma.ts';
import { family } from './family.ts';
import { elementsOf, positive, realVector, squareMatrix } from './parameter.ts';
import { vectors } from './value-kind.ts';
import { givenDims } from './value-size.ts';
import { coloured, squaredDistance, standardNormals } from './whitened.ts';

/** A vector about `mu` with heavier tails than a Gaussian's, the fewer degrees of freedom `df`; `scale` is like a covariance. */
export const MultivariateStudentT = family(
  {
    name: 'MultivariateStudentT',
    params: { df: positive, mu: realVector, scale: squareMatrix },
    values: vectors,
    dims: ({ mu }) => givenDims(mu),
    /** The Cholesky factor of `scale`; undefined (and refused by `check`) if it has none. */
    prepare: ({ scale }) => cholesky(scale.data, scale.dims[0]) as Float64Array,
  },
  {
    check: ({ mu, scale }, factor) => notACovarianceOf(mu, 'scale', scale, factor),
    draw({ df, mu }, random, factor) {
      const noise = standardNormals(mu.length, random);
      const spread = Math.exp(0.5 * (Math.log(0.5 * df) - drawLogGamma(0.5 * df, random)));
      return coloured(factor, mu, noise, spread);
    },
    score({ df, mu }, value, factor) {
      const x = elementsOf(value)!;
      const n = mu.length;
      if (x.length !== n) return -Infinity;
      return (
        logGamma(0.5 * (df + n)) -
        logGamma(0.5 * df) -
        0.5 * (n * Math.log(Math.PI * df) + logDeterminant(factor, n)) -
        0.5 * (df + n) * Math.log1p(squaredDistance(factor, mu, x) / df)
      );
    },
    mean: ({ df, mu }) => (df > 1 ? mu : new Tensor(mu.dims, new Float64Array(mu.length).fill(Number.NaN))),
    variance({ df, mu, scale }) {
      const factor = df > 2 ? df / (df - 2) : df > 1 ? Infinity : Number.NaN;
      return new Tensor(
        mu.dims,
        mu.data.map((_, i) => factor * scale.data[i * (mu.length + 1)]),
      );
    },
  },
);
