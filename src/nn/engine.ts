import { HOW_TO_COMPILE } from '../runtime/compilation.ts';
import { WaymarkError } from '../runtime/errors.ts';
import { lifting } from '../runtime/lifting.ts';
import { machine } from '../runtime/machine.ts';
import type { Value } from '../tensor/node.ts';
import { Tensor } from '../tensor/tensor.ts';

/** The operations networks are made of: on tensors they calculate, on nodes they record. */
export function engine(): typeof import('../tensor/ops.ts') {
  if (lifting.current !== null) return lifting.current.ops;
  throw new WaymarkError(`Networks need a program compiled for gradients. ${HOW_TO_COMPILE}`);
}

/**
 * Whether networks compute in single precision, which they do while they are trained: it is twice as fast or more, and
 * loses nothing next to the noise of gradients.
 */
export function inSinglePrecision(): boolean {
  return machine.lifted && machine.handler.guided === true && machine.run.engine?.precision !== 'double';
}

/** What networks compute with. */
export function forNetworks<T extends Value>(x: T): T {
  return inSinglePrecision() ? (engine().inSinglePrecision(x) as unknown as T) : x;
}

/** The shape of a tensor or of what stands for one. */
export function shapeOf(x: Value): readonly number[] {
  if (typeof x === 'number' || typeof x === 'boolean') return [];
  return x instanceof Tensor ? x.dims : x.shape;
}

export function lengthOf(x: Value): number {
  return shapeOf(x).reduce((size, n) => size * n, 1);
}

/** Any tensor as a vector of dims [n, 1], checked to have the expected length. */
export function vectorOf(owner: string, x: unknown, length: number): Value {
  const tensor = asTensor(owner, x);
  const n = lengthOf(tensor);
  if (n !== length) throw new WaymarkError(`${owner} takes a vector of length ${length}, got one of length ${n}.`);
  const shape = shapeOf(tensor);
  return forNetworks(
    shape.length === 2 && shape[1] === 1 ? tensor : (engine().reshape(tensor as Tensor, [n, 1]) as Value),
  );
}

/** A tensor, a node, or an array of numbers. */
export function asTensor(owner: string, x: unknown): Value {
  const inLanes = lifting.current?.vectorInLanes(x);
  if (inLanes !== undefined) return inLanes;
  if (Array.isArray(x)) return engine().stack(x as Tensor[]) as Value;
  if (x instanceof Tensor) return x;
  if (lifting.current?.isLifted(x)) return lifting.current.narrowed(x) as Value;
  throw new WaymarkError(`${owner} takes a tensor, got ${x === null ? 'null' : typeof x}.`);
}
