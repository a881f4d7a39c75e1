import { type Shape, stridesOf } from '../shape.ts';

/** The offsets of all index combinations of axes of these lengths and strides, in row-major order. */
function offsetsOf(lengths: readonly number[], strides: ArrayLike<number>): Int32Array {
  let count = 1;
  for (const n of lengths) count *= n;
  const out = new Int32Array(count);
  let filled = 1;
  for (let axis = 0; axis < lengths.length; axis++) {
    // Each further axis varies faster than those before: spread what is there and fill the gaps.
    const n = lengths[axis];
    for (let i = filled - 1; i >= 0; i--) {
      const base = out[i];
      for (let j = n - 1; j >= 0; j--) out[i * n + j] = base + j * strides[axis];
    }
    filled *= n;
  }
  return out;
}

/** The offsets, in elements, of all index combinations of some axes of an array, in row-major order. */
export function offsetsAlong(dims: Shape, axes: readonly number[]): Int32Array {
  const strides = stridesOf(dims);
  return offsetsOf(
    axes.map((axis) => dims[axis]),
    axes.map((axis) => strides[axis]),
  );
}

/** For each element of an array of `dims`, the offset of its element in an operand broadcast to it. */
export function broadcastOffsets(
  dims: Shape,
  operandDims: Shape,
  operandLanes: boolean,
  outLanes: boolean,
): Int32Array {
  return offsetsOf(dims, broadcastStrides(dims, operandDims, operandLanes, outLanes));
}

/** Strides of an operand along the axes of the result it is broadcast to: 0 where it is repeated. */
function broadcastStrides(dims: Shape, operandDims: Shape, operandLanes: boolean, outLanes: boolean): number[] {
  const own = stridesOf(operandDims);
  const lead = outLanes ? 1 : 0;
  const operandLead = operandLanes ? 1 : 0;
  const strides = new Array<number>(dims.length).fill(0);
  if (outLanes && operandLanes && operandDims[0] > 1) strides[0] = own[0];
  const rank = operandDims.length - operandLead;
  for (let i = 1; i <= rank; i++) {
    const from = operandDims.length - i;
    const to = dims.length - i;
    if (to >= lead && operandDims[from] !== 1) strides[to] = own[from];
  }
  return strides;
}
