import { describe, expect, test } from 'vitest';
import * as families from '../../../src/distributions/index.ts';
import { type Continuous, coordinatesOf } from '../../../src/guides/coordinates/coordinates.ts';
import type { Distribution } from '../../../src/runtime/handler.ts';
import { RandomStream } from '../../../src/runtime/random.ts';
import '../../../src/tensor/evaluate.ts';
import { sizeOf } from '../../../src/tensor/shape.ts';
import { Tensor } from '../../../src/tensor/tensor.ts';
import { build, CONTINUOUS, label, TENSORS } from '../../distributions/table.ts';

const DISTRIBUTIONS: [string, Distribution<unknown>][] = [
  ...[...CONTINUOUS, ...TENSORS].flatMap((row) =>
    row.params.map((params): [string, Distribution<unknown>] => [label(row, params), build(row, params)]),
  ),
  ['ImproperUniform, below 3', families.ImproperUniform({ b: 3 })],
  ['ImproperUniform from 2', families.ImproperUniform({ a: 2 })],
  ['ImproperUniform from -1 to 5', families.ImproperUniform({ a: -1, b: 5 })],
];

/** The elements that determine a value: those that are not given by the others. */
function freeElements(name: string, value: Continuous): number[] {
  if (typeof value === 'number') return [value];
  const [rows, columns] = value.dims;
  const all = Array.from(value.data);
  const place = (keep: (i: number, j: number) => boolean): number[] =>
    all.filter((_, k) => keep(Math.floor(k / columns), k % columns));
  if (name === 'Dirichlet' || name === 'LogisticNormal') return all.slice(0, rows - 1);
  if (name === 'LKJCholesky') return place((i, j) => j < i);
  return name.endsWith('Wishart') ? place((i, j) => j <= i) : all;
}

/** log |det| by elimination. */
function logDeterminant(matrix: number[][]): number {
  const a = matrix.map((row) => [...row]);
  let log = 0;
  for (let k = 0; k < a.length; k++) {
    const pivot = a.reduce((best, row, i) => (i >= k && Math.abs(row[k]) > Math.abs(a[best][k]) ? i : best), k);
    [a[k], a[pivot]] = [a[pivot], a[k]];
    log += Math.log(Math.abs(a[k][k]));
    for (let i = k + 1; i < a.length; i++) {
      const factor = a[i][k] / a[k][k];
      for (let j = k; j < a.length; j++) a[i][j] -= factor * a[k][j];
    }
  }
  return log;
}

describe('coordinates', () => {
  test.each(DISTRIBUTIONS)('of %s', (_name, distribution) => {
    const random = RandomStream.fromSeed(11).begin();
    const example = (distribution.name === 'ImproperUniform' ? 1 : distribution.draw(random)) as Continuous;
    const coordinates = coordinatesOf(distribution, example);
    const { shape } = coordinates;
    const size = sizeOf(shape);
    const point = Float64Array.from({ length: size }, () => 2 * random.uniform() - 1);
    const at = (x: Float64Array): Continuous => (shape.length === 0 ? x[0] : new Tensor(shape, x));
    const placed = coordinates.place(at(point));

    // Every point leads into the support.
    if (distribution.name !== 'ImproperUniform') expect(distribution.score(placed.value)).toBeGreaterThan(-Infinity);
    expect(distribution.score(placed.value)).not.toBe(-Infinity);

    // The way back.
    const back = coordinates.locate(placed.value as Continuous) as Continuous;
    const found = typeof back === 'number' ? [back] : Array.from(back.data);
    found.forEach((x, i) => void expect(x).toBeCloseTo(point[i], 9));

    // Volumes, by differences.
    const step = 1e-5;
    const columns = Array.from(point, (_, k) => {
      const moved = (by: number): number[] => {
        const other = point.slice();
        other[k] += by;
        return freeElements(distribution.name, coordinates.place(at(other)).value as Continuous);
      };
      const [above, below] = [moved(step), moved(-step)];
      return above.map((x, i) => (x - below[i]) / (2 * step));
    });
    expect(placed.logVolume).toBeCloseTo(logDeterminant(columns), 6);
  });
});
