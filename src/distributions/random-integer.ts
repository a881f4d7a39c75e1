import { family } from './family.ts';
import { wholeNumbersBelow } from './listable.ts';
import { integerFrom } from './parameter.ts';
import { wholeNumbers } from './value-kind.ts';
import { countOf } from './value-size.ts';

/** Every whole number from 0 to `n` − 1 alike. */
export const RandomInteger = family(
  { name: 'RandomInteger', params: { n: integerFrom(1) }, values: wholeNumbers, count: ({ n }) => countOf(n) },
  {
    draw: ({ n }, random) => random.integer(n),
    score: ({ n }, k) => (k < 0 || k >= n ? -Infinity : -Math.log(n)),
    support: ({ n }): readonly number[] => wholeNumbersBelow(n, 'RandomInteger'),
    uniform: true,
    mean: ({ n }) => (n - 1) / 2,
    variance: ({ n }) => (n * n - 1) / 12,
    entropy: ({ n }) => Math.log(n),
    cdf: ({ n }, x) => Math.min(1, Math.max(0, Math.floor(x) + 1) / n),
    quantile: ({ n }, p) => Math.max(0, Math.ceil(p * n * (1 - 1e-15)) - 1),
  },
);
