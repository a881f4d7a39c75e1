/** Vectors about a mean whose spread is given by a Cholesky factor. */
import type { Random } from '../runtime/random.ts';
import { Tensor } from '../tensor/tensor.ts';
import { solveLower, timesLower } from './cholesky.ts';

/** The squared length of L⁻¹ (x − mu). */
export function squaredDistance(factor: Float64Array, mu: Tensor, x: ArrayLike<number>): number {
  const n = mu.length;
  const distance = new Float64Array(n);
  for (let i = 0; i < n; i++) distance[i] = x[i] - mu.data[i];
  const whitened = solveLower(factor, n, distance);
  let squares = 0;
  for (let i = 0; i < n; i++) squares += whitened[i] * whitened[i];
  return squares;
}

/** So many standard normal numbers. */
export function standardNormals(n: number, random: Random): Float64Array {
  const noise = new Float64Array(n);
  for (let i = 0; i < n; i++) noise[i] = random.gaussian();
  return noise;
}

/** mu + scale L noise. */
export function coloured(factor: Float64Array, mu: Tensor, noise: ArrayLike<number>, scale = 1): Tensor {
  const offset = timesLower(factor, mu.length, noise);
  for (let i = 0; i < offset.length; i++) offset[i] = mu.data[i] + scale * offset[i];
  return new Tensor(mu.dims, offset);
}
