import { expect, test } from 'vitest';
import { runProgram } from './run-optimize.ts';

/** Texts, objects and lists that choices pick are not looked at, so that steps need not run the program. */
test.each([
  ['a text, and a field of that name', `{low: -m, high: m}[['low', 'high'][i]]`],
  ['an object', `[{mu: -1}, {mu: m}][i].mu`],
  ['a list', `[[1, 2], [m, 3]][i][0]`],
  ['a text that is compared', `['low', 'high', 'low'][i] === 'low' ? m : 1`],
  ['an object that is compared', `[A, B][i] === A ? m : -m`],
  ['a distribution', `(observe([Gaussian({mu: m, sigma: 1}), Gaussian({mu: 0, sigma: 3})][i], y), m)`],
  ['the length of a text', `m * ['a', 'bcd'][i].length`],
])('steps are compiled where choices pick %s', async (_name, mean) => {
  const { warnings } = await runProgram(
    `var A = {k: 1}; var B = {k: 2};
    var model = function() {
      var m = modelParam({name: 'm', mu: 1});
      mapData({data: [0.3, -1.2, 2.5, 0.7, 1.9, 3.1, -0.5]}, function(y) {
        var i = sample(Discrete({ps: [0.4, 0.6]}), {guide: Discrete({ps: simplex(Vector([param({name: 'w'}) * y]))})});
        observe(Gaussian({mu: ${mean}, sigma: 1}), y);
      });
    };
    Optimize(model, {steps: 20}); 1`,
    { engine: { explainBatching: true } },
  );
  expect(warnings[0]).toContain('steps: 18 compiled, 2 with the program run');
});
