import { describe, expect, test } from 'vitest';
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

const drawn = (options: string): string =>
  `expectation(Infer({${options}}, function() { var x = gaussian(0, 1); factor(flip(0.5) ? -0.1 : -0.2); return x; }))`;

describe('what no choice of the program is', () => {
  test.each([
    [
      'a distribution draws by itself',
      'Gaussian({mu: 0, sigma: 1}).sample()',
      'draws random numbers outside any choice',
    ],
    ['util.random', 'util.random()', 'draws random numbers outside any choice'],
    ['importance', drawn("method: 'importance', samples: 2"), 'an inference in it draws samples'],
    ['rejection', drawn("method: 'rejection', samples: 2, maxScore: 0"), 'an inference in it draws samples'],
    ['SMC', drawn("method: 'SMC', particles: 2"), 'an inference in it draws samples'],
    ['MCMC', drawn("method: 'MCMC', samples: 2"), 'an inference in it draws samples'],
    ['NUTS', drawn("method: 'MCMC', kernel: 'NUTS', samples: 2").replace('flip(0.5)', 'x > 0'), 'draws samples'],
    [
      'forward',
      "sample(Infer({method: 'forward', samples: 2}, function() { return gaussian(0, 1); }))",
      'an inference in it draws samples',
    ],
  ])('is drawn in each step of an optimisation: %s', async (_, number, reason) => {
    for (const body of [`factor(a * ${number});`, `mapData({data: [1, 2]}, function(y) { factor(a * ${number}); });`]) {
      const { value, warnings } = await runProgram(
        `var seen = [];
        var model = function() {
          var a = modelParam({name: 'a', mu: 1, sigma: 0});
          ${body}
        };
        Optimize(model, {steps: 20, optMethod: {sgd: {stepSize: 1e-9}}, onFinish: function(r) { r.history.forEach(x => seen.push(x)); }});
        seen`,
        { engine: { explainBatching: true } },
      );
      expect(new Set(value as number[]).size).toBeGreaterThan(10);
      expect(warnings.join('\n')).toContain(reason);
    }
  });

  test('but what an enumeration finds is kept', async () => {
    const { warnings } = await runProgram(
      `var model = function() {
        var a = modelParam({name: 'a', mu: 1, sigma: 0});
        factor(-a * a * expectation(Infer({method: 'enumerate'}, function() { return flip(0.3) ? 1 : 2; })));
      };
      Optimize(model, {steps: 20})`,
      { engine: { explainBatching: true } },
    );
    expect(warnings.join('\n')).toContain('steps: 19 compiled, 1 with the program run');
  });
});
