import { expect, test } from 'vitest';
import { failure, runProgram } from '../optimize/run-optimize.ts';

/** A normal number by Marsaglia's polar method, as the mean of two observations. */
const MARSAGLIA = `
  var normal = function(mu, sigma) {
    return rejection(function() {
      var x = uniform(-1, 1);
      var y = uniform(-1, 1);
      var s = x * x + y * y;
      if (s < 1) { return mu + sigma * x * Math.sqrt(-2 * Math.log(s) / s); }
    });
  };
  var model = function(data) {
    var mu = normal(1, Math.sqrt(5));
    observe(Gaussian({mu: mu, sigma: Math.sqrt(2)}), data[0]);
    observe(Gaussian({mu: mu, sigma: Math.sqrt(2)}), data[1]);
    return mu;
  };`;

test('rounds that are rejected have no part in the weight', async () => {
  const { value } = await runProgram(`${MARSAGLIA}
    var net = Amortize(model, {example: [0, 0], steps: 120, samples: 32, stepSize: 0.02, network: {hidden: 16, components: 3}});
    var p = net.posterior([8, 9], {samples: 400});
    var q = Infer({method: 'importance', samples: 400, model: function() { return model([8, 9]); }});
    [expectation(p), p.logZ, p.diagnostics.ess, q.diagnostics.effectiveSampleSize]`);
  const [mean, logZ, ess, plain] = value as number[];
  // Two observations of N(1, 5) with variance 2: their sum and their difference are independent.
  const exact = -0.5 * (2 * Math.log(2 * Math.PI) + Math.log(2 * 12) + (0.5 * (17 - 2) ** 2) / 12 + 0.5 / 2);
  expect(Math.abs(Math.expm1(logZ - exact))).toBeLessThan(4.5 * Math.sqrt((400 / ess - 1) / 400));
  expect(Math.abs(mean - 7.25)).toBeLessThan((4.5 * Math.sqrt(5 / 6)) / Math.sqrt(ess));
  expect(ess).toBeGreaterThan(3 * plain);
});

test('rejection says what it needs, and when it waits for ever', async () => {
  expect(await failure('rejection(3)')).toMatch(/rejection takes a function that returns a value/);
  expect(
    await failure(
      'Infer({method: "forward", samples: 1, model() { return rejection(function() { return undefined; }); }})',
    ),
  ).toMatch(/1,000,000 rounds were rejected/);
});
