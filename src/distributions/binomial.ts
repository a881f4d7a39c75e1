import { logChoose } from '../tensor/special/gamma.ts';
import { alternatives } from './alternatives.ts';
import { BinomialLogits } from './binomial-logits.ts';
import { binomialCdf } from './closed-forms/binomial-cdf.ts';
import { drawBinomial } from './draws/binomial.ts';
import { family } from './family.ts';
import { wholeNumbersBelow } from './listable.ts';
import { integerFrom, probability } from './parameter.ts';
import { wholeNumbers } from './value-kind.ts';
import { countOf } from './value-size.ts';
import { wholeQuantile } from './whole-quantile.ts';

const byProbability = family(
  {
    name: 'Binomial',
    params: { p: probability, n: integerFrom(0) },
    values: wholeNumbers,
    count: ({ n }) => countOf(n, 1),
  },
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
    cdf: ({ p, n }, x) => binomialCdf(p, n, x),
    quantile: ({ p, n }, probability) => wholeQuantile((k) => binomialCdf(p, n, k), probability, n * p, n),
  },
);

/** Number of successes in `n` trials that each succeed with probability `p`. In place of `p` its log-odds may be given, as `logits`. */
export const Binomial = alternatives(byProbability, { logits: BinomialLogits });
