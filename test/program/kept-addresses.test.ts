import { expect, test } from 'vitest';
import { run } from '../../src/program/run.ts';

/** The names of guides' parameters, which are the addresses of choices: two for each of two choices of each of two data. */
async function namesFor(argument: string): Promise<number> {
  const { value } = await run(`
    var helper = function(k) { return sum(map(function(a) { return a * k; }, [0.3, -0.2])); };
    var model = function() {
      mapData({data: [0.1, 0.2]}, function(d) {
        var xs = map(function(j) { return gaussian(0, 1); }, [${argument}, 1]);
        observe(Gaussian({mu: d, sigma: 1}), xs[0]);
      });
    };
    Object.keys(Optimize({model, steps: 1, verbose: false})).length`);
  return value as number;
}

test.each([
  'helper(2)',
  '1 + helper(helper(2))',
  '((z = helper(2)) => z)()',
  '(function() { return helper(3); })()',
  'sum(map(helper, [1, 2]))',
])('a call keeps its address where an argument calls a function that makes no choices: %s', async (argument) => {
  expect(await namesFor(argument)).toBe(8);
});
