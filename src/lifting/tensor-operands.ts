/** Small pieces that recorded families over tensors are made of. */
import { idMatrix } from '../library/index.ts';
import { type Node, shapeOf, type Value } from '../tensor/node.ts';
import * as ops from '../tensor/ops.ts';
import { vector } from '../tensor/tensor.ts';
import { flat } from './tensor-nodes.ts';

/** An observed value may be an array of numbers. */
export const numbers = (x: unknown): Value => (Array.isArray(x) ? vector(x as number[]) : (x as Value));
/** The elements in a row. */
export const row = (x: unknown): Node => flat(numbers(x));
export const dimsOf = (x: unknown): readonly number[] => shapeOf(numbers(x));
export const total = (x: Value): Value => ops.sum(x as Node);

/** A square matrix has as many rows as columns; only its diagonal, as a row. */
export const diagonal = (x: Value): Node => ops.sum(ops.mul(x as Node, idMatrix(dimsOf(x)[0])) as Node, 1);
