/** Library functions that calculate with numbers, on nodes; each the plain one where no node is met. */
import { raggedResults } from '../lanes/results.ts';
import * as plain from '../library/index.ts';
import { Node, type Value } from '../tensor/node.ts';
import * as ops from '../tensor/ops.ts';
import { sizeOf } from '../tensor/shape.ts';
import type { Tensor } from '../tensor/tensor.ts';
import { logSumExp } from './special.ts';
import { either, eitherKind } from './tensor-nodes.ts';

type List = Node | readonly Value[];

const count = (list: List): number => (list instanceof Node ? sizeOf(list.shape) : list.length);

/** Arrays are taken term by term, so that what is made of numbers alone stays so: plans of scalars are the quickest. */
const folded = (list: readonly Value[], operation: (a: Value, b: Value) => Value): Node =>
  list.reduce((a, b) => operation(a, b)) as Node;

const sumOf = (list: List): Node => (list instanceof Node ? ops.sum(list) : folded(list, ops.add));
const productOf = (list: List): Node => (list instanceof Node ? ops.prod(list) : folded(list, ops.mul));
const meanOf = (list: List): Node => ops.div(sumOf(list), count(list));
const distanceSquared = (x: Value, mean: Value): Value => ops.square(ops.sub(x, mean));
const varianceOf = (list: List, mean: Value = meanOf(list)): Node => {
  const squares =
    list instanceof Node ? (distanceSquared(list, mean) as Node) : list.map((x) => distanceSquared(x, mean));
  return ops.div(sumOf(squares), count(list));
};

/** With a filler for missing numbers, where lanes have lists of different lengths. */
const overRagged =
  <F extends (list: never) => unknown>(f: F, filler: number) =>
  (list: Parameters<F>[0]): ReturnType<F> =>
    f((raggedResults(list, filler) ?? list) as never) as ReturnType<F>;

export const sum = overRagged(either(sumOf, plain.sum), 0);
export const product = overRagged(either(productOf, plain.product), 1);
export const logsumexp = either(logSumExp as (list: List) => unknown, plain.logsumexp);
export const listMean = either(meanOf, plain.listMean);
export const listVar = either(varianceOf, plain.listVar);
export const listStdev = either((list: List, mean?: Value) => ops.sqrt(varianceOf(list, mean)), plain.listStdev);

export const normalize = eitherKind((list: List) => {
  const total = sumOf(list);
  return list instanceof Node ? ops.div(list, total) : list.map((x) => ops.div(x, total));
}, plain.normalize);

/** Entry by entry: of a number, a tensor, or an array. */
const entrywise = (f: (x: Value) => Value) => (x: Value | readonly Value[]) =>
  Array.isArray(x) ? x.map((item: Value) => f(item)) : f(x as Node | Tensor);

export const sigmoid = eitherKind(entrywise(ops.sigmoid), plain.sigmoid);
export const softplus = eitherKind(entrywise(ops.softplus), plain.softplus);
export const tanh = eitherKind(entrywise(ops.tanh), plain.tanh);
export const relu = eitherKind(entrywise(ops.relu), plain.relu);
export const Phi = eitherKind(entrywise(ops.normalCdf), plain.Phi);
export const erf = eitherKind(entrywise(ops.erf), plain.erf);
export const lgamma = eitherKind(entrywise(ops.lgamma), plain.lgamma);
export const digamma = eitherKind(entrywise(ops.digamma), plain.digamma);
export const logit = eitherKind(
  entrywise((p) => ops.sub(ops.log(p), ops.log1p(ops.neg(p)))),
  plain.logit,
);
