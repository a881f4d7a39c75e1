import { logGamma } from '../tensor/special/gamma.ts';
import { Tensor } from '../tensor/tensor.ts';
import { drawLogGamma } from './draws/gamma.ts';
import { family } from './family.ts';
import { integerFrom, positive } from './parameter.ts';
import { correlationFactors } from './value-kind.ts';
import { knownDims } from './value-size.ts';

/** Rows of length 1 to within the digits data is written with. */
const TOLERANCE = 1e-6;

/**
 * The Cholesky factor of a `dim` × `dim` correlation matrix R whose density is in proportion to det(R) to the power
 * `eta` − 1: all alike for 1, closer to the identity the larger `eta` (Lewandowski, Kurowicka & Joe, 2009).
 *
 * Its rows are independent: row k (from 1) has k − 1 free elements x, and its density is in proportion to
 * (1 − |x|²) to the power m(k) = eta − 1 + (dim − k) / 2, a beta distribution for |x|² and no preferred direction.
 */
export const LKJCholesky = family(
  {
    name: 'LKJCholesky',
    params: { dim: integerFrom(2), eta: positive },
    values: correlationFactors,
    dims: ({ dim }) => knownDims([dim, dim]),
  },
  {
    draw({ dim, eta }, random) {
      const l = new Float64Array(dim * dim);
      l[0] = 1;
      for (let k = 2; k <= dim; k++) {
        const row = (k - 1) * dim;
        const inside = drawLogGamma(0.5 * (k - 1), random);
        const outside = drawLogGamma(power(dim, eta, k) + 1, random);
        const logTotal = Math.max(inside, outside) + Math.log1p(Math.exp(-Math.abs(inside - outside)));
        let squares = 0;
        for (let j = 0; j < k - 1; j++) {
          l[row + j] = random.gaussian();
          squares += l[row + j] * l[row + j];
        }
        const scale = Math.exp(0.5 * (inside - logTotal)) / Math.sqrt(squares);
        for (let j = 0; j < k - 1; j++) l[row + j] *= scale;
        l[row + k - 1] = Math.exp(0.5 * (outside - logTotal));
      }
      return new Tensor([dim, dim], l);
    },
    score({ dim, eta }, x) {
      if (x.dims[0] !== dim || !isFactor(x.data, dim)) return -Infinity;
      let score = 0;
      for (let k = 2; k <= dim; k++) {
        const m = power(dim, eta, k);
        // The integral of (1 − |x|²)ᵐ over the unit ball of d dimensions is π^(d/2) Γ(m + 1) / Γ(m + 1 + d/2).
        const half = 0.5 * (k - 1);
        const logNormaliser = half * Math.log(Math.PI) + logGamma(m + 1) - logGamma(m + 1 + half);
        score += 2 * m * Math.log(x.data[(k - 1) * (dim + 1)]) - logNormaliser;
      }
      return score;
    },
  },
);

function power(dim: number, eta: number, k: number): number {
  return eta - 1 + 0.5 * (dim - k);
}

/** Whether L is lower-triangular with a positive diagonal and rows of length 1. */
function isFactor(l: Float64Array, n: number): boolean {
  for (let i = 0; i < n; i++) {
    let squares = 0;
    for (let j = 0; j < n; j++) {
      if (j > i && l[i * n + j] !== 0) return false;
      squares += l[i * n + j] * l[i * n + j];
    }
    if (!(l[i * n + i] > 0) || Math.abs(squares - 1) > TOLERANCE) return false;
  }
  return true;
}
