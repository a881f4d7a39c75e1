/** Library functions that calculate with numbers, on nodes; each the plain one where no node is met. */
import * as plain from '../library/index.ts';
import { Node, type Value } from '../tensor/node.ts';
import * as ops from '../tensor/ops.ts';
import type { Tensor } from '../tensor/tensor.ts';
import { either } from './tensors.ts';

type List = Node | readonly Value[];

/** The numbers as one value with an axis. */
const row = (list: List): Node => (list instanceof Node ? list : (ops.stack(list as Node[]) as Node));
const count = (list: List): number =>
  list instanceof Node ? list.shape.reduce((size, n) => size * n, 1) : list.length;

const sumOf = (list: List): Node => ops.sum(row(list));
const meanOf = (list: List): Node => ops.div(sumOf(list), count(list));
const varianceOf = (list: List, mean: Value = meanOf(list)): Node =>
  ops.div(ops.sum(ops.square(ops.sub(row(list), mean))), count(list));

export const sum = either(sumOf, plain.sum);
export const product = either((list: List) => ops.prod(row(list)), plain.product);
export const logsumexp = either((list: List) => ops.logsumexp(row(list)), plain.logsumexp);
export const listMean = either(meanOf, plain.listMean);
export const listVar = either(varianceOf, plain.listVar);
export const listStdev = either((list: List, mean?: Value) => ops.sqrt(varianceOf(list, mean)), plain.listStdev);

export const normalize = either((list: List) => {
  const total = sumOf(list);
  return list instanceof Node ? ops.div(list, total) : list.map((x) => ops.div(x, total));
}, plain.normalize);

/** Entry by entry: of a number, a tensor, or an array. */
const entrywise = (f: (x: Value) => Value) => (x: Value | readonly Value[]) =>
  Array.isArray(x) ? x.map((item: Value) => f(item)) : f(x as Node | Tensor);

export const sigmoid = either(entrywise(ops.sigmoid), plain.sigmoid);
export const softplus = either(entrywise(ops.softplus), plain.softplus);
export const tanh = either(entrywise(ops.tanh), plain.tanh);
export const relu = either(entrywise(ops.relu), plain.relu);
