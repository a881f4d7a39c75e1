import { lifting } from '../runtime/lifting.ts';
import { isVector } from '../tensor/tensor.ts';
import { alternatives } from './alternatives.ts';
import { DiscreteLogits } from './discrete-logits.ts';
import { drawIndex, totalOf } from './draws/weights.ts';
import { family } from './family.ts';
import { elementsOf, type Numbers, weights } from './parameter.ts';
import { wholeNumbers } from './value-kind.ts';
import { countOf } from './value-size.ts';

const byWeights = family(
  {
    name: 'Discrete',
    params: { ps: weights },
    values: wholeNumbers,
    count: ({ ps }) => countOf(ps),
    prepare({ ps }) {
      const numbers = elementsOf(ps)!;
      return { weights: numbers, total: totalOf(numbers) };
    },
  },
  {
    draw: (_, random, { weights, total }) => drawIndex(weights, total, random),
    score: (_, k, { weights, total }) => (k < 0 || k >= weights.length ? -Infinity : Math.log(weights[k] / total)),
    support: (_, { weights }): readonly number[] => Array.from(weights, (_weight, k) => k),
    mean: (_, { weights, total }) => moment(weights, total, 0, 1),
    variance: (_, { weights, total }) => moment(weights, total, moment(weights, total, 0, 1), 2),
    cdf(_, x, { weights, total }) {
      let sum = 0;
      for (let k = 0; k < weights.length && k <= x; k++) sum += weights[k];
      return Math.min(1, sum / total);
    },
    quantile(_, p, { weights, total }) {
      let sum = 0;
      let last = 0;
      for (let k = 0; k < weights.length; k++) {
        if (weights[k] === 0) continue;
        last = k;
        sum += weights[k];
        if (sum >= p * total * (1 - 1e-14)) break;
      }
      return last;
    },
  },
);

const named = alternatives(byWeights, { logits: DiscreteLogits });

type Given = { ps: Numbers } | { logits: Numbers } | Numbers;

/**
 * A whole number from 0, in proportion to the numbers in `ps`, which need not add up to 1. The array or vector may be
 * given by itself, as the paper does: `Discrete(simplex(output))`. In place of `ps` their logarithms may be given, as `logits`.
 */
export const Discrete = Object.assign(
  (params: Given, ...rest: unknown[]) =>
    (named as (params: { ps: Numbers }, ...rest: unknown[]) => ReturnType<typeof byWeights>)(
      (isNumbers(params) ? { ps: params } : params) as { ps: Numbers },
      ...rest,
    ),
  { family: named.family },
);

function isNumbers(params: Given): params is Numbers {
  return Array.isArray(params) || isVector(params) || lifting.current?.isLifted(params) === true;
}

/** The mean of (k − centre) to the power. */
function moment(weights: ArrayLike<number>, total: number, centre: number, power: number): number {
  let sum = 0;
  for (let k = 0; k < weights.length; k++) sum += (weights[k] / total) * (k - centre) ** power;
  return sum;
}
