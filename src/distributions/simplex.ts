/** Vectors of positive numbers that add up to 1. */
import { logSumExp } from '../tensor/special/exponentials.ts';
import { Tensor } from '../tensor/tensor.ts';

/** Data is written with a few digits, so a sum this close to 1 counts as 1. */
const TOLERANCE = 1e-6;

/** Whether all elements are positive and add up to 1. */
export function isOnSimplex(x: ArrayLike<number>): boolean {
  let total = 0;
  for (let i = 0; i < x.length; i++) {
    if (!(x[i] > 0)) return false;
    total += x[i];
  }
  return Math.abs(total - 1) <= TOLERANCE;
}

/** The vector in proportion to exp(scores), its elements kept off 0 and 1. */
export function simplexFromLogs(scores: ArrayLike<number>): Tensor {
  const total = logSumExp(scores);
  const x = new Float64Array(scores.length);
  for (let i = 0; i < x.length; i++) {
    x[i] = Math.min(Math.max(Math.exp(scores[i] - total), Number.MIN_VALUE), 1 - 2 ** -53);
  }
  return new Tensor([x.length, 1], x);
}
