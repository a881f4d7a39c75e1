import { digamma, logBeta } from '../tensor/special/gamma.ts';
import { betaI, betaIInverse } from '../tensor/special/incomplete-beta.ts';
import { drawLogGamma } from './draws/gamma.ts';
import { family } from './family.ts';
import { positive, real } from './parameter.ts';
import { reals } from './value-kind.ts';

/** A Gaussian of uncertain spread: the fewer degrees of freedom `df`, the heavier the tails. */
export const StudentT = family(
  { name: 'StudentT', params: { df: positive, location: real, scale: positive }, values: reals },
  {
    draw({ df, location, scale }, random) {
      const z = random.gaussian();
      const logSpread = 0.5 * (Math.log(0.5 * df) - drawLogGamma(0.5 * df, random));
      const x = location + scale * z * Math.exp(logSpread);
      return Math.min(Math.max(x, -Number.MAX_VALUE), Number.MAX_VALUE);
    },
    score({ df, location, scale }, x) {
      const z = (x - location) / scale;
      return -0.5 * (df + 1) * Math.log1p((z * z) / df) - 0.5 * Math.log(df) - logBeta(0.5, 0.5 * df) - Math.log(scale);
    },
    support: () => ({ lower: -Infinity, upper: Infinity }),
    mean: ({ df, location }) => (df > 1 ? location : Number.NaN),
    variance({ df, scale }) {
      if (df > 2) return (scale * scale * df) / (df - 2);
      return df > 1 ? Infinity : Number.NaN;
    },
    entropy({ df, scale }) {
      const half = 0.5 * (df + 1);
      return half * (digamma(half) - digamma(0.5 * df)) + 0.5 * Math.log(df) + logBeta(0.5, 0.5 * df) + Math.log(scale);
    },
    cdf: ({ df, location, scale }, x) => atMost(df, (x - location) / scale),
    survival: ({ df, location, scale }, x) => atMost(df, (location - x) / scale),
    quantile({ df, location, scale }, p) {
      if (p === 0.5) return location;
      const tail = 2 * Math.min(p, 1 - p);
      const x = betaIInverse(0.5 * df, 0.5, tail);
      // Near the centre x is almost 1, and what is missing to 1 must be solved for itself.
      const z =
        x < 0.5 ? Math.sqrt((df * (1 - x)) / x) : Math.sqrt(df / (1 / betaIInverse(0.5, 0.5 * df, 1 - tail) - 1));
      return location + scale * (p < 0.5 ? -z : z);
    },
  },
);

/** P(Z ≤ z) where location is 0 and scale 1. */
function atMost(df: number, z: number): number {
  const square = z * z;
  // Of the two forms of the same function, each is used where its argument keeps its digits.
  const tail =
    square < df
      ? 0.5 - 0.5 * betaI(0.5, 0.5 * df, square / (df + square))
      : 0.5 * betaI(0.5 * df, 0.5, df / (df + square));
  return z < 0 ? tail : 1 - tail;
}
