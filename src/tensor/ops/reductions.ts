/** Sums, products, extremes along axes; running sums; orderings. */

import { castTo } from '../elementwise/record.ts';
import { isGatheredRow, regather } from '../hoist.ts';
import {
  type AxisAttributes,
  argmaxKernel,
  argsortKernel,
  cumsumKernel,
  maxKernel,
  minKernel,
  prodKernel,
  type ReduceAttributes,
  sumKernel,
} from '../kernels/reduce.ts';
import { toNode } from '../leaves.ts';
import { compositeOp, kernelOp, Node, type Op, type Value } from '../node.ts';
import { normaliseAxes, normaliseAxis, type Shape, ShapeError, sizeOf } from '../shape.ts';
import { add, div, eq, exp, log, mul, select, stopGradient, sub } from './arithmetic.ts';
import { type Result, settle } from './settle.ts';
import { reshape } from './structure.ts';

export const SUM = kernelOp('sum', sumKernel);
export const PROD = kernelOp('prod', prodKernel);
export const MAX_OF = kernelOp('maxOf', maxKernel);
export const MIN_OF = kernelOp('minOf', minKernel);
export const ARGMAX = kernelOp('argmax', argmaxKernel);
export const CUMSUM = kernelOp('cumsum', cumsumKernel);
export const ARGSORT = kernelOp('argsort', argsortKernel);

type Axes = number | readonly number[];

const kept = new Map<string, ReduceAttributes>();

export function reduceAttributes(axes: readonly number[], lanes: boolean): ReduceAttributes {
  const key = `${axes.join(',')}${lanes ? 'L' : ''}`;
  let attributes = kept.get(key);
  if (attributes === undefined) {
    attributes = { key, axes, lanes };
    kept.set(key, attributes);
  }
  return attributes;
}

/** Values without axes are float64 whatever they were summed from. */
function recordReduce(op: Op, x: Node, axes: readonly number[], overLanes: boolean): Node {
  if (!overLanes && isGatheredRow(x)) return onTable(x, axes, (table, own) => recordReduce(op, table, own, false));
  const shape = axes.length === 0 ? x.shape : x.shape.filter((_, i) => !axes.includes(i));
  const dtype = shape.length === 0 || x.dtype !== 'f32' ? 'f64' : 'f32';
  return new Node(op, [x], reduceAttributes(axes, overLanes), shape, dtype, overLanes ? null : x.space);
}

function reduce(op: Op, name: string, x: Node, axes: Axes | undefined, keep = false): Node {
  const list = normaliseAxes(name, x.shape, axes);
  if (list.length === 0 && op !== ARGMAX) return x;
  const out = recordReduce(op, x, list, false);
  return keep ? reshape(out, withOnes(x.shape, list)) : out;
}

/** The shape with reduced axes kept at length 1, as broadcasting back needs it. */
export function withOnes(shape: Shape, axes: readonly number[]): Shape {
  return shape.map((n, i) => (axes.includes(i) ? 1 : n));
}

/** The sum over axes (all of them by default); lanes stay apart. */
export function sum<T extends Value>(x: T, axes?: Axes, keep = false): Result<T> {
  return settle(reduce(SUM, 'sum', toNode(x), axes, keep), x);
}

export function prod<T extends Value>(x: T, axes?: Axes, keep = false): Result<T> {
  return settle(reduce(PROD, 'prod', toNode(x), axes, keep), x);
}

export function maxOf<T extends Value>(x: T, axes?: Axes, keep = false): Result<T> {
  return settle(reduce(MAX_OF, 'maxOf', toNode(x), axes, keep), x);
}

export function minOf<T extends Value>(x: T, axes?: Axes, keep = false): Result<T> {
  return settle(reduce(MIN_OF, 'minOf', toNode(x), axes, keep), x);
}

/** The position of the first largest element along an axis, or within the whole value flattened. */
export function argmax<T extends Value>(x: T, axis?: number): Result<T> {
  return settle(reduce(ARGMAX, 'argmax', toNode(x), axis), x);
}

export function mean<T extends Value>(x: T, axes?: Axes, keep = false): Result<T> {
  const node = toNode(x);
  const list = normaliseAxes('mean', node.shape, axes);
  const count = sizeOf(list.map((axis) => node.shape[axis]));
  return settle(div(reduce(SUM, 'mean', node, list, keep), count), x);
}

/** The sum over all lanes (and over axes, none by default): a value without lanes. */
export function sumLanes(x: Node, axes: Axes = []): Node {
  if (x.space === null) throw new ShapeError('sumLanes: the value has no lanes to sum over.');
  return recordReduce(SUM, x, normaliseAxes('sumLanes', x.shape, axes), true);
}

