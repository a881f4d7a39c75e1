/** Reference kernels that move elements without computing. */
import type { Attributes, Kernel } from '../node.ts';
import { sizeOf, stridesOf } from '../shape.ts';
import { offsetsAlong } from './walk.ts';

export interface TransposeAttributes extends Attributes {
  readonly permutation: readonly number[];
}

/** For each element of the transposed array, where it comes from. */
export function transposeOffsets(dims: readonly number[], lanes: boolean, permutation: readonly number[]): Int32Array {
  const axes = lanes ? [0, ...permutation.map((axis) => axis + 1)] : permutation;
  return offsetsAlong(dims, axes);
}

export const transposeKernel: Kernel = (out, [input], attributes) => {
  const offsets = transposeOffsets(input.dims, input.lanes, (attributes as TransposeAttributes).permutation);
  for (let i = 0; i < offsets.length; i++) out.data[i] = input.data[offsets[i]];
};

export interface ConcatAttributes extends Attributes {
  readonly axis: number;
}

export const concatKernel: Kernel = (out, inputs, attributes) => {
  const axis = (attributes as ConcatAttributes).axis + (out.lanes ? 1 : 0);
  const step = stridesOf(out.dims)[axis] * out.dims[axis];
  let at = 0;
  for (const { data, dims } of inputs) {
    const width = stridesOf(dims)[axis] * dims[axis];
    const blocks = width === 0 ? 0 : data.length / width;
    for (let i = 0; i < blocks; i++) {
      for (let j = 0; j < width; j++) out.data[i * step + at + j] = data[i * width + j];
    }
    at += width;
  }
};

export interface WindowAttributes extends Attributes {
  /** Where the smaller array begins within the larger one, along each axis. */
  readonly begin: readonly number[];
}

/** Offsets in an array of `larger` dims of the elements of a window of `smaller` dims. */
export function windowOffsets(
  larger: readonly number[],
  smaller: readonly number[],
  lanes: boolean,
  begin: readonly number[],
): Int32Array {
  const strides = stridesOf(larger);
  const start = lanes ? [0, ...begin] : begin;
  let base = 0;
  for (let i = 0; i < start.length; i++) base += start[i] * strides[i];
  const size = sizeOf(smaller);
  const out = new Int32Array(size);
  let filled = 1;
  if (size > 0) out[0] = base;
  for (let axis = 0; axis < smaller.length && size > 0; axis++) {
    const n = smaller[axis];
    for (let i = filled - 1; i >= 0; i--) {
      const from = out[i];
      for (let j = n - 1; j >= 0; j--) out[i * n + j] = from + j * strides[axis];
    }
    filled *= n;
  }
  return out;
}

export const sliceKernel: Kernel = (out, [input], attributes) => {
  const offsets = windowOffsets(input.dims, out.dims, out.lanes, (attributes as WindowAttributes).begin);
  for (let i = 0; i < offsets.length; i++) out.data[i] = input.data[offsets[i]];
};

/** The input surrounded by zeros: the adjoint of `slice`. */
export const padKernel: Kernel = (out, [input], attributes) => {
  const offsets = windowOffsets(out.dims, input.dims, out.lanes, (attributes as WindowAttributes).begin);
  out.data.fill(0);
  for (let i = 0; i < offsets.length; i++) out.data[offsets[i]] = input.data[i];
};
