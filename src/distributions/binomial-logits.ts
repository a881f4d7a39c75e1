import { sigmoid, softplus } from '../tensor/special/exponentials.ts';
import { logChoose } from '../tensor/special/gamma.ts';
import { binomialCdf } from './closed-forms/binomial-cdf.ts';
import { drawBinomial } from './draws/binomial.ts';
import { family } from './family.ts';
import { wholeNumbersBelow } from './listable.ts';
import { integerFrom, real } from './parameter.ts';
import { wholeNumbers } from './value-kind.ts';
import { countOf } from './value-size.ts';
import { wholeQuantile } from './whole-quantile.ts';

/** Number of successes in `n` trials whose log-odds are `logits`. */
export const BinomialLogits = family(
  {
    name: 'BinomialLogits',
    params: { logits: real, n: integerFrom(0) },
    values: wholeNumbers,
    count: ({ n }) => countOf(n, 1),
  },
  {
    draw: ({ logits, n }, random) => drawBinomial(sigmoid(logits), n, random),
    score({ logits, n }, k) {
      if (k < 0 || k > n) return -Infinity;
      return logChoose(n, k) - k * softplus(-logits) - (n - k) * softplus(logits);
    },
    support: ({ n }): readonly number[] => wholeNumbersBelow(n + 1, 'BinomialLogits'),
    mean: ({ logits, n }) => n * sigmoid(logits),
    variance: ({ logits, n }) => n * sigmoid(logits) * sigmoid(-logits),
    cdf: ({ logits, n }, x) => binomialCdf(sigmoid(logits), n, x),
    quantile: ({ logits, n }, p) => wholeQuantile((k) => binomialCdf(sigmoid(logits), n, k), p, n * sigmoid(logits), n),
  },
);
