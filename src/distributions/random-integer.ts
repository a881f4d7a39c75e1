import { family } from './family.ts';
import { integerFrom } from './parameter.ts';
import { wholeNumbers } from './value-kind.ts';

/** By a plain loop, because enumeration asks at every visit of a choice. */
function below(n: number): number[] {
  const numbers: number[] = [];
  for (let k = 0; k < n; k++) numbers.push(k);
  return numbers;
}

/** Every whole number from 0 to `n` − 1 alike. */
export const RandomInteger = family(
  { name: 'RandomInteger', params: { n: integerFrom(1) }, values: wholeNumbers },
  {
    draw: ({ n }, random) => random.integer(n),
    score: ({ n }, k) => (k < 0 || k >= n ? -Infinity : -Math.log(n)),
    support: ({ n }): readonly number[] => below(n),
    uniform: true,
    mean: ({ n }) => (n - 1) / 2,
    variance: ({ n }) => (n * n - 1) / 12,
    entropy: ({ n }) => Math.log(n),
    cdf: ({ n }, x) => Math.min(1, Math.max(0, Math.floor(x) + 1) / n),
    quantile: ({ n }, p) => Math.max(0, Math.ceil(p * n * (1 - 1e-15)) - 1),
  },
);
