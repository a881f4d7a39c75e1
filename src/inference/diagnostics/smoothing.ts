/**
 * Pareto smoothed importance sampling (Vehtari et al. 2024): the largest ratios are replaced by what the distribution fitted to
 * them expects, in their order, so that no single one decides.
 */
import { tailOf } from './pareto.ts';

interface Smoothed {
  /** In the order of the ratios; they add up to 1. */
  readonly weights: Float64Array;
  /** NaN with too few or constant ratios. */
  readonly khat: number;
}

export function smoothedWeights(logRatios: ArrayLike<number>): Smoothed {
  const n = logRatios.length;
  const ratios = Float64Array.from(logRatios);
  const largest = ratios.reduce((a, b) => Math.max(a, b), -Infinity);
  for (let i = 0; i < n; i++) ratios[i] = Math.exp(ratios[i] - largest);
  const tail = tailOf(ratios);
  if (tail !== undefined) {
    const order = Uint32Array.from(ratios, (_, i) => i).sort((a, b) => ratios[a] - ratios[b]);
    const { size, threshold, shape, scale } = tail;
    for (let j = 0; j < size; j++) {
      const p = (j + 0.5) / size;
      const excess = Math.abs(shape) < 1e-12 ? -Math.log1p(-p) : Math.expm1(-shape * Math.log1p(-p)) / shape;
      // No weight is larger than the largest that was seen.
      ratios[order[n - size + j]] = Math.min(1, threshold + scale * excess);
    }
  }
  const total = ratios.reduce((a, b) => a + b, 0);
  return { weights: ratios.map((ratio) => ratio / total), khat: tail?.shape ?? Number.NaN };
}
