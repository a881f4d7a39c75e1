/** Networks that prefer what has no end. */
import { expect, test } from 'vitest';
import { runProgram } from '../optimize/run-optimize.ts';

test('executions end where a network has come to prefer recursion without end', async () => {
  const { value } = await runProgram(`
    var leaves = function() { return flip(0.8) ? 1 : leaves() + leaves(); };
    var model = function(data) {
      var n = leaves();
      observe(Gaussian({mu: n, sigma: 0.5}), data.seen);
      return n;
    };
    // A first step that is far too large.
    var net = Amortize(model, {example: {seen: 1}, steps: 1, samples: 64, stepSize: 0.5, seed: 4});
    net.posterior({seen: 40}, {samples: 20, method: 'forward'}).diagnostics.choices / 20`);
  // Under the prior, executions have 5 / 3 choices on average: as many nodes as a tree of this kind.
  expect(value).toBeGreaterThan(100);
  expect(value).toBeLessThan(2000);
});
