/** Tensor functions of the library on nodes: `T.*`, `Vector` and the rest, each the plain one where no node is met. */

import { narrowed } from '../lanes/narrowing.ts';
import { vectorOfResults } from '../lanes/results.ts';
import { vectorInLanes } from '../lanes/value.ts';
import { agreed, variedOf } from '../lanes/varied.ts';
import * as plain from '../library/index.ts';
import { misfit } from '../library/tensors/operands.ts';
import { Node, type Value } from '../tensor/node.ts';
import * as ops from '../tensor/ops.ts';
import { type Shape, sizeOf } from '../tensor/shape.ts';
import { Tensor } from '../tensor/tensor.ts';
import { combining } from './combining.ts';
import { plain as looked } from './looking.ts';

type Plain = (...args: never[]) => unknown;

/** True if a node is among the values, or in an array among them. */
export function meetsNode(values: readonly unknown[]): boolean {
  return values.some(
    (value) =>
      value instanceof Node ||
      (Array.isArray(value) &&
        (variedOf(value) !== undefined || vectorOfResults(value) !== undefined || meetsNode(value))),
  );
}

/** The recorded operation if it meets a node, else the library's own function. */
export function either(record: (...args: never[]) => unknown, native: unknown) {
  return (...given: unknown[]): unknown => {
    const args = given.map(agreedIfText);
    if (!meetsNode(args)) return (native as Plain)(...(args as never[]));
    // Arrays of numbers that differ between lanes count as vectors.
    return record(...(args.map((argument) => narrowed(vectorOf(argument) ?? argument)) as never[]));
  };
}

/** The same for a function that gives an array where it is given one. */
export function eitherKind(record: (...args: never[]) => unknown, native: unknown) {
  const made = either(record, native);
  return (...args: unknown[]): unknown => {
    const result = made(...args);
    return Array.isArray(args[0]) && result instanceof Node ? toScalars(result) : result;
  };
}

/** Numbers in an array that differ between lanes, as a vector. */
export const vectorOf = (value: unknown): Node | undefined => vectorInLanes(value) ?? vectorOfResults(value);

/** What differs between lanes and is neither a number nor an array has to be the same for all. */
function agreedIfText(value: unknown): unknown {
  const varied = variedOf(value);
  if (varied === undefined) return value;
  // Lists that choices pick may be of several lengths.
  const isVector = Array.isArray(value) && (varied.by === undefined || vectorInLanes(value) !== undefined);
  return isVector ? value : agreed(varied);
}

/** The elements in a row. */
export const flat = (x: Value): Node => ops.reshape(x as Node, [elements(x)]);
/** How many there are. */
export const elements = (x: Value): number =>
  x instanceof Node ? sizeOf(x.shape) : x instanceof Tensor ? x.length : 1;
/** [n] counts as one column. */
const matrixOf = (x: Value): Node =>
  (x instanceof Node ? x.shape : (x as Tensor).dims).length === 1
    ? ops.reshape(x as Node, [elements(x), 1])
    : (x as Node);
export const column = (x: Node): Node => ops.reshape(x, [sizeOf(x.shape), 1]);
export const stackOf = (values: readonly Value[]): Node => ops.stack(values.map(narrowed) as Node[]);

const isColumn = (x: Value): boolean => x instanceof Node && x.shape.length === 2 && x.shape[1] === 1;

/** One entry; the index may be a node too. */
export function entry(x: Value, index: Value): unknown {
  if (typeof index !== 'number') return ops.gather(flat(x), index as Node);
  const length = elements(x);
  if (!Number.isInteger(index) || index < 0 || index >= length) {
    // The plain function has the message for this.
    return plain.T.get(new Tensor([length], new Float64Array(length)), index);
  }
  const row = isColumn(x) ? (x as Node) : flat(x);
  return ops.reshape(ops.sliceAxis(row, 0, index, index + 1), []);
}

const inOneRow = (values: readonly Value[]): Node => ops.concat(values.map((x) => flat(x)));

function range(x: Node, from: number, to: number): Node {
  return ops.sliceAxis(flat(x), 0, from, to);
}

function split(x: Node, lengths: readonly number[]): Node[] {
  return ops.split(flat(x), lengths) as Node[];
}

const toScalars = (x: Node): unknown[] => Array.from({ length: elements(x) }, (_, i) => entry(x, i));

function diagonal(x: Node): Node {
  const n = elements(x);
  return ops.mul(plain.idMatrix(n), ops.reshape(x, [n, 1])) as Node;
}

/** Elementwise functions: the same names in `T` and in the graph, but for one. */
const ELEMENTWISE = [
  'neg', 'floor', 'ceil', 'round', 'sqrt', 'exp', 'log', 'abs', 'sin', 'cos', 'tan', 'asin', 'acos', 'atan', 'sinh',
  'cosh', 'tanh', 'asinh', 'acosh', 'atanh', 'sigmoid',
] as const; // biome-ignore format: a list of names

/** Those of two operands. */
const COMBINING = ['add', 'sub', 'mul', 'div', 'pow', 'min', 'max', 'atan2'] as const;

const nonZero = (x: Node): Node => ops.select(ops.ne(x, 0), 1, 0) as Node;

export const T = {
  ...plain.T,
  ...Object.fromEntries(
    ELEMENTWISE.map((name) => [name, either(ops[name] as (...args: never[]) => unknown, plain.T[name])]),
  ),
  ...Object.fromEntries(
    COMBINING.map((name) => {
      const complaint = (a: Shape, b: Shape): string => misfit(name, a, `a tensor of dims [${b.join(', ')}]`);
      return [name, either(combining(ops[name] as (a: Value, b: Value) => Value, complaint), plain.T[name])];
    }),
  ),
  logGamma: either(ops.lgamma, plain.T.logGamma),
  transpose: either((x: Value) => ops.transposeMatrix(matrixOf(x)), plain.T.transpose),
  diagonal: either(diagonal, plain.T.diagonal),
  inverse: either((x: Node) => ops.inverse(x), plain.T.inverse),
  determinant: either((x: Node) => ops.determinant(x), plain.T.determinant),
  cholesky: either((x: Node) => ops.cholesky(x), plain.T.cholesky),
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

export const squishToProbSimplex = eitherKind(arrayWise(squish), plain.squishToProbSimplex);
export const simplex = squishToProbSimplex;
export const softmax = eitherKind(
  arrayWise((x) => ops.reshape(ops.softmax(flat(x)), x.shape)),
  plain.softmax,
);
