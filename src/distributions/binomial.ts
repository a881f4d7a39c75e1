import { logChoose } from '../tensor/special/gamma.ts';
import { betaI } from '../tensor/special/incomplete-beta.ts';
import { drawBinomial } from './draws/binomial.ts';
import { family } from './family.ts';
import { wholeNumbersBelow } from './listable.ts';
import { integerFrom, probability } from './parameter.ts';
import { wholeNumbers } from './value-kind.ts';
import { wholeQuantile } from './whole-quantile.ts';

/** Number of successes in `n` trials that each succeed with probability `p`. */
export const Binomial = family(
  { name: 'Binomial', params: { p: probability, n: integerFrom(0) }, values: wholeNumbers },
  {
    draw: ({ p, n }, random) => drawBinomial(p, n, random),
    score({ p, n }, k) {
      if (k < 0 || k > n) return -Infinity;
      const successes = k === 0 ? 0 : k * Math.log(p);
      const failures = k === n ? 0 : (n - k) * Math.log1p(-p);
      return logChoose(n, k) + successes + failures;
    },
    support: ({ n }): readonly number[] => wholeNumbersBelow(n + 1, 'Binomial'),
    mean: ({ p, n }) => n * p,
    variance: ({ p, n }) => n * p * (1 - p),
    cdf: ({ p, n }, x) => atMost(p, n, x),
    quantile: ({ p, n }, probability) => wholeQuantile((k) => atMost(p, n, k), probability, n * p, n),
  },
);

function atMost(p: number, n: number, x: number): number {
  const k = Math.floor(x);
  if (k < 0 || k >= n) return k < 0 ? 0 : 1;
  // The form whose argument is the smaller one keeps its digits.
  return p < 0.5 ? 1 - betaI(k + 1, n - k, p) : betaI(n - k, k + 1, 1 - p);
}
