import { describe, expect, test } from 'vitest';
import { Matrix, mapData, Tensor, Vector } from '../../src/library/index.ts';

describe('mapData over tensors', () => {
  test('looks at the rows of a matrix as vectors', () => {
    const rows = mapData({ data: Matrix([[1, 2], [3, 4], [5, 6]]) as never }, (row: Tensor, i) => [i, row.dims, [...row.data]]); // biome-ignore format: one row
    expect(rows).toEqual([
      [0, [2, 1], [1, 2]],
      [1, [2, 1], [3, 4]],
      [2, [2, 1], [5, 6]],
    ]);
  });

  test('looks at the slices of a larger tensor', () => {
    const slices = mapData({ data: Tensor([2, 1, 2], [1, 2, 3, 4]) as never }, (slice: Tensor) => [slice.dims, [...slice.data]]); // biome-ignore format: one row
    expect(slices).toEqual([
      [
        [1, 2],
        [1, 2],
      ],
      [
        [1, 2],
        [3, 4],
      ],
    ]);
  });

  test('looks at the numbers of a vector or typed array', () => {
    expect(mapData<number, number>({ data: Vector([1, 2]) }, (x) => x + 1)).toEqual([2, 3]);
    expect(mapData({ data: Float64Array.of(1, 2) }, (x) => x + 1)).toEqual([2, 3]);
  });
});
