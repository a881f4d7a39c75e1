/** Tensor functions of the library on nodes: `T.*`, `Vector` and the rest. What is exported are names of the library. */

import * as plain from '../library/index.ts';
import { checkAxis } from '../library/tensors/axes.ts';
import { misfit } from '../library/tensors/operands.ts';
import { Node, shapeOf, type Value } from '../tensor/node.ts';
import * as ops from '../tensor/ops.ts';
import type { Shape } from '../tensor/shape.ts';
import { combining } from './combining.ts';
import { plain as looked } from './looking.ts';
import { column, either, eitherKind, elements, entry, flat, matrixOf, stackOf, toScalars } from './tensor-nodes.ts';

const inOneRow = (values: readonly Value[]): Node => ops.concat(values.map((x) => flat(x)));

function range(x: Node, from: number, to: number): Node {
  return ops.sliceAxis(flat(x), 0, from, to);
}

function split(x: Node, lengths: readonly number[]): Node[] {
  return ops.split(flat(x), lengths) as Node[];
}

function diagonal(x: Node): Node {
  const n = elements(x);
  return ops.mul(plain.idMatrix(n), ops.reshape(x, [n, 1])) as Node;
}

const overAxis =
  (name: string, reduce: (x: Node, axis: number) => Node) =>
  (x: Node, axis: unknown): Node => {
    const along = looked(axis);
    checkAxis(name, x.shape, along);
    return reduce(x, along as number);
  };

function solve(matrix: Node, right: Value): Node {
  return ops.reshape(ops.matmul(ops.inverse(matrix), matrixOf(right)), shapeOf(right));
}

function gather(x: Node, indices: Value | readonly Value[]): Node {
  const places = Array.isArray(indices) ? stackOf(indices) : ops.reshape(indices as Node, [elements(indices as Value)]);
  return ops.gather(x, places as Node);
}

/** Elementwise functions: the same names in `T` and in the graph, but for one. */
const ELEMENTWISE = [
  ...(['neg', 'floor', 'ceil', 'round', 'sqrt', 'exp', 'log', 'abs', 'sin', 'cos', 'tan', 'asin', 'acos'] as const),
  ...(['atan', 'sinh', 'cosh', 'tanh', 'asinh', 'acosh', 'atanh', 'sigmoid'] as const),
] as const;

/** Those of two operands. */
const COMBINING = ['add', 'sub', 'mul', 'div', 'pow', 'min', 'max', 'atan2'] as const;

const nonZero = (x: Node): Node => ops.select(ops.ne(x, 0), 1, 0) as Node;

export const T = {
  ...plain.T,
  ...Object.fromEntries(
    // biome-ignore lint/performance/noDynamicNamespaceImportAccess: the engine is loaded whole
    ELEMENTWISE.map((name) => [name, either(ops[name] as (...args: never[]) => unknown, plain.T[name])]),
  ),
  ...Object.fromEntries(
    COMBINING.map((name) => {
      const complaint = (a: Shape, b: Shape): string => misfit(name, a, `a tensor of dims [${b.join(', ')}]`);
      // biome-ignore lint/performance/noDynamicNamespaceImportAccess: the engine is loaded whole
      return [name, either(combining(ops[name] as (a: Value, b: Value) => Value, complaint), plain.T[name])];
    }),
  ),
  logGamma: either(ops.lgamma, plain.T.logGamma),
  transpose: either((x: Value) => ops.transposeMatrix(matrixOf(x)), plain.T.transpose),
  diagonal: either(diagonal, plain.T.diagonal),
  inverse: either((x: Node) => ops.inverse(x), plain.T.inverse),
  determinant: either((x: Node) => ops.determinant(x), plain.T.determinant),
  cholesky: either((x: Node) => ops.cholesky(x), plain.T.cholesky),
  logDet: either((x: Node) => ops.logdet(x), plain.T.logDet),
  solve: either(solve, plain.T.solve),
  sumOver: either(overAxis('sumOver', ops.sum), plain.T.sumOver),
  maxOver: either(overAxis('maxOver', ops.maxOf), plain.T.maxOver),
  minOver: either(overAxis('minOver', ops.minOf), plain.T.minOver),
  cumsum: either((x: Node, axis = 0) => overAxis('cumsum', ops.cumsum)(x, axis), plain.T.cumsum),
  gather: either(gather, plain.T.gather),
  outer: either(
    (a: Value, b: Value) => ops.mul(ops.reshape(flat(a), [elements(a), 1]), ops.reshape(flat(b), [1, elements(b)])),
    plain.T.outer,
  ),
  dot: either((a: Value, b: Value) => ops.matmul(matrixOf(a), matrixOf(b)), plain.T.dot),
  sumreduce: either((x: Node) => ops.sum(x), plain.T.sumreduce),
  get: either(entry, plain.T.get),
  toScalars: either(toScalars, plain.T.toScalars),
  fromScalars: either(stackOf, plain.T.fromScalars),
  range: either(range, plain.T.range),
  split: either(split, plain.T.split),
  concat: either((...parts: (Node | Node[])[]) => inOneRow(parts.flat()), plain.T.concat),
  reshape: either((x: Node, dims: readonly number[]) => ops.reshape(x, dims), plain.T.reshape),
  softmax: either((x: Node) => ops.reshape(ops.softmax(flat(x)), x.shape), plain.T.softmax),
  isNaN: either((x: Node) => ops.select(ops.eq(x, x), 0, 1), plain.T.isNaN),
  isFinite: either((x: Node) => ops.select(ops.lt(ops.abs(x), Infinity), 1, 0), plain.T.isFinite),
  allreduce: either((x: Node) => ops.eq(ops.sum(nonZero(x)), elements(x)), plain.T.allreduce),
  anyreduce: either((x: Node) => ops.gt(ops.sum(nonZero(x)), 0), plain.T.anyreduce),
};

export const Vector = either(
  (values: Node | readonly Value[]) => column(values instanceof Node ? values : stackOf(values)),
  plain.Vector,
);

export const Matrix = either(
  (rows: readonly (readonly Value[])[]) => ops.stack(rows.map((row) => stackOf(row))),
  plain.Matrix,
);

const makeTensor = either(
  (dims: readonly number[], values: readonly Value[]) => ops.reshape(stackOf(values), dims),
  plain.Tensor,
);

export { makeTensor as Tensor };

export const dims = either((x: Node) => [...x.shape], plain.dims);
export const concat = either((vectors: readonly Node[]) => column(inOneRow(vectors)), plain.concat);
export const tensorToVector = either(column, plain.tensorToVector);
const oneHotOf = either((k: Node, n: number) => column(ops.oneHot(k, n)), plain.oneHot);
/** How long it is, is looked at. */
export const oneHot = (k: unknown, n: unknown): unknown => oneHotOf(k, looked(n));
export const oneOfK = oneHot;

const squish = (x: Node): Node => {
  const n = elements(x) + 1;
  return ops.reshape(ops.softmax(ops.pad(flat(x), [0], [1])), [n, 1]);
};
/** An array of numbers stays one. */
const arrayWise =
  (f: (x: Node) => Node) =>
  (x: Node | Value[]): unknown =>
    Array.isArray(x) ? toScalars(f(column(stackOf(x)))) : f(x);

export const squishToProbSimplex = eitherKind(arrayWise(squish), plain.simplex);
export const simplex = squishToProbSimplex;
export const softmax = eitherKind(
  arrayWise((x) => ops.reshape(ops.softmax(flat(x)), x.shape)),
  plain.softmax,
);
