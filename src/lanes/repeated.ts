import { constant } from '../tensor/leaves.ts';
import type { Node } from '../tensor/node.ts';
import { gather } from '../tensor/ops.ts';
import type { Iteration } from './together.ts';

/** Each iteration so many times, one after the other: with the same datum, index and random numbers. */
export function repeated(iterations: Iteration, times: number): Iteration {
  if (times === 1) return iterations;
  const { data, rows, parts, indices, outerLanes, again } = iterations;
  const laterIndices = again?.indices;
  return {
    data: repeat(data, times),
    rows: rows && { ...rows, table: repeatRows(rows.table, times) },
    parts: parts?.map((part) => repeated(part, times)),
    indices: Int32Array.from(repeat(Array.from(indices), times)),
    outerLanes: Int32Array.from(repeat(Array.from(outerLanes), times)),
    again: again && {
      data: () => repeat(again.data(), times),
      indices: laterIndices && (() => repeat(Array.from(laterIndices()), times)),
      all: again.all,
    },
    alone: true,
    times,
  };
}

const repeat = <T>(items: readonly T[], times: number): T[] =>
  Array.from({ length: items.length * times }, (_, i) => items[Math.floor(i / times)]);

function repeatRows(table: Node, times: number): Node {
  const places = Int32Array.from({ length: table.shape[0] * times }, (_, i) => Math.floor(i / times));
  return gather(table, constant(places, [places.length])) as Node;
}
