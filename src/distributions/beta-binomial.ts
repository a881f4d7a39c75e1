import { logAddExp } from '../tensor/special/exponentials.ts';
import { logBeta, logChoose } from '../tensor/special/gamma.ts';
import { listedCdf, listedQuantile } from './closed-forms/listed-cdf.ts';
import { drawBinomial } from './draws/binomial.ts';
import { drawLogGamma } from './draws/gamma.ts';
import { family } from './family.ts';
import { wholeNumbersBelow } from './listable.ts';
import { integerFrom, positive } from './parameter.ts';
import { wholeNumbers } from './value-kind.ts';
import { countOf } from './value-size.ts';

/** Number of successes in `n` trials whose common probability is drawn from Beta(a, b): counts that vary more than Binomial. */
export const BetaBinomial = family(
  {
    name: 'BetaBinomial',
    params: { a: positive, b: positive, n: integerFrom(0) },
    values: wholeNumbers,
    count: ({ n }) => countOf(n, 1),
  },
  {
    draw({ a, b, n }, random) {
      const successes = drawLogGamma(a, random);
      const failures = drawLogGamma(b, random);
      const p = Math.exp(successes - logAddExp(successes, failures));
      // With parameters this small all trials end alike.
      if (Number.isNaN(p)) return random.uniform() * (a + b) < a ? n : 0;
      return drawBinomial(Math.min(1, p), n, random);
    },
    score({ a, b, n }, k) {
      if (k < 0 || k > n) return -Infinity;
      return scoreOf(a, b, n, k);
    },
    support: ({ n }): readonly number[] => wholeNumbersBelow(n + 1, 'BetaBinomial'),
    mean: ({ a, b, n }) => (n * a) / (a + b),
    variance: ({ a, b, n }) => (n * (a / (a + b)) * (b / (a + b)) * (a + b + n)) / (a + b + 1),
    cdf: ({ a, b, n }, x) => listedCdf(n, (k) => scoreOf(a, b, n, k), x),
    quantile: ({ a, b, n }, p) => listedQuantile(n, (k) => scoreOf(a, b, n, k), p),
  },
);

function scoreOf(a: number, b: number, n: number, k: number): number {
  return logChoose(n, k) + logBeta(k + a, n - k + b) - logBeta(a, b);
}
