/** The order of parameters does not depend on what ran side by side. */
import { expect, test } from 'vitest';
import { run } from '../../src/program/index.ts';
import { ParameterTable } from '../../src/runtime/parameters.ts';
import { vector } from '../../src/tensor/tensor.ts';

test('names in order, numbers in them by size', () => {
  const names = ['x[10]', 'x[9]', 'b', 'a10', 'a', 'x[9]$mu', 'a2', '10', '9', 'B', '02', '2'];
  const table = ParameterTable.from(Object.fromEntries(names.map((name) => [name, vector([1])])));
  // Objects have names that are numbers first.
  expect(Object.keys(table.inOrder())).toEqual([
    '2',
    '9',
    '10',
    '02',
    'B',
    'a',
    'a2',
    'a10',
    'b',
    'x[9]',
    'x[9]$mu',
    'x[10]',
  ]);
});

test('the same side by side and one by one', async () => {
  const code = `var model = function() {
      var a = param({name: 'zeta'});
      mapData({data: _.range(12)}, function(y) { var b = gaussian(a, 1); observe(Gaussian({mu: b, sigma: 1}), y) });
      var c = param({name: 'alpha'});
      factor(-a * a - c * c);
    };
    Optimize({model: model, steps: 2});
    _.keys(getParams())`;
  const together = await run(code, { seed: 1 });
  const alone = await run(code, { seed: 1, engine: { sequential: true } });
  expect(together.value).toEqual(alone.value);
  expect(Object.keys(together.params)).toEqual(together.value);
  expect((together.value as string[]).slice(-2)).toEqual(['alpha', 'zeta']);
});
