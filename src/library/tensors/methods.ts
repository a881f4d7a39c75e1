/**
 * The functions of `T` as methods of tensors, as WebPPL's programs may call them: `v.add(1)`, `m.dot(v)`, `m.get([1, 0])`.
 * WebPPL also has forms that change a tensor in place; tensors here never change.
 */
import { describe } from '../../runtime/describe.ts';
import { WaymarkError } from '../../runtime/errors.ts';
import { Tensor } from '../../tensor/tensor.ts';
import * as elementwise from './elementwise.ts';
import { allreduce, anyreduce, reshape, softmax, sumreduce } from './entries.ts';
import { cholesky, determinant, diagonal, dot, inverse, transpose } from './linear-algebra.ts';

/** Numbers in arrays within arrays, one level per dimension. */
export type Nested = number | Nested[];

function toArray(tensor: Tensor): Nested[] {
  let at = 0;
  const level = (axis: number): Nested =>
    axis === tensor.rank ? tensor.data[at++] : Array.from({ length: tensor.dims[axis] }, () => level(axis + 1));
  return level(0) as Nested[];
}

/** The entry at the given coordinates, one per dimension. */
function get(tensor: Tensor, coordinates: readonly number[]): number {
  const { dims, data } = tensor;
  const given = Array.isArray(coordinates) && coordinates.length === dims.length;
  if (
    !given ||
    !dims.every((d, axis) => Number.isInteger(coordinates[axis]) && coordinates[axis] >= 0 && coordinates[axis] < d)
  ) {
    throw new WaymarkError(
      `get needs coordinates within [${dims.join(', ')}], such as get([${dims.map(() => 0).join(', ')}]); got ${describe(coordinates)}.`,
    );
  }
  return data[dims.reduce((place, d, axis) => place * d + coordinates[axis], 0)];
}

const maxreduce = (tensor: Tensor): number => tensor.data.reduce((a, b) => Math.max(a, b), -Infinity);
const minreduce = (tensor: Tensor): number => tensor.data.reduce((a, b) => Math.min(a, b), Infinity);

const { areNaN, areFinite, ...functions } = elementwise;

const methods: Readonly<Record<string, (tensor: Tensor, operand: never) => unknown>> = {
  ...functions,
  isNaN: areNaN,
  isFinite: areFinite,
  ...{ cholesky, determinant, diagonal, dot, inverse, transpose },
  ...{ allreduce, anyreduce, sumreduce, maxreduce, minreduce },
  ...{ reshape, softmax, toArray, get },
  toFlatArray: (tensor) => Array.from(tensor.data),
  clone: (tensor) => new Tensor(tensor.dims, tensor.data.slice()),
};

for (const [name, method] of Object.entries(methods)) {
  Object.defineProperty(Tensor.prototype, name, {
    configurable: true,
    writable: true,
    value(this: Tensor, operand: never): unknown {
      return method(this, operand);
    },
  });
}

type Functions = Omit<typeof elementwise, 'areNaN' | 'areFinite'>;

declare module '../../tensor/tensor.ts' {
  interface Tensor extends TensorMethods {}
}

/** What programs may call on a tensor. */
export type TensorMethods = {
  [K in keyof Functions]: Functions[K] extends (tensor: Tensor, ...rest: infer R) => infer Result
    ? (...rest: R) => Result
    : never;
} & {
  isNaN(): Tensor;
  isFinite(): Tensor;
  cholesky(): Tensor;
  determinant(): number;
  diagonal(): Tensor;
  dot(other: Tensor): Tensor;
  inverse(): Tensor;
  transpose(): Tensor;
  allreduce(): boolean;
  anyreduce(): boolean;
  sumreduce(): number;
  maxreduce(): number;
  minreduce(): number;
  reshape(dims: readonly number[]): Tensor;
  softmax(): Tensor;
  toArray(): Nested[];
  toFlatArray(): number[];
  get(coordinates: readonly number[]): number;
  clone(): Tensor;
};
