/** Linear algebra on the last two axes. */
import {
  choleskyKernel,
  determinantKernel,
  inverseKernel,
  logdetKernel,
  type SolveAttributes,
  triangularSolveKernel,
} from '../kernels/linalg.ts';
import { constant, toNode } from '../leaves.ts';
import { kernelOp, Node, type Op, type Value } from '../node.ts';
import { type Shape, ShapeError, sameShape, shapeText } from '../shape.ts';
import { mul } from './arithmetic.ts';
import { type Result, settle } from './settle.ts';
import { aligned, reshape } from './structure.ts';

export const CHOLESKY = kernelOp('cholesky', choleskyKernel);
export const TRIANGULAR_SOLVE = kernelOp('triangularSolve', triangularSolveKernel);
export const INVERSE = kernelOp('inverse', inverseKernel);
export const LOGDET = kernelOp('logdet', logdetKernel);
export const DETERMINANT = kernelOp('determinant', determinantKernel);

function square(operation: string, x: Value): Node {
  const node = toNode(x);
  const { shape } = node;
  const rank = shape.length;
  if (rank < 2 || shape[rank - 1] !== shape[rank - 2]) {
    throw new ShapeError(`${operation}: shape ${shapeText(shape)} is not a square matrix.`);
  }
  return node;
}

function record(op: Op, x: Node, shape: Shape): Node {
  const dtype = shape.length === 0 || x.dtype !== 'f32' ? 'f64' : 'f32';
  return new Node(op, [x], null, shape, dtype, x.space);
}

/** The lower triangular L with L Lᵀ = x; NaN if x is not positive definite. */
export function cholesky<T extends Value>(x: T): Result<T> {
  const node = square('cholesky', x);
  return settle(record(CHOLESKY, node, node.shape), x);
}

export function inverse<T extends Value>(x: T): Result<T> {
  const node = square('inverse', x);
  return settle(record(INVERSE, node, node.shape), x);
}

/** log |det x|. */
export function logdet<T extends Value>(x: T): Result<T> {
  const node = square('logdet', x);
  return settle(record(LOGDET, node, node.shape.slice(0, -2)), x);
}

export function determinant<T extends Value>(x: T): Result<T> {
  const node = square('determinant', x);
  return settle(record(DETERMINANT, node, node.shape.slice(0, -2)), x);
}

const solveFlags: readonly SolveAttributes[] = [
  { key: 'n', transpose: false },
  { key: 't', transpose: true },
];

/** X with L X = B for a lower triangular L, or Lᵀ X = B if `transposed`. A vector B of rank 1 gives a vector. */
export function triangularSolve<T extends Value>(triangle: T, right: T, transposed = false): Result<T> {
  const l = square('triangularSolve', triangle);
  const b = toNode(right);
  const isVector = b.shape.length === l.shape.length - 1;
  const [left, columns] = aligned('triangularSolve', [l, isVector ? reshape(b, [...b.shape, 1]) : b]);
  const rank = left.shape.length;
  if (columns.shape.length !== rank || !sameShape(columns.shape.slice(0, -1), left.shape.slice(0, -1))) {
    throw new ShapeError(
      `triangularSolve: shapes ${shapeText(l.shape)} and ${shapeText(b.shape)} do not fit together.`,
    );
  }
  const out = new Node(
    TRIANGULAR_SOLVE,
    [left, columns],
    solveFlags[+transposed],
    columns.shape,
    left.dtype,
    left.space,
  );
  return settle(isVector ? reshape(out, b.shape) : out, triangle, right);
}

const masks = new Map<string, Node>();

/** x with everything above the diagonal zero and the diagonal scaled. */
export function lowerTriangle(x: Node, diagonal = 1): Node {
  const n = x.shape[x.shape.length - 1];
  const key = `${n} ${diagonal} ${x.dtype}`;
  let mask = masks.get(key);
  if (mask === undefined) {
    const data = x.dtype === 'f32' ? new Float32Array(n * n) : new Float64Array(n * n);
    for (let i = 0; i < n; i++) for (let j = 0; j <= i; j++) data[i * n + j] = i === j ? diagonal : 1;
    mask = constant(data, [n, n]);
    masks.set(key, mask);
  }
  return mul(x, mask);
}
