import { logAddExp } from '../tensor/special/exponentials.ts';
import { digamma, logBeta } from '../tensor/special/gamma.ts';
import { betaI, betaIInverse } from '../tensor/special/incomplete-beta.ts';
import { drawLogGamma } from './draws/gamma.ts';
import { family } from './family.ts';
import { positive } from './parameter.ts';
import { reals } from './value-kind.ts';

const BELOW_ONE = 1 - 2 ** -53;

/** The share of the first of two positive numbers, given their logarithms: strictly between 0 and 1. */
export function shareOf(first: number, second: number): number {
  const x = Math.exp(first - logAddExp(first, second));
  return Math.min(Math.max(x, Number.MIN_VALUE), BELOW_ONE);
}

/** A probability, as believed after `a` − 1 successes and `b` − 1 failures. */
export const Beta = family(
  { name: 'Beta', params: { a: positive, b: positive }, values: reals },
  {
    draw({ a, b }, random) {
      const successes = drawLogGamma(a, random);
      const failures = drawLogGamma(b, random);
      return shareOf(successes, failures);
    },
    score({ a, b }, x) {
      if (x <= 0 || x >= 1) return -Infinity;
      return (a - 1) * Math.log(x) + (b - 1) * Math.log1p(-x) - logBeta(a, b);
    },
    support: () => ({ lower: 0, upper: 1 }),
    mean: ({ a, b }) => a / (a + b),
    variance: ({ a, b }) => ((a / (a + b)) * (b / (a + b))) / (a + b + 1),
    entropy: ({ a, b }) => logBeta(a, b) - (a - 1) * digamma(a) - (b - 1) * digamma(b) + (a + b - 2) * digamma(a + b),
    cdf: ({ a, b }, x) => betaI(a, b, x),
    // The form whose argument keeps its digits.
    survival: ({ a, b }, x) => (x < 0.5 ? 1 - betaI(a, b, x) : betaI(b, a, 1 - x)),
    quantile: ({ a, b }, p) => betaIInverse(a, b, p),
  },
);
