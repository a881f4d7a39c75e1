/**
 * Tensors of programs combined entry by entry. Dims are aligned at the end, and an axis of length 1 stretches, so that a
 * column or a row is combined with every column or row of a matrix. Vectors of one length correspond whether their dims
 * are [n] or [n, 1]; vectors of different lengths never fit, since one of them is probably a mistake.
 */
import { type Shape, sameShape, sizeOf, stridesOf } from './shape.ts';
import { Tensor } from './tensor.ts';

/** [n] or [n, 1]. */
export function isVectorShape(dims: Shape): boolean {
  return dims.length === 1 || (dims.length === 2 && dims[1] === 1);
}

/** The dims of a combination; null if the operands do not fit together. */
export function combinedDims(a: Shape, b: Shape): Shape | null {
  if (sameShape(a, b)) return a;
  if (isVectorShape(a) && isVectorShape(b)) return sizeOf(a) === sizeOf(b) ? a : null;
  const rank = Math.max(a.length, b.length);
  const out = new Array<number>(rank);
  for (let i = 1; i <= rank; i++) {
    const m = i <= a.length ? a[a.length - i] : 1;
    const n = i <= b.length ? b[b.length - i] : 1;
    if (m !== n && m !== 1 && n !== 1) return null;
    out[rank - i] = m === 1 ? n : m;
  }
  return out;
}

/** `f` of corresponding entries; null if the operands do not fit together. */
export function combine(a: Tensor, b: Tensor, f: (x: number, y: number) => number): Tensor | null {
  const dims = combinedDims(a.dims, b.dims);
  if (dims === null) return null;
  const data = new Float64Array(sizeOf(dims));
  if (a.length === data.length && b.length === data.length) {
    for (let i = 0; i < data.length; i++) data[i] = f(a.data[i], b.data[i]);
    return new Tensor(dims, data);
  }
  const [stepsA, stepsB] = [a, b].map((operand) => stretchedSteps(operand.dims, dims.length));
  const index = new Array<number>(dims.length).fill(0);
  let [fromA, fromB] = [0, 0];
  for (let i = 0; i < data.length; i++) {
    data[i] = f(a.data[fromA], b.data[fromB]);
    for (let axis = dims.length - 1; axis >= 0; axis--) {
      fromA += stepsA[axis];
      fromB += stepsB[axis];
      if (++index[axis] < dims[axis]) break;
      fromA -= stepsA[axis] * dims[axis];
      fromB -= stepsB[axis] * dims[axis];
      index[axis] = 0;
    }
  }
  return new Tensor(dims, data);
}

/** Distances between neighbours along each axis: 0 where an operand stretches. */
function stretchedSteps(dims: Shape, rank: number): number[] {
  const own = stridesOf(dims).map((stride, i) => (dims[i] === 1 ? 0 : stride));
  return [...new Array<number>(rank - dims.length).fill(0), ...own];
}
