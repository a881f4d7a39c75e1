/** Probabilities that sum to 1 because of how they were made. */
import type { GatherAttributes } from '../kernels/indexing.ts';
import type { ReduceAttributes } from '../kernels/reduce.ts';
import { LANE_GATHER } from '../lane-gather.ts';
import { Node, type Value } from '../node.ts';
import { type Shape, sizeOf } from '../shape.ts';
import { GATHER } from './indexing.ts';
import { SOFTMAX } from './reductions.ts';
import { CONCAT, SLICE } from './structure.ts';

/** Whether the elements of a value, those of each lane by themselves, are what one softmax gave. */
export function isNormalised(x: Value): boolean {
  return x instanceof Node && sizeOf(x.shape) > 0 && inBlocks(x, sizeOf(x.shape));
}

/** Whether every block of so many elements in a row is what one softmax gave. */
function inBlocks(node: Node, length: number): boolean {
  if (node.data !== null) return false;
  const { op, inputs, shape } = node;
  const [first] = inputs;
  if (op === SOFTMAX) return trailing(shape, (node.attributes as ReduceAttributes).axes) === length;
  if (op.kind === 'view' || op === LANE_GATHER) return inBlocks(first, length);
  if (op === GATHER) {
    const rows = first.shape.slice((node.attributes as GatherAttributes).leading.length);
    return sizeOf(rows) % length === 0 && inBlocks(first, length);
  }
  if (op === SLICE) return uncut(shape, first.shape) % length === 0 && inBlocks(first, length);
  if (op === CONCAT) return inputs.every((part) => uncut(part.shape, shape) % length === 0 && inBlocks(part, length));
  return false;
}

/** The elements along axes, if nothing but axes of length 1 comes after them or between; else 0. */
function trailing(shape: Shape, axes: readonly number[]): number {
  const rest = shape.map((n, axis) => ({ n, summed: axes.includes(axis) })).filter(({ n }) => n !== 1);
  const from = rest.findIndex(({ summed }) => summed);
  if (from < 0) return 1;
  const last = rest.slice(from);
  return last.every(({ summed }) => summed) ? last.reduce((size, { n }) => size * n, 1) : 0;
}

/** How many elements in a row of a window are in a row of the whole as well, along axes of which nothing is missing. */
function uncut(window: Shape, whole: Shape): number {
  let size = 1;
  for (let axis = whole.length - 1; axis >= 0 && window[axis] === whole[axis]; axis--) size *= whole[axis];
  return size;
}
