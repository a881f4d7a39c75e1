import { logSumExp } from '../tensor/special/exponentials.ts';
import { listedCdf, listedQuantile } from './closed-forms/listed-cdf.ts';
import { type Listed, listedMean, listedVariance } from './closed-forms/listed-moments.ts';
import { drawIndex, totalOf } from './draws/weights.ts';
import { family } from './family.ts';
import { realVector } from './parameter.ts';
import { wholeNumbers } from './value-kind.ts';
import { countOf } from './value-size.ts';

/** A whole number from 0, in proportion to the exponentials of `logits`. */
export const DiscreteLogits = family(
  {
    name: 'DiscreteLogits',
    params: { logits: realVector },
    values: wholeNumbers,
    count: ({ logits }) => countOf(logits),
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
    mean: (_, { logs }) => listedMean(placesOf(logs)),
    variance: (_, { logs }) => listedVariance(placesOf(logs)),
    cdf: (_, x, { logs }) => listedCdf(logs.length - 1, (k) => logs[k], x),
    quantile: (_, p, { logs }) => listedQuantile(logs.length - 1, (k) => logs[k], p),
  },
);

const placesOf = (logs: Float64Array): Listed => ({ first: 0, last: logs.length - 1, score: (k) => logs[k] });
