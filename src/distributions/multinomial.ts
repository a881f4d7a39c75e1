import { logFactorial } from '../tensor/special/gamma.ts';
import { allCounts, areCounts, countOfCounts, drawCounts } from './counts.ts';
import { totalOf } from './draws/weights.ts';
import { family } from './family.ts';
import { elementsOf, integerFrom, weights } from './parameter.ts';
import { countArrays } from './value-kind.ts';
import { countOf, givenDims } from './value-size.ts';

/** How often each outcome occurs in `n` draws of Discrete(ps): an array of counts. */
export const Multinomial = family(
  {
    name: 'Multinomial',
    params: { ps: weights, n: integerFrom(0) },
    values: countArrays,
    dims: ({ ps }) => givenDims(ps),
    count: ({ ps, n }) => countOfCounts(n, countOf(ps)),
    prepare: ({ ps }) => normalised(elementsOf(ps)!),
  },
  {
    draw: ({ n }, random, ps) => drawCounts(ps, n, random),
    score({ n }, value, ps) {
      const x = elementsOf(value)!;
      if (!areCounts(x, ps.length, n)) return -Infinity;
      let score = logFactorial(n);
      for (let i = 0; i < x.length; i++) if (x[i] > 0) score += x[i] * Math.log(ps[i]) - logFactorial(x[i]);
      return score;
    },
    support: ({ n }, ps): readonly number[][] => allCounts(n, ps.length, 'Multinomial'),
    mean: ({ n }, ps) => Array.from(ps, (p) => n * p),
    variance: ({ n }, ps) => Array.from(ps, (p) => n * p * (1 - p)),
  },
);

function normalised(ps: ArrayLike<number>): Float64Array {
  const total = totalOf(ps);
  return Float64Array.from(ps, (p) => p / total);
}
