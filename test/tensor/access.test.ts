import { describe, expect, it } from 'vitest';
import { accessOf, OWN, REPEATED, SHARED, STRETCHED, THROUGH_TABLE } from '../../src/tensor/elementwise/access.ts';
import { elementwiseLoop } from '../../src/tensor/elementwise/loops.ts';
import { SUB } from '../../src/tensor/elementwise/table.ts';
import { broadcastOffsets } from '../../src/tensor/kernels/walk.ts';
import type { Operand } from '../../src/tensor/node.ts';
import { sizeOf } from '../../src/tensor/shape.ts';

function operand(dims: readonly number[], lanes: boolean, first = 0): Operand {
  return { data: Float64Array.from({ length: sizeOf(dims) }, (_, i) => first + i * i), dims, lanes };
}

/** Axes of the result, whether the first is that of lanes, those of an operand, whether it has lanes, how it is read. */
const CASES: readonly (readonly [readonly number[], boolean, readonly number[], boolean, number])[] = [
  [[4, 3], false, [4, 3], false, OWN],
  [[4, 3], true, [4, 3], true, OWN],
  [[4, 3], true, [], false, SHARED],
  [[4, 3], true, [1, 1], true, SHARED],
  [[4, 3], false, [3], false, REPEATED],
  [[4, 3], true, [3], false, REPEATED],
  [[5, 4, 3], true, [4, 3], false, REPEATED],
  [[5, 4, 1], true, [4, 1], false, REPEATED],
  [[5, 4, 1], true, [5], true, STRETCHED],
  [[5, 4, 3], true, [5, 4, 1], true, STRETCHED],
  [[5, 4, 3], false, [4, 1], false, THROUGH_TABLE],
  [[5, 4, 3], true, [5, 3], true, THROUGH_TABLE],
  [[2, 5, 4, 3], true, [5, 1, 3], false, THROUGH_TABLE],
];

describe('an operand of an elementwise operation', () => {
  it.each(CASES)(
    'for %j (lanes: %s) of %j (lanes: %s) is read as it should be',
    (dims, lanes, own, ownLanes, access) => {
      const out = operand(dims, lanes);
      const input = operand(own, ownLanes, 7);
      expect(accessOf(out, input)).toBe(access);
      const other = operand(dims, lanes, 100);
      const places = broadcastOffsets(dims, own, ownLanes, lanes);
      const expected = Array.from(places, (at, i) => input.data[at] - other.data[i]);
      elementwiseLoop(SUB, out, [input, other]);
      expect([...out.data]).toEqual(expected);
      elementwiseLoop(SUB, out, [other, input]);
      expect([...out.data]).toEqual(expected.map((x) => 0 - x));
    },
  );
});
