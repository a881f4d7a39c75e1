/** Medians and quantiles of numbers of the graph: which number is the middle one may be another for each lane, and in each step. */
import { expect, test } from 'vitest';
import type { Run } from '../../src/runtime/machine.ts';
import { numbersOf, runProgram } from '../optimize/run-optimize.ts';

const MODEL = `var model = function() {
  var m = sample(Gaussian({mu: 0, sigma: 2}));
  mapData({data: [[0.1, 2, 0.7], [3, -1, 0.2], [0.5, 0.4, 1]]}, function(ys) {
    var z = sample(Gaussian({mu: m, sigma: 1}));
    observe(Gaussian({mu: median([z, m, 0.3]), sigma: 1}), median(ys));
    observe(Gaussian({mu: quantile([z, 2 * m, 1, -z], 0.3), sigma: 1}), quantile(ys, 0.3));
  });
  return m;
};`;

test('are the same side by side and one by one, and nothing is looked at', async () => {
  const code = `${MODEL} Optimize(model, {steps: 12, optMethod: {adam: {stepSize: 0.1}}})`;
  const engine = { explainBatching: true } as Run['engine'];
  const together = await runProgram(code, { engine });
  expect(together.warnings.join('\n')).toContain('3 data side by side');
  expect(together.warnings.join('\n')).toMatch(/steps: \d+ compiled, [12] with the program run/);
  const alone = numbersOf((await runProgram(code, { engine: { sequential: true } })).value);
  for (const [name, values] of Object.entries(numbersOf(together.value))) {
    values.forEach((value, k) => {
      expect(value, name).toBeCloseTo(alone[name][k], 10);
    });
  }
});

test('gradients pass for trajectories', async () => {
  const code = `${MODEL} expectation(Infer({method: 'MCMC', kernel: 'NUTS', samples: 20, burn: 10, model: model}))`;
  expect((await runProgram(code)).warnings.filter((told) => told.includes('looks at'))).toEqual([]);
});
