/** Operations that rearrange elements. */
import { castTo, commonType, expandTo } from '../elementwise/record.ts';
import { TO_F64 } from '../elementwise/table.ts';
import { isGatheredRow, regather } from '../hoist.ts';
import {
  type ConcatAttributes,
  concatKernel,
  padKernel,
  sliceKernel,
  type TransposeAttributes,
  transposeKernel,
  type WindowAttributes,
} from '../kernels/structure.ts';
import { gatherTo } from '../lane-gather.ts';
import { type LaneSpace, meetingSpace } from '../lane-space.ts';
import { toNode } from '../leaves.ts';
import { kernelOp, Node, RESHAPE, type Value } from '../node.ts';
import { broadcastShapes, normaliseAxis, type Shape, ShapeError, sameShape, shapeText, sizeOf } from '../shape.ts';
import { type Result, settle } from './settle.ts';

export const TRANSPOSE = kernelOp('transpose', transposeKernel);
export const CONCAT = kernelOp('concat', concatKernel);
CONCAT.joins = true;
export const SLICE = kernelOp('slice', sliceKernel);
SLICE.selects = true;
export const PAD = kernelOp('pad', padKernel);

/** The same elements in another shape; lanes stay apart. */
export function reshape<T extends Value>(x: T, shape: Shape): Result<T> {
  const node = toNode(x);
  if (sameShape(node.shape, shape)) return settle(node, x);
  if (sizeOf(node.shape) !== sizeOf(shape)) {
    throw new ShapeError(
      `reshape: shape ${shapeText(node.shape)} has ${sizeOf(node.shape)} elements, ${shapeText(shape)} has ${sizeOf(shape)}.`,
    );
  }
  if (isGatheredRow(node) && shape.length > 0) {
    const [table] = node.inputs;
    return settle(regather(node, reshape(table, [table.shape[0], ...shape]) as Node), x);
  }
  const from = node.op === RESHAPE ? node.inputs[0] : node;
  if (sameShape(from.shape, shape)) return settle(from, x);
  const out = new Node(RESHAPE, [from], null, shape, node.dtype, node.space);
  // Values without axes are float64.
  return settle(shape.length === 0 && node.dtype === 'f32' ? castTo(out, 'f64') : out, x);
}

/** A tensor in single precision; numbers are always in double. */
export function inSinglePrecision<T extends Value>(x: T): Result<T> {
  const node = toNode(x);
  return node.shape.length === 0 ? settle(node, x) : (narrowed(node) as Result<T>);
}

/** A tensor in double precision. */
export function inDoublePrecision<T extends Value>(x: T): Result<T> {
  return settle(castTo(toNode(x), 'f64'), x);
}

/** Parts that were in single precision before they were joined with others are used as they were. */
function narrowed(node: Node): Node {
  const { op, inputs, attributes, shape, space } = node;
  if (node.dtype === 'f32') return node;
  if (node.data === null) {
    if (op === TO_F64 && inputs[0].dtype === 'f32') return inputs[0];
    if (op === CONCAT || op === RESHAPE) return new Node(op, inputs.map(narrowed), attributes, shape, 'f32', space);
  }
  return castTo(node, 'f32');
}

/** Axes in another order; reversed by default. */
export function transpose<T extends Value>(x: T, permutation?: readonly number[]): Result<T> {
  const node = toNode(x);
  const rank = node.shape.length;
  const order = permutation ?? node.shape.map((_, i) => rank - 1 - i);
  if (
    order.length !== rank ||
    new Set(order.map((axis) => normaliseAxis('transpose', node.shape, axis))).size !== rank
  ) {
    throw new ShapeError(`transpose: [${order.join(', ')}] is no order of the axes of shape ${shapeText(node.shape)}.`);
  }
  const axes = order.map((axis) => normaliseAxis('transpose', node.shape, axis));
  if (axes.every((axis, i) => axis === i)) return settle(node, x);
  const shape = axes.map((axis) => node.shape[axis]);
  const attributes: TransposeAttributes = { key: axes.join(','), permutation: axes };
  return settle(new Node(TRANSPOSE, [node], attributes, shape, node.dtype, node.space), x);
}

/** The last two axes exchanged. */
export function transposeMatrix<T extends Value>(x: T): Result<T> {
  const rank = toNode(x).shape.length;
  const order = Array.from({ length: rank }, (_, i) => (i < rank - 2 ? i : 2 * rank - 3 - i));
  return transpose(x, order);
}

/** The value repeated to fill a shape (and the lanes of a space). */
export function broadcastTo<T extends Value>(x: T, shape: Shape, space?: LaneSpace | null): Result<T> {
  const node = toNode(x);
  if (!sameShape(broadcastShapes('broadcastTo', node.shape, shape), shape)) {
    throw new ShapeError(`broadcastTo: shape ${shapeText(node.shape)} does not stretch to ${shapeText(shape)}.`);
  }
  return settle(expandTo(node, shape, space === undefined ? node.space : space), x);
}

