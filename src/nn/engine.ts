import { TensorColumn } from '../lanes/columns/tensor-column.ts';
import { columnEngine } from '../lanes/columns/tensor-engine.ts';
import { HOW_TO_COMPILE } from '../runtime/compilation.ts';
import { WaymarkError } from '../runtime/errors.ts';
import { lifting } from '../runtime/lifting.ts';
import { machine } from '../runtime/machine.ts';
import type { Value } from '../tensor/node.ts';
import { sizeOf } from '../tensor/shape.ts';
import { Tensor } from '../tensor/tensor.ts';

/** The operations networks are made of: on tensors they calculate, for many executions at once too, on nodes they record. */
export function engine(): typeof import('../tensor/ops.ts') {
  if (lifting.current !== null) {
    const { ops } = lifting.current;
    return machine.sideBySide === null ? ops : columnEngine(ops);
  }
  throw new WaymarkError(`Networks need a program compiled for gradients. ${HOW_TO_COMPILE}`);
}

/**
 * Whether networks compute in single precision, which they do while they are trained: it is twice as fast or more, and loses
 * nothing next to the variance of gradients.
 */
export function inSinglePrecision(): boolean {
  return machine.lifted && machine.handler.guided === true && machine.run.engine?.precision !== 'double';
}

/** What networks compute with. */
export function forNetworks<T extends Value>(x: T): T {
  return inSinglePrecision() ? (engine().inSinglePrecision(x) as unknown as T) : x;
}

/** The shape of a tensor or of what stands for one: a node, or a tensor of each execution. */
export function shapeOf(x: Value): readonly number[] {
  if (typeof x === 'number' || typeof x === 'boolean') return [];
  return x instanceof Tensor ? x.dims : x.shape;
}

export function lengthOf(x: Value): number {
  return sizeOf(shapeOf(x));
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

/** Whether it is a tensor, or stands for one: in the graph, or for many executions. */
export const isTensor = (x: unknown): boolean =>
  x instanceof Tensor || x instanceof TensorColumn || lifting.current?.isLifted(x) === true;

/** A tensor, what stands for one, or an array of numbers. */
export function asTensor(owner: string, x: unknown): Value {
  const inLanes = lifting.current?.vectorInLanes(x);
  if (inLanes !== undefined) return inLanes;
  if (Array.isArray(x)) return engine().stack(x as Tensor[]) as Value;
  if (x instanceof Tensor || x instanceof TensorColumn) return x as Value;
  if (lifting.current?.isLifted(x)) return lifting.current.narrowed(x) as Value;
  throw new WaymarkError(`${owner} takes a tensor, got ${x === null ? 'null' : typeof x}.`);
}
