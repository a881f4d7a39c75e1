/** Along one axis of a tensor: sums, extremes, running sums, and picking by index. Axis 0 goes down the rows of a matrix. */
import { describe } from '../../runtime/describe.ts';
import { WaymarkError } from '../../runtime/errors.ts';
import { sizeOf } from '../../tensor/shape.ts';
import { Tensor } from '../../tensor/tensor.ts';
import { checkTensor, matrixShape } from './operands.ts';

/** How entries lie along an axis: `outer` blocks of `length` rows of `inner` entries. */
interface Layout {
  readonly outer: number;
  readonly length: number;
  readonly inner: number;
  readonly rest: readonly number[];
}

function along(caller: string, tensor: Tensor, axis: number): Layout {
  checkTensor(caller, tensor);
  checkAxis(caller, tensor.dims, axis);
  const { dims } = tensor;
  return {
    outer: sizeOf(dims.slice(0, axis)),
    length: dims[axis],
    inner: sizeOf(dims.slice(axis + 1)),
    rest: dims.filter((_, i) => i !== axis),
  };
}

/** Refuses an axis that dims do not have. */
export function checkAxis(caller: string, dims: readonly number[], axis: unknown): void {
  if (Number.isInteger(axis) && (axis as number) >= 0 && (axis as number) < dims.length) return;
  throw new WaymarkError(
    `T.${caller} needs an axis from 0 to ${dims.length - 1} for a tensor of dims [${dims.join(', ')}], got ${describe(axis)}.`,
  );
}

function reduced(
  caller: string,
  tensor: Tensor,
  axis: number,
  start: number,
  step: (a: number, b: number) => number,
): Tensor {
  const { outer, length, inner, rest } = along(caller, tensor, axis);
  const data = new Float64Array(outer * inner).fill(start);
  for (let i = 0; i < outer; i++) {
    for (let j = 0; j < length; j++) {
      for (let k = 0; k < inner; k++) {
        const at = i * inner + k;
        data[at] = step(data[at], tensor.data[(i * length + j) * inner + k]);
      }
    }
  }
  return new Tensor(rest, data);
}

/** Sums along an axis, which the result does not have: `T.sumOver(matrix, 0)` has a sum for each column. */
export function sumOver(tensor: Tensor, axis: number): Tensor {
  return reduced('sumOver', tensor, axis, 0, (a, b) => a + b);
}

/** The largest entries along an axis. */
export function maxOver(tensor: Tensor, axis: number): Tensor {
  return reduced('maxOver', tensor, axis, -Infinity, Math.max);
}

/** The smallest entries along an axis. */
export function minOver(tensor: Tensor, axis: number): Tensor {
  return reduced('minOver', tensor, axis, Infinity, Math.min);
}

/** Each entry and all before it along an axis, added up. */
export function cumsum(tensor: Tensor, axis = 0): Tensor {
  const { outer, length, inner } = along('cumsum', tensor, axis);
  const data = tensor.data.slice();
  for (let i = 0; i < outer; i++) {
    for (let j = 1; j < length; j++) {
      for (let k = 0; k < inner; k++) data[(i * length + j) * inner + k] += data[(i * length + j - 1) * inner + k];
    }
  }
  return new Tensor(tensor.dims, data);
}

/** The entries of a vector, or the rows of a matrix, at these indices. */
export function gather(tensor: Tensor, indices: readonly number[] | Tensor): Tensor {
  checkTensor('gather', tensor);
  const places = Array.from(indices instanceof Tensor ? indices.data : indices);
  const [length, ...rest] = tensor.dims;
  const wrong = places.find((place) => !(Number.isInteger(place) && place >= 0 && place < length));
  if (wrong !== undefined) {
    throw new WaymarkError(`T.gather needs indices from 0 to ${length - 1}, got ${describe(wrong)}.`);
  }
  const inner = sizeOf(rest);
  const data = new Float64Array(places.length * inner);
  places.forEach((place, i) => {
    data.set(tensor.data.subarray(place * inner, (place + 1) * inner), i * inner);
  });
  return new Tensor([places.length, ...rest], data);
}

/** The matrix of products of each entry of one vector with each of another. */
export function outer(a: Tensor, b: Tensor): Tensor {
  const [rows] = vectorShape(a);
  const [columns] = vectorShape(b);
  const data = new Float64Array(rows * columns);
  for (let i = 0; i < rows; i++) for (let j = 0; j < columns; j++) data[i * columns + j] = a.data[i] * b.data[j];
  return new Tensor([rows, columns], data);
}

function vectorShape(tensor: Tensor): [number, number] {
  const shape = matrixShape('outer', tensor);
  if (shape[1] !== 1) throw new WaymarkError(`T.outer needs two vectors, got ${describe(tensor)}.`);
  return shape;
}
