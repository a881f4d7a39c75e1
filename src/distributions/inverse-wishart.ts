import { Tensor } from '../tensor/tensor.ts';
import { cholesky, inverseOf, isSymmetric, logDeterminant, squaresOfSolution } from './cholesky.ts';
import { family } from './family.ts';
import { checkScale, endProducts, logMultiGamma, ofScale, Wishart } from './wishart.ts';

/** A covariance matrix whose inverse is drawn from Wishart(df, the inverse of `scale`). */
export const InverseWishart = family(
  { name: 'InverseWishart', ...ofScale },
  {
    check: checkScale,
    draw({ df, scale }, random, factor) {
      const n = scale.dims[0];
      const precision = Wishart({ df, scale: new Tensor(scale.dims, inverseOf(factor, n)) }).draw(random);
      return new Tensor(scale.dims, inverseOf(cholesky(precision.data, n)!, n));
    },
    score({ df, scale }, x, factor) {
      const n = scale.dims[0];
      if (x.dims[0] !== n || !isSymmetric(x.data, n)) return -Infinity;
      const root = cholesky(x.data, n);
      if (root === undefined) return -Infinity;
      // The trace of scale x⁻¹.
      const trace = squaresOfSolution(root, n, factor);
      const spread = df * logDeterminant(factor, n) - (df + n + 1) * logDeterminant(root, n);
      return 0.5 * (spread - trace - df * n * Math.LN2) - logMultiGamma(df, n);
    },
    mean({ df, scale }) {
      const left = df - scale.dims[0] - 1;
      return new Tensor(
        scale.dims,
        scale.data.map((s) => (left > 0 ? s / left : Number.NaN)),
      );
    },
    variance({ df, scale }) {
      const left = df - scale.dims[0];
      const ends = endProducts(scale);
      const under = left * (left - 1) ** 2 * (left - 3);
      const variances = scale.data.map((value, at) => ((left + 1) * value * value + (left - 1) * ends[at]) / under);
      return new Tensor(
        scale.dims,
        variances.map((v) => (left > 3 ? v : left > 1 ? Infinity : Number.NaN)),
      );
    },
  },
);
