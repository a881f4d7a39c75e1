import { logFactorial, logGamma } from '../tensor/special/gamma.ts';
import { allCounts, areCounts, countOfCounts, drawCounts } from './counts.ts';
import { drawLogGamma } from './draws/gamma.ts';
import { totalOf } from './draws/weights.ts';
import { family } from './family.ts';
import { elementsOf, integerFrom, positiveVector } from './parameter.ts';
import { simplexFromLogs } from './simplex.ts';
import { countArrays } from './value-kind.ts';
import { countOf, givenDims } from './value-size.ts';

/** Counts of `n` draws whose common probabilities are drawn from Dirichlet(alpha): they vary more than those of Multinomial. */
export const DirichletMultinomial = family(
  {
    name: 'DirichletMultinomial',
    params: { alpha: positiveVector, n: integerFrom(0) },
    values: countArrays,
    dims: ({ alpha }) => givenDims(alpha),
    count: ({ alpha, n }) => countOfCounts(n, countOf(alpha)),
  },
  {
    draw({ alpha, n }, random) {
      const logs = new Float64Array(alpha.length);
      for (let i = 0; i < logs.length; i++) logs[i] = drawLogGamma(alpha.data[i], random);
      return drawCounts(simplexFromLogs(logs).data as Float64Array, n, random);
    },
    score({ alpha, n }, value) {
      const x = elementsOf(value)!;
      if (!areCounts(x, alpha.length, n)) return -Infinity;
      const total = totalOf(alpha.data);
      let score = logFactorial(n) + logGamma(total) - logGamma(total + n);
      for (let i = 0; i < x.length; i++) {
        if (x[i] > 0) score += logGamma(alpha.data[i] + x[i]) - logGamma(alpha.data[i]) - logFactorial(x[i]);
      }
      return score;
    },
    support: ({ alpha, n }): readonly number[][] => allCounts(n, alpha.length, 'DirichletMultinomial'),
    mean({ alpha, n }) {
      const total = totalOf(alpha.data);
      return Array.from(alpha.data, (a) => (n * a) / total);
    },
    variance({ alpha, n }) {
      const total = totalOf(alpha.data);
      return Array.from(alpha.data, (a) => (n * (a / total) * (1 - a / total) * (n + total)) / (1 + total));
    },
  },
);
