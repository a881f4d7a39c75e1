/** Entries of tensors: sums over them, picking and rearranging them. */
import { describe } from '../../runtime/describe.ts';
import { WaymarkError } from '../../runtime/errors.ts';
import { sizeOf } from '../../tensor/shape.ts';
import { Tensor } from '../../tensor/tensor.ts';
import { itemsOf, type List } from '../arguments.ts';
import { checkTensor, entry } from './operands.ts';

/** The sum of all entries. */
export function sumreduce(tensor: Tensor): number {
  checkTensor('sumreduce', tensor);
  let total = 0;
  for (let i = 0; i < tensor.length; i++) total += tensor.data[i];
  return total;
}

/** Whether no entry is zero. */
export function allreduce(tensor: Tensor): boolean {
  checkTensor('allreduce', tensor);
  return tensor.data.every((x) => x !== 0);
}

/** Whether some entry is not zero. */
export function anyreduce(tensor: Tensor): boolean {
  checkTensor('anyreduce', tensor);
  return tensor.data.some((x) => x !== 0);
}

/** The entry at an index counted row after row. */
export function get(tensor: Tensor, index: number): number {
  checkTensor('get', tensor);
  const value = Number.isInteger(index) ? tensor.data[index] : undefined;
  if (value === undefined) {
    throw new WaymarkError(
      `T.get needs an index from 0 to ${tensor.length - 1} for ${describe(tensor)}, got ${describe(index)}.`,
    );
  }
  return value;
}

/** The entries as an array of numbers. */
export function toScalars(tensor: Tensor): number[] {
  checkTensor('toScalars', tensor);
  const { data } = tensor;
  // (Array.from asks the iterator, which takes ten times as long.)
  const scalars: number[] = [];
  for (let i = 0; i < data.length; i++) scalars.push(data[i]);
  return scalars;
}

/** A tensor of dims [n] from numbers. */
export function fromScalars(values: List<number>): Tensor {
  const items = itemsOf('T.fromScalars(array)', values);
  return new Tensor(
    [items.length],
    Float64Array.from(items, (value) => entry('T.fromScalars', value)),
  );
}

/** The entries from one index up to but not including another, as a tensor of dims [n]. */
export function range(tensor: Tensor, from: number, to: number): Tensor {
  checkTensor('range', tensor);
  if (!Number.isInteger(from) || !Number.isInteger(to) || from < 0 || to < from || to > tensor.length) {
    throw new WaymarkError(
      `T.range needs whole numbers with 0 ≤ from ≤ to ≤ ${tensor.length}, got ${describe(from)} and ${describe(to)}.`,
    );
  }
  return new Tensor([to - from], tensor.data.slice(from, to));
}

/** Consecutive pieces of the given lengths, each of dims [n]. */
export function split(tensor: Tensor, lengths: readonly number[]): Tensor[] {
  checkTensor('split', tensor);
  let at = 0;
  return Array.from(itemsOf<number>('T.split(tensor, lengths)', lengths), (length) => {
    const piece = range(tensor, at, at + length);
    at += length;
    return piece;
  });
}

/** The entries of all tensors, given as a list or one by one, as a tensor of dims [n]. */
export function concat(...tensors: readonly (Tensor | readonly Tensor[])[]): Tensor {
  const parts = tensors.flat() as Tensor[];
  let length = 0;
  for (const part of parts) {
    checkTensor('concat', part);
    length += part.length;
  }
  const data = new Float64Array(length);
  let at = 0;
  for (const part of parts) {
    data.set(part.data, at);
    at += part.length;
  }
  return new Tensor([length], data);
}

/** The same entries with other dimensions. */
export function reshape(tensor: Tensor, dims: readonly number[]): Tensor {
  checkTensor('reshape', tensor);
  const areDims = Array.isArray(dims) && dims.every((d) => Number.isInteger(d) && d >= 0);
  if (!areDims || sizeOf(dims) !== tensor.length) {
    throw new WaymarkError(
      `T.reshape needs dimensions whose product is ${tensor.length}, got ${Array.isArray(dims) ? `[${dims.join(', ')}]` : describe(dims)}.`,
    );
  }
  return new Tensor([...dims], tensor.data);
}

/** exp of each entry, divided by their sum over all entries. */
export function softmax(tensor: Tensor): Tensor {
  checkTensor('softmax', tensor);
  const { data } = tensor;
  let largest = -Infinity;
  for (let i = 0; i < data.length; i++) if (data[i] > largest) largest = data[i];
  const result = new Float64Array(data.length);
  let total = 0;
  for (let i = 0; i < data.length; i++) {
    result[i] = Math.exp(data[i] - largest);
    total += result[i];
  }
  for (let i = 0; i < data.length; i++) result[i] /= total;
  return new Tensor(tensor.dims, result);
}
