import { isDistribution } from '../../runtime/primitives.ts';
import { SQRT_2PI } from '../../tensor/constants.ts';
import { type WeightedNumbers, weightedVariance } from '../weighted-numbers.ts';
import type { Bounds } from './canvas.ts';

/** A smooth estimate of a density, at evenly spaced places. */
export interface Curve extends Bounds {
  readonly heights: Float64Array;
}

/** Kernels are cut off beyond this many widths. */
const REACH = 4;

/**
 * Gaussian kernels of Silverman's width over the finite numbers, at `count` places. Numbers are first counted into
 * bins far narrower than the kernel, so that the time does not grow with their number.
 */
export function densityCurve(numbers: WeightedNumbers, count: number, bounds?: Bounds): Curve {
  const { values, weights, lower, upper, total } = finiteOf(numbers);
  // In units of the range, so that neither huge nor tiny numbers have squares that are none.
  const unit = upper > lower ? upper - lower : Math.abs(lower) || 1;
  const scaled = { values: values.map((x) => (x - lower) / unit), weights };
  let squares = 0;
  for (let i = 0; i < weights.length; i++) squares += weights[i] * weights[i];
  const spread = Math.sqrt(weightedVariance(scaled)) || 1e-3;
  // 1/Σw² is the effective sample size of the weights.
  const width = 1.06 * spread * squares ** 0.2;
  const from = bounds === undefined ? -width : (bounds.lower - lower) / unit;
  const to = bounds === undefined ? (upper - lower) / unit + width : (bounds.upper - lower) / unit;
  const heights = smoothed(scaled, count, { from, to, width });
  const ends = bounds ?? { lower: lower + from * unit, upper: lower + to * unit };
  return { ...ends, heights: heights.map((height) => Math.min(Number.MAX_VALUE, (total * height) / unit)) };
}

/** The finite numbers, and the weight that they have among all. */
function finiteOf({ values, weights }: WeightedNumbers): WeightedNumbers & Bounds & { total: number } {
  const places = Array.from(values.keys()).filter((i) => Number.isFinite(values[i]));
  const total = places.reduce((sum, i) => sum + weights[i], 0);
  const finite = Float64Array.from(places, (i) => values[i]);
  const [lower, upper] = [
    finite.reduce((a, b) => Math.min(a, b), Infinity),
    finite.reduce((a, b) => Math.max(a, b), -Infinity),
  ];
  if (lower > upper) return { values: new Float64Array(1), weights: [1], lower: 0, upper: 0, total: 0 };
  return { values: finite, weights: places.map((i) => weights[i] / total), lower, upper, total };
}

function smoothed(
  { values, weights }: WeightedNumbers,
  count: number,
  { from, to, width }: { from: number; to: number; width: number },
): Float64Array {
  const fine = 4 * count;
  const step = (to - from) / fine;
  const mass = new Float64Array(fine);
  for (let i = 0; i < values.length; i++) {
    const place = Math.floor((values[i] - from) / step);
    if (place >= 0 && place < fine) mass[place] += weights[i];
  }
  const heights = new Float64Array(count);
  const reach = Math.ceil((REACH * width) / step);
  for (let i = 0; i < count; i++) {
    const centre = 4 * i + 2;
    for (let j = Math.max(0, centre - reach); j < Math.min(fine, centre + reach); j++) {
      const z = ((j + 0.5 - centre) * step) / width;
      heights[i] += (mass[j] * Math.exp(-0.5 * z * z)) / (width * SQRT_2PI);
    }
  }
  return heights;
}

/** How much of a family's tails is left out of its curve. */
const TAIL = 0.002;

/** The density of a continuous family with known quantiles, at `count` places; undefined for other distributions. */
export function familyCurve(dist: unknown, count: number, bounds?: Bounds): Curve | undefined {
  if (!isDistribution(dist) || !dist.isContinuous) return undefined;
  const { quantile } = dist as { quantile?(p: number): number };
  if (quantile === undefined) return undefined;
  const lower = bounds?.lower ?? quantile.call(dist, TAIL);
  const upper = bounds?.upper ?? quantile.call(dist, 1 - TAIL);
  const at = (i: number) => lower + ((i + 0.5) / count) * (upper - lower);
  return { lower, upper, heights: Float64Array.from({ length: count }, (_, i) => Math.exp(dist.score(at(i)))) };
}
