/** Numbers, truth values and tensors that differ between lanes, as nodes with a lane axis, and in steps with other data. */

import type { LaneSpace } from '../tensor/lane-space.ts';
import { constant, toNode } from '../tensor/leaves.ts';
import { allocate, type Data, type DType, isNumeric, type Node } from '../tensor/node.ts';
import { inDoublePrecision } from '../tensor/ops.ts';
import { atRunStart } from '../tensor/run-start.ts';
import { SCALAR, type Shape, sameShape, sizeOf } from '../tensor/shape.ts';
import { Tensor } from '../tensor/tensor.ts';
import { residentBuffer } from '../tensor/wasm/resident.ts';
import { RowBuffer } from '../tensor/wasm/resident-rows.ts';
import { changeable, type Rerun } from './rerun.ts';

/** Gives the values of lanes in a later step, which looks at other data. */
export interface Again {
  (): readonly unknown[];
  /** All values there are, of which lanes have some in each step; absent where that is not known. */
  readonly all?: () => readonly unknown[];
}

/** The values of lanes, computed from others: `of` is called for those that lanes have, and for each one there is. */
export function againFrom(
  { all }: Pick<Again, 'all'>,
  values: () => readonly unknown[],
  of: (value: unknown) => unknown,
): Again {
  return all === undefined ? values : Object.assign(values, { all: () => all().map(of) });
}

/** A node whose numbers other data will change: a leaf of the recording. */
export function changingNode(first: Node, again: Again, rerun: Rerun): Node {
  const { shape, dtype, length } = first;
  if (shape.length > 0 && length >= WORTH_BUFFER) return changingTensors(first, again, rerun);
  const node = changeable(first);
  const data = allocate(dtype, length);
  rerun.changing(node, () => {
    if (!writeLanes(again(), shape, dtype, data)) throw changedShape;
    return data;
  });
  return node;
}

/**
 * Large data are written where they will be read, and in single precision if nothing is lost by that: networks
 * compute in single precision, and are mostly given black and white pictures and counts.
 */
function changingTensors(first: Node, again: Again, rerun: Rerun): Node {
  const { shape, length, space } = first;
  const narrow = singlePrecision.suits && isSingle(first.elements());
  const leaf = changeable(narrow ? constant(Float32Array.from(first.elements()), shape, space) : first);
  const count = length / sizeOf(shape);
  const admit = (value: unknown): void => {
    if (!(value instanceof Tensor) || !sameShape(value.dims, shape)) throw changedShape;
    if (narrow && !isSingle(value.data)) {
      singlePrecision.suits = false;
      throw changedShape;
    }
  };
  // Made when a later step needs it: there may never be one.
  let rows: RowBuffer | null = null;
  rerun.changing(leaf, () => {
    const values = again();
    if (values.length !== count) throw changedShape;
    rows ??= new RowBuffer(residentBuffer(length, narrow ? 'f32' : 'f64'), count, admit);
    rows.write(values as Tensor[]);
    return rows.buffer;
  });
  return narrow ? (inDoublePrecision(leaf) as Node) : leaf;
}

/** False from the first data of a run on that lose digits by it. */
const singlePrecision = { suits: true };

atRunStart(() => {
  singlePrecision.suits = true;
});

/** Whether numbers are the same in single precision. */
function isSingle(numbers: Data): boolean {
  for (let i = 0; i < numbers.length; i++) if (Math.fround(numbers[i]) !== numbers[i]) return false;
  return true;
}

/** The least number of numbers for this. */
const WORTH_BUFFER = 1000;

/** Writes the numbers or truth values of lanes; refuses those of another kind or size. */
function writeLanes(values: readonly unknown[], shape: Shape, dtype: DType, into: Data): boolean {
  const count = values.length;
  if (shape.length > 0) {
    const each = sizeOf(shape);
    if (count * each !== into.length) return false;
    for (let i = 0; i < count; i++) {
      const value = values[i];
      if (!(value instanceof Tensor) || !sameShape(value.dims, shape)) return false;
      into.set(value.data, i * each);
    }
    return true;
  }
  if (count !== into.length) return false;
  const kind = dtype === 'bool' ? 'boolean' : 'number';
  for (let i = 0; i < count; i++) {
    const value = values[i];
    if (typeof value !== kind) return false;
    into[i] = value as number;
  }
  return true;
}

/** Thrown where the data of a step are of another kind or size than those of the recording. */
export const changedShape = { changedShape: true } as const;

/** Numbers, truth values or tensors of one shape as a node with lanes, even where they are all the same. */
export function laneNode(values: readonly unknown[], space: LaneSpace): Node | undefined {
  const [first] = values;
  if (values.every((value) => typeof value === 'number')) {
    return constant(Float64Array.from(values as number[]), SCALAR, space);
  }
  if (values.every((value) => typeof value === 'boolean')) {
    return constant(Float32Array.from(values, Number), SCALAR, space, 'bool');
  }
  if (
    first instanceof Tensor &&
    values.every((value) => value instanceof Tensor && sameShape(value.dims, first.dims))
  ) {
    const data = new Float64Array(first.length * values.length);
    for (let i = 0; i < values.length; i++) data.set((values[i] as Tensor).data, i * first.length);
    return constant(data, first.dims, space);
  }
  return undefined;
}

/** Values as nodes, if all of them are numbers, all truth values, or all tensors of one shape. */
export function alikeNodes(values: readonly unknown[]): Node[] | undefined {
  if (!values.every(isNumeric)) return undefined;
  const nodes = values.map(toNode);
  const [{ shape, dtype }] = nodes;
  const isTruth = dtype === 'bool';
  return nodes.every((node) => (node.dtype === 'bool') === isTruth && sameShape(node.shape, shape)) ? nodes : undefined;
}
