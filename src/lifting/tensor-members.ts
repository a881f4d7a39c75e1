/** Fields and methods of nodes that stand for tensors, as programs read and call them on plain tensors. */
import '../library/tensors/methods.ts';
import type { Fn } from '../algebra/domain.ts';
import { takenApartOver } from '../algebra/taken-apart.ts';
import { settled } from '../runtime/force.ts';
import { Node, type Value } from '../tensor/node.ts';
import * as ops from '../tensor/ops.ts';
import { Tensor } from '../tensor/tensor.ts';
import { lostGradient } from './lost-gradients.ts';
import { operators } from './operators.ts';
import { elements, entry } from './tensor-nodes.ts';
import { T } from './tensors.ts';

export const isTensor = (value: unknown): value is Node => value instanceof Node && value.shape.length > 0;

const FIELDS: Readonly<Record<string, (tensor: Node) => unknown>> = {
  data: (tensor) => T.toScalars(tensor),
  length: elements,
  dims: (tensor) => [...tensor.shape],
  rank: (tensor) => tensor.shape.length,
};

/** `object.name` for names of fields that tensors have, or nodes. */
export function field(object: unknown, name: string): unknown {
  if (!isTensor(object)) return operators.field(object, name);
  if (Object.hasOwn(FIELDS, name)) return FIELDS[name](object);
  return (METHODS.has(name) ? (object as unknown as Names) : (Tensor.prototype as unknown as Names))[name];
}

/** The value that a pattern finds in a tensor. */
const fieldsOf = (tensor: Node): object =>
  new Proxy({}, { get: (_target, name) => (typeof name === 'string' ? field(tensor, name) : undefined) });

/** The value that a pattern takes apart. */
export const apart = takenApartOver((value) => (isTensor(value) ? fieldsOf(value) : operators.apart(value)));

type Names = Readonly<Record<string, unknown>>;

function toArray(tensor: Node): unknown {
  let at = 0;
  const level = (axis: number): unknown =>
    axis === tensor.shape.length
      ? entry(tensor, at++)
      : Array.from({ length: tensor.shape[axis] }, () => level(axis + 1));
  return level(0);
}

function at(tensor: Node, coordinates: readonly Value[]): unknown {
  const { shape } = tensor;
  const places = coordinates.map((value) => settled(value) as number);
  if (places.length !== shape.length || !places.every((place, axis) => place >= 0 && place < shape[axis])) {
    // The plain method has the message for this.
    return (new Tensor(shape, new Float64Array(elements(tensor))) as unknown as Methods).get(places);
  }
  return entry(
    tensor,
    shape.reduce((place, d, axis) => place * d + places[axis], 0),
  );
}

type Methods = Readonly<Record<string, (...args: unknown[]) => unknown>>;

const OWN: Readonly<Record<string, (tensor: Node, ...args: never[]) => unknown>> = {
  toArray,
  toFlatArray: (tensor) => T.toScalars(tensor),
  get: at,
  clone: (tensor) => tensor,
  maxreduce: (tensor) => ops.maxOf(tensor),
  minreduce: (tensor) => ops.minOf(tensor),
};

/** Those whose values jump. */
const JUMPING: ReadonlySet<string> = new Set(['isNaN', 'isFinite', 'allreduce', 'anyreduce', 'floor', 'ceil', 'round']);

/** What tensors have besides, for keys and texts; nodes have their own. */
const NOT_CALLED: ReadonlySet<string> = new Set(['constructor', 'valueKey', 'toString', 'toJSON']);

/** A method of tensors, by its name. */
const plainMethod = (name: string): Fn => Object.getOwnPropertyDescriptor(Tensor.prototype, name)?.value as Fn;

/** Those that nodes have, where they stand for tensors. */
const METHODS: ReadonlySet<string> = new Set(
  Object.getOwnPropertyNames(Tensor.prototype).filter(
    (name) => !(name in Node.prototype) && !NOT_CALLED.has(name) && typeof plainMethod(name) === 'function',
  ),
);

for (const name of METHODS) {
  const plain = plainMethod(name);
  const own = OWN[name] ?? (T as unknown as Methods)[name];
  const method = function (this: Node, ...args: unknown[]): unknown {
    if (own !== undefined) return own(this, ...(args as never[]));
    if (!JUMPING.has(name)) lostGradient(`the method ${name} of a tensor`, [this, args]);
    return plain.apply(settled(this), args.map(settled));
  };
  Object.defineProperty(Node.prototype, name, {
    configurable: true,
    // A number has no such methods, though a node stands for it.
    get(this: Node): unknown {
      return isTensor(this) ? method : undefined;
    },
  });
}
