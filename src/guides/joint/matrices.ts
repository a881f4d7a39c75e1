/**
 * Products and other operations, on nodes recorded by the engine, on plain tensors computed at once: drawing from
 * guides makes them for every choice.
 */
import type { Node, Value } from '../../tensor/node.ts';
import * as ops from '../../tensor/ops.ts';
import { mask, Tensor } from '../../tensor/tensor.ts';

/** A matrix times a column. */
export function times(a: Value, x: Value): Value {
  if (!(a instanceof Tensor && x instanceof Tensor)) return ops.matmul(a as Node, x as Node) as Value;
  const [rows, columns] = a.dims;
  const out = new Float64Array(rows);
  for (let i = 0; i < rows; i++) {
    for (let j = 0; j < columns; j++) out[i] += a.data[i * columns + j] * x.data[j];
  }
  return new Tensor([rows, 1], out);
}

/** One column below the other; the first may be missing. */
export function below(first: Value | null, second: Value): Value {
  if (first === null) return second;
  if (!(first instanceof Tensor && second instanceof Tensor))
    return ops.concat([first as Node, second as Node]) as Value;
  const out = new Float64Array(first.length + second.length);
  out.set(first.data);
  out.set(second.data, first.length);
  return new Tensor([out.length, 1], out);
}

/** A column of one number, or back to a number; a column stays as it is. */
export function asColumn(x: Value, scalar: boolean): Value {
  if (!scalar) return x;
  return typeof x === 'number' ? new Tensor([1, 1], Float64Array.of(x)) : (ops.reshape(x as Node, [1, 1]) as Value);
}

export function fromColumn(x: Value, scalar: boolean): Value {
  if (!scalar) return x;
  return x instanceof Tensor ? x.data[0] : (ops.reshape(x as Node, []) as Value);
}

export const identity = (n: number): Tensor => mask(n, n, (i, j) => i === j);

/** The sum of all numbers. */
export function total(x: Value): Value {
  if (typeof x === 'number') return x;
  return x instanceof Tensor ? x.data.reduce((sum, one) => sum + one, 0) : (ops.sum(x as Node) as Value);
}
