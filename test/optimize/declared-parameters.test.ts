/** Executions that are given up, and done again otherwise, leave no parameters behind. */
import { expect, test } from 'vitest';
import { runProgram } from './run-optimize.ts';

const TREES = `
var data = _.range(20).map(function(i) { return i % 4; });
var model = function() {
  var tree = function(d) { return (d < 3 && flip(0.4)) ? {left: tree(d + 1), right: tree(d + 1)} : {leaf: gaussian(1, 1)}; };
  var total = function(t) { return t.leaf === undefined ? total(t.left) + total(t.right) : t.leaf; };
  mapData({data: data}, function(y) { observe(Gaussian({mu: total(tree(0)), sigma: 1}), y); });
};
Object.keys(Optimize(model, {steps: 1})).sort()`;

test('trees of choices have the parameters that they have one by one', async () => {
  const together = await runProgram(TREES);
  const apart = await runProgram(TREES, { engine: { sequential: true } });
  expect(together.value).toEqual(apart.value);
  expect((together.value as string[]).length).toBeGreaterThan(50);
});
