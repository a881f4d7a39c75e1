import { TooManyValues } from '../runtime/too-many-values.ts';
import { logChoose, logFactorial } from '../tensor/special/gamma.ts';
import { drawBinomial } from './draws/binomial.ts';
import { totalOf } from './draws/weights.ts';
import { family } from './family.ts';
import { MOST_OBJECTS } from './listable.ts';
import { elementsOf, integerFrom, weights } from './parameter.ts';
import { countArrays } from './value-kind.ts';

/** How often each outcome occurs in `n` draws of Discrete(ps): an array of counts. */
export const Multinomial = family(
  {
    name: 'Multinomial',
    params: { ps: weights, n: integerFrom(0) },
    values: countArrays,
    prepare: ({ ps }) => normalised(elementsOf(ps)!),
  },
  {
    draw({ n }, random, ps) {
      const counts = new Array<number>(ps.length).fill(0);
      let left = n;
      let rest = 1;
      for (let i = 0; i < ps.length - 1 && left > 0; i++) {
        counts[i] = drawBinomial(rest > 0 ? Math.min(1, ps[i] / rest) : 1, left, random);
        left -= counts[i];
        rest -= ps[i];
      }
      if (left > 0) counts[lastPositive(ps)] += left;
      return counts;
    },
    score({ n }, value, ps) {
      const x = elementsOf(value)!;
      if (x.length !== ps.length) return -Infinity;
      let total = 0;
      let score = logFactorial(n);
      for (let i = 0; i < x.length; i++) {
        if (!Number.isInteger(x[i]) || x[i] < 0) return -Infinity;
        if (x[i] === 0) continue;
        total += x[i];
        score += x[i] * Math.log(ps[i]) - logFactorial(x[i]);
      }
      return total === n ? score : -Infinity;
    },
    support({ n }, ps): readonly number[][] {
      if (logChoose(n + ps.length - 1, n) > Math.log(MOST_OBJECTS)) {
        throw new TooManyValues('Multinomial', `more than ${MOST_OBJECTS}`);
      }
      return compositions(n, ps.length);
    },
    mean: ({ n }, ps) => Array.from(ps, (p) => n * p),
    variance: ({ n }, ps) => Array.from(ps, (p) => n * p * (1 - p)),
  },
);

function normalised(ps: ArrayLike<number>): Float64Array {
  const total = totalOf(ps);
  return Float64Array.from(ps, (p) => p / total);
}

/** Rounding may leave something for the end, which must not fall on an impossible outcome. */
function lastPositive(ps: Float64Array): number {
  let last = ps.length - 1;
  while (ps[last] === 0) last--;
  return last;
}

/** All arrays of `parts` counts that add up to n. */
function compositions(n: number, parts: number): number[][] {
  if (parts === 1) return [[n]];
  const all: number[][] = [];
  for (let first = n; first >= 0; first--) {
    for (const rest of compositions(n - first, parts - 1)) all.push([first, ...rest]);
  }
  return all;
}
