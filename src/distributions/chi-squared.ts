import { digamma, logGamma } from '../tensor/special/gamma.ts';
import { gammaP, gammaPInverse, gammaQ } from '../tensor/special/incomplete-gamma.ts';
import { drawLogGamma, positiveExp } from './draws/gamma.ts';
import { family } from './family.ts';
import { positive } from './parameter.ts';
import { reals } from './value-kind.ts';

/** The sum of `df` squared standard normals; `df` need not be whole. */
export const ChiSquared = family(
  { name: 'ChiSquared', params: { df: positive }, values: reals },
  {
    draw: ({ df }, random) => positiveExp(drawLogGamma(0.5 * df, random) + Math.LN2),
    score({ df }, x) {
      if (x <= 0) return -Infinity;
      return (0.5 * df - 1) * Math.log(x) - 0.5 * x - logGamma(0.5 * df) - 0.5 * df * Math.LN2;
    },
    support: () => ({ lower: 0, upper: Infinity }),
    mean: ({ df }) => df,
    variance: ({ df }) => 2 * df,
    entropy: ({ df }) => 0.5 * df + Math.LN2 + logGamma(0.5 * df) + (1 - 0.5 * df) * digamma(0.5 * df),
    cdf: ({ df }, x) => gammaP(0.5 * df, 0.5 * x),
    survival: ({ df }, x) => (x <= 0 ? 1 : gammaQ(0.5 * df, 0.5 * x)),
    quantile: ({ df }, p) => 2 * gammaPInverse(0.5 * df, p),
  },
);
