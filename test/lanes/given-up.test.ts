import { expect, test } from 'vitest';
import { Disagreements } from '../../src/optimize/disagreements.ts';
import { Entry } from '../../src/runtime/execution.ts';
import { ParameterTable } from '../../src/runtime/parameters.ts';
import { courseOf, difference } from './estimates.ts';

/** Data part by what of their choices is left, in other ways in each step. */
const PARTING = `
var data = [0.3, -1.2, 2.5, 0.7, 1.1, -0.4, 0.2, 1.9, 0.1, 0.4, -0.6, 1.3];
var model = function() {
  var m = modelParam({name: 'm', mu: 0.2});
  mapData({data: data}, function(y) {
    var draws = repeat(2, function() {
      return sample(Gaussian({mu: m, sigma: 1}), {guide: Gaussian({mu: param({name: 'w'}), sigma: 1})});
    });
    var positive = draws.filter(function(x) { return x > 0; });
    observe(Gaussian({mu: sum(positive) / (1 + positive.length), sigma: 1}), y);
  });
};
model`;

const STEPS = 14;

test('data that part into many groups are looked at one by one once steps are known not to be compiled', async () => {
  const together = await courseOf(PARTING, { sequential: false, compiled: true, steps: STEPS });
  const apart = await courseOf(PARTING, { sequential: true, compiled: false, steps: STEPS });
  expect(difference(apart, together)).toBeUndefined();
  expect(together.explanation).toMatch(/one by one, because their courses differ/);
});

test('which data are looked at one by one, and that steps are run, is kept in checkpoints', () => {
  const { address: top } = new Entry(new ParameterTable());
  const place = top.at(3);
  const first = new Disagreements(top);
  const apart = { executions: 60, sides: 0 };
  const worked = (site: number, executions: number, data: number, varies: boolean): void => {
    const outcome = { work: { executions, sides: 0, apart }, groups: executions };
    first.worked(top.at(site), outcome, { indices: new Int32Array(data) }, varies);
  };
  worked(3, 9, 20, false);
  worked(4, 1, 2, false);
  // (Each of these parts by itself.)
  worked(5, 9, 20, true);
  expect(first.isAlone(place)).toBe(false);
  first.giveUp();
  const numbers = new Map(first.save());
  const second = new Disagreements(top);
  second.restore(numbers);
  expect([3, 4, 5].map((site) => second.isAlone(top.at(site)))).toEqual([true, false, false]);
  expect(second.hasGivenUp).toBe(true);
  expect(numbers.size).toBe(0);
});

/** Data that are lists, of these lengths. */
const ragged = (lengths: readonly number[], options = ''): string => `
var data = ${JSON.stringify(lengths.map((length, i) => Array.from({ length }, (_, k) => i - k / 2)))};
var model = function() {
  var m = modelParam({name: 'm', mu: 0.2});
  mapData({data: data${options}}, function(ys) {
    var x = sample(Gaussian({mu: m, sigma: 1}), {guide: Gaussian({mu: param({name: 'w'}), sigma: 1})});
    ys.forEach(function(y) { observe(Gaussian({mu: x, sigma: 1}), y); });
  });
};
model`;

test.each([
  [
    'no two of which do the same',
    ragged([1, 2, 3, 4]),
    /one by one, because their courses differ.*\n.*6 compiled, 2 with/s,
  ],
  [
    'of which more do the same',
    ragged([1, 2, 1, 2, 1, 2]),
    /6 data side by side, in 2 groups.*\n.*7 compiled, 1 with/s,
  ],
  ['that are others in each step', ragged([1, 2, 3, 4, 5], ', batchSize: 4'), /4 data side by side/],
])('steps are compiled for data %s', async (_name, code, said) => {
  const together = await courseOf(code, { sequential: false, compiled: true, steps: 8 });
  const apart = await courseOf(code, { sequential: true, compiled: false, steps: 8 });
  expect(difference(apart, together)).toBeUndefined();
  expect(together.explanation).toMatch(said);
});
