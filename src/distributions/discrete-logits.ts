import { logSumExp } from '../tensor/special/exponentials.ts';
import { listedCdf, listedQuantile } from './closed-forms/listed-cdf.ts';
import { drawIndex, totalOf } from './draws/weights.ts';
import { family } from './family.ts';
import { realVector } from './parameter.ts';
import { wholeNumbers } from './value-kind.ts';

/** A whole number from 0, in proportion to the exponentials of `logits`. */
export const DiscreteLogits = family(
  {
    name: 'DiscreteLogits',
    params: { logits: realVector },
    values: wholeNumbers,
    prepare({ logits }) {
      const total = logSumExp(logits.data);
      return { logs: logits.data.map((logit) => logit - total) };
    },
  },
  {
    draw(_, random, { logs }) {
      const ps = logs.map(Math.exp);
      return drawIndex(ps, totalOf(ps), random);
    },
    score: (_, k, { logs }) => (k < 0 || k >= logs.length ? -Infinity : logs[k]),
    support: (_, { logs }): readonly number[] => Array.from(logs, (_log, k) => k),
    mean: (_, { logs }) => moment(logs, 0, 1),
    variance: (_, { logs }) => moment(logs, moment(logs, 0, 1), 2),
    cdf: (_, x, { logs }) => listedCdf(logs.length - 1, (k) => logs[k], x),
    quantile: (_, p, { logs }) => listedQuantile(logs.length - 1, (k) => logs[k], p),
  },
);

/** The mean of (k − centre) to the power. */
function moment(logs: Float64Array, centre: number, power: number): number {
  return logs.reduce((sum, log, k) => sum + Math.exp(log) * (k - centre) ** power, 0);
}
