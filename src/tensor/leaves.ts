/** Where graphs begin: constants, inputs of plans, and plain values that meet a node. */
import type { LaneSpace } from './lane-space.ts';
import { engineMode } from './mode.ts';
import { CONSTANT, type Data, type DType, INPUT, NO_INPUTS, Node, type Value } from './node.ts';
import { SCALAR, type Shape, ShapeError, shapeText, sizeOf } from './shape.ts';
import { Tensor } from './tensor.ts';

/** A plain number or truth value as a node. */
export function scalar(value: number | boolean): Node {
  const node = new Node(CONSTANT, NO_INPUTS, null, SCALAR, typeof value === 'boolean' ? 'bool' : 'f64', null);
  node.data = +value;
  return node;
}

/** Numbers of a graph that is not evaluated again: each is one node, however often it is used. */
const shared = new Map<number | boolean, Node>();
const MOST_SHARED = 1000;

function sharedScalar(value: number | boolean): Node {
  // A map takes −0 for 0.
  if (Object.is(value, -0)) return scalar(value);
  let node = shared.get(value);
  if (node === undefined) {
    if (shared.size === MOST_SHARED) shared.clear();
    node = scalar(value);
    shared.set(value, node);
  }
  return node;
}

/** Data as a node; not copied, so it must not change afterwards. With a space, the first axis is the lane axis. */
export function constant(data: Data, shape: Shape, space: LaneSpace | null = null, dtype?: DType): Node {
  const length = (space === null ? 1 : space.size) * sizeOf(shape);
  if (data.length !== length) {
    const lanes = space === null ? '' : ` in ${space.size} lanes`;
    throw new ShapeError(`constant: shape ${shapeText(shape)}${lanes} has ${length} elements, got ${data.length}.`);
  }
  const kind = dtype ?? (data instanceof Float64Array ? 'f64' : data instanceof Int32Array ? 'i32' : 'f32');
  const node = new Node(CONSTANT, NO_INPUTS, null, shape, kind, space);
  node.data = space === null && shape.length === 0 ? data[0] : data;
  return node;
}

const kept = new WeakMap<Tensor, Node>();

/** A tensor as a node (the same node each time, so that repeated uses are recognised as one value). */
function tensorNode(tensor: Tensor): Node {
  let node = kept.get(tensor);
  if (node === undefined) {
    node = constant(tensor.data, tensor.dims);
    kept.set(tensor, node);
  }
  return node;
}

/** A number, truth value or tensor as a leaf of its own; undefined for anything else. */
export function leafOf(value: unknown): Node | undefined {
  if (typeof value === 'number' || typeof value === 'boolean') return scalar(value);
  return value instanceof Tensor ? constant(Float64Array.from(value.data), value.dims) : undefined;
}

/** A place for a value given when a plan is run (`compilePlan`). */
export function input(shape: Shape = SCALAR, dtype: DType = 'f64', space: LaneSpace | null = null): Node {
  return new Node(INPUT, NO_INPUTS, null, shape, dtype, space);
}

export function toNode(value: Value): Node {
  if (value instanceof Node) return value;
  if (typeof value === 'number' || typeof value === 'boolean') {
    return engineMode.growing ? sharedScalar(value) : scalar(value);
  }
  if (value instanceof Tensor) return tensorNode(value);
  throw new TypeError(`Expected a number, a truth value, a tensor or a node, got ${typeof value}.`);
}
