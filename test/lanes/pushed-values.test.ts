/** Values other than numbers that differ, put into a list of each lane's own: once, and not once for each value. */
import { expect, test } from 'vitest';
import { run } from '../../src/program/run.ts';

const CHANGES: readonly (readonly [string, number])[] = [
  ['list.push(value)', 1],
  ['list.unshift(value)', 1],
  ['list.push(k, value)', 2],
];
const VALUES = [
  "['a', 'b', 'd'][k]",
  '[{a: 1}, {a: 2}, {a: 3}][k]',
  "['a', 'b', undefined][k]",
  "k > 0 ? 'a' : {b: 2}",
];

// The derivative of the Kullback–Leibler divergence by t at 0.2, which a wrong length of the list would change.
const weights = [1, 1, Math.exp(0.2)].map((weight) => weight / (2 + Math.exp(0.2)));
const gains = [0.5, 0.3, 0.2].map((prior, k) => Math.log(prior / weights[k]));
const mean = gains.reduce((sum, gain, k) => sum + gain * weights[k], 0);
const expected = weights[2] * (gains[2] - mean);

test.each(CHANGES.flatMap(([change, length]) => VALUES.map((value) => [change, value, length] as const)))(
  '%s of %s',
  async (change, given, length) => {
    const { value } = await run(
      `Optimize({steps: 1, verbose: false, checkGradients: false, optMethod: {sgd: {stepSize: 1}}, estimator: {ELBO: {samples: 30}}, model: () => {
        const t = param({name: 't', mu: 0.2, sigma: 0});
        const k = sample(Discrete({ps: [0.5, 0.3, 0.2]}), {guide: () => Discrete({ps: [1, 1, Math.exp(t)]})});
        const value = ${given};
        const list = [];
        ${change};
        factor(list.length === ${length} ? 0 : k > 0 ? -3 : 1);
        return k;
      }});
      getParams().t.data[0] - 0.2`,
      { seed: 1, engine: { precision: 'double' } },
    );
    expect(value).toBeCloseTo(expected, 9);
  },
);
