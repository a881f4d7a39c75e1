import { expect, test } from 'vitest';
import { run } from '../../src/program/run.ts';

test('a network that learned from dreams side by side is the one that learned from them one by one', async () => {
  const code = `
    var model = function(data) {
      var k = 1 + poisson(1);
      var mus = repeat(k, function() { return gaussian(0, 5); });
      map(function(y) { observe(Gaussian({mu: uniformDraw(mus), sigma: 1}), y); }, data);
      return k;
    };
    var net = Amortize(model, {example: [0, 0, 0, 0], steps: 2, samples: 64, stepSize: 0.01, verbose: false});
    net.posterior([7.1, 6.8, -5.2, -4.9], {samples: 200}).diagnostics.ess`;
  const [together, alone] = await Promise.all(
    [false, true].map(async (sequential) => Number((await run(code, { seed: 1, engine: { sequential } })).value)),
  );
  // The network sums in single precision, in another order.
  expect(Math.abs(together - alone)).toBeLessThan(1e-4 * alone);
});
