/** Making tensors. A vector has dims [n, 1]; numbers are stored row after row. */
import { describe } from '../../runtime/describe.ts';
import { WaymarkError } from '../../runtime/errors.ts';
import { sizeOf } from '../../tensor/shape.ts';
import { isVector, Tensor as TensorValue } from '../../tensor/tensor.ts';
import { itemsOf, type List } from '../arguments.ts';
import { entry } from './operands.ts';

/** Numbers in a vector, a matrix, or an array of more dimensions. A tensor never changes. */
export type Tensor = TensorValue;

function checkDims(caller: string, dims: unknown): asserts dims is readonly number[] {
  if (Array.isArray(dims) && dims.length > 0 && dims.every((d) => Number.isInteger(d) && d >= 0)) {
    if (sizeOf(dims) <= MOST_ENTRIES) return;
    throw new WaymarkError(
      `${caller} of dims [${dims.join(', ')}] would have more than 2^30 entries, which is too many.`,
    );
  }
  const remedy = typeof dims === 'number' ? ` Write [${dims}, 1] for a vector of that length.` : '';
  throw new WaymarkError(
    `${caller} needs its dimensions as an array of whole numbers, such as [3, 1]; got ${describe(dims)}.${remedy}`,
  );
}

/** Eight gigabytes. */
const MOST_ENTRIES = 2 ** 30;

/** A vector with the given entries. */
export function Vector(values: List<number> | readonly boolean[]): Tensor {
  const items = itemsOf('Vector(array)', values as List<number>);
  const data = new Float64Array(items.length);
  for (let i = 0; i < data.length; i++) data[i] = entry('Vector', items[i]);
  return new TensorValue([data.length, 1], data);
}

/** A matrix with the given rows. */
export function Matrix(rows: readonly List<number>[]): Tensor {
  const form = 'Matrix([row, row, …])';
  const lists = Array.from(itemsOf(form, rows), (row) => itemsOf<number>(form, row));
  const width = lists.length === 0 ? 0 : lists[0].length;
  const data = new Float64Array(lists.length * width);
  lists.forEach((list, i) => {
    if (list.length !== width) {
      throw new WaymarkError(
        `Matrix needs rows of one length: row 0 has ${width} entries, row ${i} has ${list.length}.`,
      );
    }
    for (let j = 0; j < width; j++) data[i * width + j] = entry('Matrix', list[j]);
  });
  return new TensorValue([lists.length, width], data);
}

/** A tensor of the given dimensions, its entries given row after row. */
export function Tensor(dims: readonly number[], values: List<number>): Tensor {
  checkDims('Tensor', dims);
  const items = itemsOf('Tensor(dims, array)', values);
  if (items.length !== sizeOf(dims)) {
    throw new WaymarkError(`Tensor of dims [${dims.join(', ')}] needs ${sizeOf(dims)} entries, got ${items.length}.`);
  }
  return new TensorValue(
    [...dims],
    Float64Array.from(items, (value) => entry('Tensor', value)),
  );
}

/** A tensor of zeros. */
export function zeros(dims: readonly number[]): Tensor {
  checkDims('zeros', dims);
  return new TensorValue([...dims], new Float64Array(sizeOf(dims)));
}

/** A tensor of ones. */
export function ones(dims: readonly number[]): Tensor {
  checkDims('ones', dims);
  return new TensorValue([...dims], new Float64Array(sizeOf(dims)).fill(1));
}

/** The n × n matrix with ones on its diagonal. */
export function idMatrix(n: number): Tensor {
  if (!Number.isInteger(n) || n < 1) {
    throw new WaymarkError(`idMatrix needs a whole number of at least 1, got ${describe(n)}.`);
  }
  checkDims('idMatrix', [n, n]);
  const data = new Float64Array(n * n);
  for (let i = 0; i < n; i++) data[i * n + i] = 1;
  return new TensorValue([n, n], data);
}

/** A vector of n zeros, but for a one in place k. */
export function oneHot(k: number, n: number): Tensor {
  if (!Number.isInteger(n) || n < 1 || !Number.isInteger(k) || k < 0 || k >= n) {
    throw new WaymarkError(
      `oneHot(k, n) needs whole numbers with 0 ≤ k < n, got k = ${describe(k)}, n = ${describe(n)}.`,
    );
  }
  checkDims('oneHot', [n, 1]);
  const data = new Float64Array(n);
  data[k] = 1;
  return new TensorValue([n, 1], data);
}

/** The paper's name for `oneHot`. */
export const oneOfK: typeof oneHot = oneHot;

/** The dimensions of a tensor. */
export function dims(tensor: Tensor): number[] {
  if (!(tensor instanceof TensorValue)) throw new WaymarkError(`dims needs a tensor, got ${describe(tensor)}.`);
  return [...tensor.dims];
}

/** One vector after the other, as one vector. */
export function concat(vectors: readonly Tensor[]): Tensor {
  const items = itemsOf('concat([vector, vector, …])', vectors);
  let length = 0;
  for (let i = 0; i < items.length; i++) {
    if (!isVector(items[i])) throw new WaymarkError(`concat needs vectors, got ${describe(items[i])} at index ${i}.`);
    length += items[i].length;
  }
  const data = new Float64Array(length);
  let at = 0;
  for (let i = 0; i < items.length; i++) {
    data.set(items[i].data, at);
    at += items[i].length;
  }
  return new TensorValue([length, 1], data);
}

/** Any tensor as a vector, its entries row after row. */
export function tensorToVector(tensor: Tensor): Tensor {
  if (!(tensor instanceof TensorValue)) {
    throw new WaymarkError(`tensorToVector needs a tensor, got ${describe(tensor)}.`);
  }
  return isVector(tensor) && tensor.rank === 2 ? tensor : new TensorValue([tensor.length, 1], tensor.data);
}
