import { expect, test } from 'vitest';
import { runProgram } from '../optimize/run-optimize.ts';
test('gaussian', async () => {
  const t0 = performance.now();
  const { value } = await runProgram(`
    var model = function(data) {
      var mu = gaussian(0, 2);
      map(function(y) { observe(Gaussian({mu: mu, sigma: 1}), y); }, data);
      return mu;
    };
    var net0 = Amortize(model, {example: [0.1, 3.2, 3.0], steps: 0});
    var net = Amortize(model, {example: [0.1, 3.2, 3.0], steps: 400});
    var show = function(p) { return [expectation(p), p.logZ, p.diagnostics.ess, p.diagnostics.khat, p.diagnostics.unseen]; };
    [show(net0.posterior([1.5, 2, 1.8])), show(net.posterior([1.5, 2, 1.8])), net.summary()]
  `);
  console.log(JSON.stringify(value, null, 1), performance.now() - t0);
});
