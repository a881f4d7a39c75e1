import { expect, test } from 'vitest';
import { ascending } from '../../src/library/weighted-numbers.ts';

test('numbers in ascending order keep their weights, also those that come twice and those that are none', () => {
  const values = Float64Array.of(2, -1, Number.NaN, 2, 0, Infinity, -1, Number.NaN, -Infinity);
  const weights = Float64Array.from(values, (_, i) => i + 1);
  const { values: sorted, weights: moved } = ascending({ values, weights });
  expect([...sorted]).toEqual([-Infinity, -1, -1, 0, 2, 2, Infinity, Number.NaN, Number.NaN]);
  expect([...(moved as Float64Array)]).toEqual([9, 2, 7, 5, 1, 4, 6, 3, 8]);
});