/** Operands in one lane space and of one precision, as kernels that treat lanes as one more axis need them. */
export function aligned(operation: string, nodes: readonly Node[]): Node[] {
  let space: LaneSpace | null = null;
  for (const node of nodes) space = meetingSpace(operation, space, node.space);
  const dtype = commonType(nodes);
  return nodes.map((node) => {
    const here =
      node.space === space ? node : expandTo(space === null ? node : gatherTo(node, space), node.shape, space);
    return castTo(here, dtype);
  });
}

/** Values joined along an existing axis. */
export function concat<T extends Value>(values: readonly T[], axis = 0): Result<T> {
  if (values.length === 0) throw new ShapeError('concat: there is nothing to join.');
  const nodes = aligned('concat', values.map(toNode));
  const first = nodes[0].shape;
  const at = normaliseAxis('concat', first, axis);
  let length = 0;
  for (const { shape } of nodes) {
    if (shape.length !== first.length || shape.some((n, i) => i !== at && n !== first[i])) {
      throw new ShapeError(`concat: shapes ${shapeText(first)} and ${shapeText(shape)} differ beside axis ${at}.`);
    }
    length += shape[at];
  }
  if (nodes.length === 1) return settle(nodes[0], ...values);
  const whole = wholeOf(nodes, at, length);
  if (whole !== null) return settle(whole, ...values);
  const shape = first.map((n, i) => (i === at ? length : n));
  const attributes: ConcatAttributes = { key: String(at), axis: at };
  return settle(new Node(CONCAT, nodes, attributes, shape, nodes[0].dtype, nodes[0].space), ...values);
}

/** The value that was cut into just these pieces, in order: joining them gives that value again. */
function wholeOf(pieces: readonly Node[], axis: number, length: number): Node | null {
  const [whole] = pieces[0].inputs;
  if (pieces[0].op !== SLICE || whole.shape[axis] !== length) return null;
  let begin = 0;
  for (const { op, data, inputs, attributes, shape } of pieces) {
    if (op !== SLICE || data !== null || inputs[0] !== whole) return null;
    if ((attributes as WindowAttributes).begin[axis] !== begin) return null;
    if (shape.some((n, i) => i !== axis && n !== whole.shape[i])) return null;
    begin += shape[axis];
  }
  return whole;
}

/** Values of one shape joined along a new axis. */
export function stack<T extends Value>(values: readonly T[], axis = 0): Result<T> {
  const nodes = values.map(toNode);
  const joined = concat(
    nodes.map((node) => reshape(node, insertAxis(node.shape, axis))),
    axis,
  );
  return settle(joined, ...values);
}

function insertAxis(shape: Shape, axis: number): Shape {
  const at = axis < 0 ? axis + shape.length + 1 : axis;
  return [...shape.slice(0, at), 1, ...shape.slice(at)];
}

/** The window of a shape that starts at `begin`. */
export function slice<T extends Value>(x: T, begin: readonly number[], shape: Shape): Result<T> {
  const node = toNode(x);
  const fits =
    begin.length === node.shape.length &&
    shape.length === node.shape.length &&
    node.shape.every((n, i) => begin[i] >= 0 && shape[i] >= 0 && begin[i] + shape[i] <= n);
  if (!fits) {
    throw new ShapeError(
      `slice: a window of ${shapeText(shape)} at [${begin.join(', ')}] is not inside shape ${shapeText(node.shape)}.`,
    );
  }
  if (sameShape(node.shape, shape)) return settle(node, x);
  return settle(new Node(SLICE, [node], windowAttributes(begin), shape, node.dtype, node.space), x);
}

function windowAttributes(begin: readonly number[]): WindowAttributes {
  return { key: begin.join(','), begin };
}

/** Elements `begin` to `end` (excluded) along one axis. */
export function sliceAxis<T extends Value>(x: T, axis: number, begin: number, end: number): Result<T> {
  const { shape } = toNode(x);
  const at = normaliseAxis('slice', shape, axis);
  return slice(
    x,
    shape.map((_, i) => (i === at ? begin : 0)),
    shape.map((n, i) => (i === at ? end - begin : n)),
  );
}

/** Pieces of the given lengths along an axis. */
export function split<T extends Value>(x: T, lengths: readonly number[], axis = 0): Result<T>[] {
  const { shape } = toNode(x);
  const at = normaliseAxis('split', shape, axis);
  const total = lengths.reduce((m, n) => m + n, 0);
  if (total !== shape[at]) {
    throw new ShapeError(
      `split: lengths [${lengths.join(', ')}] do not add up to axis ${at} of shape ${shapeText(shape)}.`,
    );
  }
  let begin = 0;
  return lengths.map((length) => {
    begin += length;
    return sliceAxis(x, at, begin - length, begin);
  });
}

/** The value with zeros before and after along each axis. */
export function pad<T extends Value>(x: T, before: readonly number[], after: readonly number[]): Result<T> {
  const node = toNode(x);
  if (before.length !== node.shape.length || after.length !== node.shape.length) {
    throw new ShapeError(`pad: ${before.length} and ${after.length} paddings for shape ${shapeText(node.shape)}.`);
  }
  const shape = node.shape.map((n, i) => before[i] + n + after[i]);
  if (sameShape(shape, node.shape)) return settle(node, x);
  return settle(new Node(PAD, [node], windowAttributes(before), shape, node.dtype, node.space), x);
}
