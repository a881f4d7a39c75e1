/** Elements named by indices, which may differ between lanes. */
import { castTo, expandTo } from '../elementwise/record.ts';
import { type GatherAttributes, gatherKernel, laneMergeKernel, scatterKernel } from '../kernels/indexing.ts';
import { fromLanes, gatherTo, mapNode } from '../lane-gather.ts';
import { type LaneSpace, meetingSpace } from '../lane-space.ts';
import { constant, toNode } from '../leaves.ts';
import { type Attributes, compositeOp, kernelOp, Node, type Value } from '../node.ts';
import { broadcastShapes, normaliseAxis, SCALAR, type Shape, ShapeError, shapeText, sizeOf } from '../shape.ts';
import { eq, select } from './arithmetic.ts';
import { argsort } from './reductions.ts';
import { type Result, settle } from './settle.ts';
import { reshape, sliceAxis, transpose } from './structure.ts';

export const GATHER = kernelOp('gather', gatherKernel);
GATHER.gathersRows = true;
GATHER.selects = true;
export const SCATTER = kernelOp('scatter', scatterKernel);
export const LANE_MERGE = kernelOp('laneMerge', laneMergeKernel);

function attributesFor(leading: Shape): GatherAttributes {
  return { key: leading.join(','), leading };
}

/**
 * `table[i]`, or `table[i][j]` for two indices: the leading axes of the table are replaced by those of the indices.
 * A table without lanes is shared by all lanes of the indices.
 */
export function gather<T extends Value>(table: T, ...indices: readonly T[]): Result<T> {
  const node = gatherNodes(toNode(table), indices.map(toNode));
  return settle(node, table, ...indices);
}

function gatherNodes(table: Node, indices: readonly Node[]): Node {
  if (table.shape.length < indices.length) {
    throw new ShapeError(`gather: ${indices.length} indices into a table of shape ${shapeText(table.shape)}.`);
  }
  // A gather of a gather names single elements at once, so that rows are never copied out to be indexed.
  if (table.op === GATHER && table.data === null && indices.length === 1) {
    const [source, ...outer] = table.inputs;
    const { leading } = table.attributes as GatherAttributes;
    if (leading.length === 1 && outer[0].shape.length === 0) return gatherNodes(source, [...outer, ...indices]);
  }
  let shape = SCALAR;
  let space: LaneSpace | null = table.space;
  for (const index of indices) {
    shape = broadcastShapes('gather', shape, index.shape);
    space = meetingSpace('gather', space, index.space);
  }
  // Elements of lanes further out are named by their lane as well, for the same reason.
  if (table.space !== null && space !== null && table.space !== space) {
    if (table.space.isOpen) return gatherNodes(gatherTo(table, space), indices);
    return gatherNodes(fromLanes(table), [mapNode(space, table.space), ...indices]);
  }
  const rest = table.shape.slice(indices.length);
  const places = indices.map((index) => expandTo(index, shape, space));
  const attributes = attributesFor(table.shape.slice(0, indices.length));
  const out = new Node(GATHER, [table, ...places], attributes, [...shape, ...rest], table.dtype, space);
  // Values without axes are float64.
  return out.shape.length === 0 && out.dtype === 'f32' ? castTo(out, 'f64') : out;
}

/** A table of zeros of the given leading axes, with `values` added at the indices. Without a space it collects from all lanes. */
export function scatter(values: Node, indices: readonly Node[], leading: Shape, space: LaneSpace | null): Node {
  const shape = [...leading, ...values.shape.slice(indices[0].shape.length)];
  return new Node(SCATTER, [values, ...indices], attributesFor(leading), shape, values.dtype, space);
}

/** Joins values of disjoint subspaces (the sides of a branch) in the space they were made from. */
export function mergeLanes(space: LaneSpace, parts: readonly { value: Value; space: LaneSpace }[]): Node {
  const nodes = parts.map((part) => toNode(part.value));
  let shape = SCALAR;
  for (const node of nodes) shape = broadcastShapes('mergeLanes', shape, node.shape);
  const dtype = mergedType(nodes);
  const inputs: Node[] = [];
  for (let i = 0; i < parts.length; i++) {
    const value = nodes[i].dtype === dtype || dtype === 'bool' ? nodes[i] : castTo(nodes[i], dtype);
    inputs.push(expandTo(value, shape, parts[i].space), mapNode(parts[i].space, space));
  }
  return new Node(LANE_MERGE, inputs, null, shape, dtype, space);
}

function mergedType(nodes: readonly Node[]): 'f64' | 'f32' | 'bool' {
  if (nodes.every((node) => node.dtype === 'bool')) return 'bool';
  return nodes.every((node) => node.dtype === 'f32') ? 'f32' : 'f64';
}

const ranges = new Map<number, Node>();

/** 0, 1, …, n − 1. */
export function range(n: number): Node {
  let node = ranges.get(n);
  if (node === undefined) {
    node = constant(
      Float64Array.from({ length: n }, (_, i) => i),
      [n],
    );
    ranges.set(n, node);
  }
  return node;
}

interface OneHotAttributes extends Attributes {
  readonly length: number;
}

/** An operation of its own, because a matrix times such a vector is one of its columns. */
export const ONE_HOT = compositeOp('oneHot', (node) => {
  const [index] = node.inputs;
  const { length } = node.attributes as OneHotAttributes;
  return select(eq(reshape(index, [...index.shape, 1]), range(length)), 1, 0) as Node;
});

/** 1 at the index and 0 elsewhere, along a new last axis of length n. */
export function oneHot<T extends Value>(index: T, n: number): Result<T> {
  const node = toNode(index);
  const attributes: OneHotAttributes = { key: `${n}`, length: n };
  return settle(new Node(ONE_HOT, [node], attributes, [...node.shape, n], 'f64', node.space), index);
}

/** Values along an axis in ascending order (descending if `reverse`). */
export function sort<T extends Value>(x: T, axis = -1, reverse = false): Result<T> {
  const node = toNode(x);
  return settle(takeAlong(node, argsort(node, axis, reverse) as Node, axis), x);
}

/** The k largest along an axis, largest first, and where they are. */
export function topK<T extends Value>(x: T, k: number, axis = -1): { values: Result<T>; indices: Result<T> } {
  const node = toNode(x);
  const indices = sliceAxis(argsort(node, axis, true) as Node, axis, 0, k);
  return { values: settle(takeAlong(node, indices, axis), x), indices: settle(indices, x) };
}

/** Elements of x at positions along an axis; other axes match. */
function takeAlong(x: Node, positions: Node, axis: number): Node {
  const at = normaliseAxis('takeAlong', x.shape, axis);
  const order = x.shape.map((_, i) => i);
  order.splice(at, 1);
  order.push(at);
  const inverse = order.map((_, i) => order.indexOf(i));
  const values = transpose(x, order) as Node;
  const places = transpose(positions, order) as Node;
  const length = x.shape[at];
  const rows = sizeOf(values.shape.slice(0, -1));
  const count = places.shape[places.shape.length - 1];
  const taken = gatherNodes(reshape(values, [rows, length]) as Node, [
    reshape(range(rows), [rows, 1]) as Node,
    reshape(places, [rows, count]) as Node,
  ]);
  return transpose(reshape(taken, places.shape) as Node, inverse) as Node;
}
