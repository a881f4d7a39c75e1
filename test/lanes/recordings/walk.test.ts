import { expect, test } from 'vitest';
import { Walk } from '../../../src/lanes/recordings/walk.ts';
import { input } from '../../../src/tensor/leaves.ts';
import { add, div, exp, mul, select, sub, sum } from '../../../src/tensor/ops.ts';

test('a graph of numbers at many inputs gives what it gives at each of them', () => {
  const [x, y, unused] = [input(), input(), input([2])];
  for (const node of [x, y]) node.data = 0;
  unused.data = new Float64Array(2);
  const outputs = [add(mul(x, y), exp(sub(x, 3))), div(1, x), y, select(x, y, 7)];
  const inputs = [x, unused, y];
  const walk = new Walk(outputs, inputs);
  const rows = [
    [0.5, 9, 9, -2],
    [0, 9, 9, 3],
    [-0, 9, 9, Number.NaN],
    [1e300, 9, 9, 1e300],
  ];
  const STRIDE = 6;
  const table = new Float64Array(1 + STRIDE * rows.length);
  for (const [i, row] of rows.entries()) table.set(row, 1 + i * STRIDE);
  const alone = rows.map(([a, , , b]) => walk.run([a, new Float64Array(2), b]));
  for (const count of [2, rows.length, 1]) {
    const columns = walk.many(table, 1, STRIDE, count)!;
    for (let i = 0; i < count; i++) expect(columns.map((column) => column[i])).toEqual(alone[i].map(Number));
  }
});

test('a graph of tensors is evaluated at one input after the other', () => {
  const x = input([2]);
  x.data = new Float64Array(2);
  expect(new Walk([sum(x)], [x]).many(new Float64Array(2), 0, 2, 1)).toBeNull();
});