const axisKept = new Map<string, AxisAttributes>();

function axisAttributes(axis: number, reverse: boolean): AxisAttributes {
  const key = `${axis}${reverse ? 'R' : ''}`;
  let attributes = axisKept.get(key);
  if (attributes === undefined) {
    attributes = { key, axis, reverse };
    axisKept.set(key, attributes);
  }
  return attributes;
}

function alongAxis(op: Op, x: Node, axis: number, reverse: boolean): Node {
  const attributes = axisAttributes(normaliseAxis(op.name, x.shape, axis), reverse);
  return new Node(op, [x], attributes, x.shape, x.dtype === 'f32' ? 'f32' : 'f64', x.space);
}

/** Running sums along an axis, from its end if `reverse`. */
export function cumsum<T extends Value>(x: T, axis = -1, reverse = false): Result<T> {
  return settle(alongAxis(CUMSUM, toNode(x), axis, reverse), x);
}

/** Positions along an axis in ascending order of value (descending if `reverse`). No gradient. */
export function argsort<T extends Value>(x: T, axis = -1, reverse = false): Result<T> {
  return settle(alongAxis(ARGSORT, toNode(x), axis, reverse), x);
}

/** The largest along the axes, with −∞ replaced by 0 so that subtracting it never gives ∞ − ∞. */
function finiteMax(x: Node, axes: readonly number[]): Node {
  const largest = stopGradient(reduce(MAX_OF, 'max', x, axes, true));
  return select(eq(largest, -Infinity), 0, largest);
}

function axesOf(node: Node): readonly number[] {
  return (node.attributes as ReduceAttributes).axes;
}

export const LOGSUMEXP = compositeOp('logsumexp', (node) => {
  const [x] = node.inputs;
  const axes = axesOf(node);
  const largest = finiteMax(x, axes);
  const total = reduce(SUM, 'logsumexp', exp(sub(x, largest)), axes);
  return add(log(total), reshape(largest, total.shape));
});

export const SOFTMAX = compositeOp('softmax', (node) => {
  const [x] = node.inputs;
  const axes = axesOf(node);
  const e = exp(sub(x, finiteMax(x, axes)));
  return mul(e, div(1, reduce(SUM, 'softmax', e, axes, true)));
});

export const LOG_SOFTMAX = compositeOp('logSoftmax', (node) => {
  const [x] = node.inputs;
  const axes = axesOf(node);
  const shifted = sub(x, finiteMax(x, axes));
  return sub(shifted, log(reduce(SUM, 'logSoftmax', exp(shifted), axes, true)));
});

SOFTMAX.logarithm = LOG_SOFTMAX;
LOG_SOFTMAX.probability = SOFTMAX;

/** log Σ exp(x) over axes (all by default); −∞ of nothing but −∞. */
export function logsumexp<T extends Value>(x: T, axes?: Axes, keep = false): Result<T> {
  const node = toNode(x);
  const list = normaliseAxes('logsumexp', node.shape, axes);
  if (list.length === 0) return settle(node, x);
  const out = recordReduce(LOGSUMEXP, node, list, false);
  return settle(keep ? reshape(out, withOnes(node.shape, list)) : out, x);
}

/** An operation along axes of a gathered row, done along those axes of the table. */
function onTable(row: Node, axes: readonly number[], operation: (table: Node, axes: number[]) => Node): Node {
  const out = operation(
    row.inputs[0],
    axes.map((axis) => axis + 1),
  );
  const gathered = regather(row, out);
  return gathered.shape.length === 0 ? castTo(gathered, 'f64') : gathered;
}

function normalised(op: Op, x: Node, axes: Axes | undefined): Node {
  if (isGatheredRow(x))
    return onTable(x, normaliseAxes(op.name, x.shape, axes), (table, own) => normalised(op, table, own));
  const attributes = reduceAttributes(normaliseAxes(op.name, x.shape, axes), false);
  return new Node(op, [x], attributes, x.shape, x.dtype === 'f32' ? 'f32' : 'f64', x.space);
}

/** exp(x) scaled to sum to 1 over axes (all by default). */
export function softmax<T extends Value>(x: T, axes?: Axes): Result<T> {
  return settle(normalised(SOFTMAX, toNode(x), axes), x);
}

export function logSoftmax<T extends Value>(x: T, axes?: Axes): Result<T> {
  return settle(normalised(LOG_SOFTMAX, toNode(x), axes), x);
}
