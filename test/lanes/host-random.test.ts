import { expect, test } from 'vitest';
import { runProgram } from '../optimize/run-optimize.ts';

/** Numbers that come from outside differ between executions, data and steps, however these are run. */
test.each([
  ["'forward'", 'return Math.random();'],
  ["'SMC', particles: 100", 'var x = Math.random(); factor(x); return x;'],
  ["'importance'", 'var x = Math.random(); factor(x); return x;'],
])('Math.random in executions of %s', async (method, body) => {
  const { value } = await runProgram(
    `Infer({method: ${method}, samples: 100, model: function() { flip(0.5); ${body} }}).support().length`.replace(
      'particles: 100, samples: 100',
      'particles: 100',
    ),
  );
  // Resampling leaves some of a hundred; without it all are different.
  expect(value).toBeGreaterThan(20);
});

test('Math.random in steps of an optimisation', async () => {
  const { value, warnings } = await runProgram(
    `var seen = [];
    var model = function() {
      var a = modelParam({name: 'a', mu: 0, sigma: 0});
      mapData({data: [1, 2, 3]}, function(y) { factor(0 * a + Math.random()); });
      factor(a * Math.random());
    };
    Optimize(model, {steps: 20, optMethod: {sgd: {stepSize: 1e-6}}, onFinish: function(r) { r.history.forEach(x => seen.push(x)); }});
    seen`,
    { engine: { explainBatching: true } },
  );
  expect(new Set(value as number[]).size).toBe(20);
  expect(warnings[0]).toContain('one by one, because they call Math.random');
  expect(warnings[0]).toContain('steps: 0 compiled, 20 with the program run, because the program calls Math.random');
});
