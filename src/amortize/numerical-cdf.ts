/** Cumulative probabilities where a family has no formula for them. */
import type { Distribution, Interval } from '../runtime/handler.ts';

export interface Cumulative {
  cdf(x: number): number;
  quantile(p: number): number;
  survival(x: number): number;
}

const hasCdf = (dist: Distribution<unknown>): boolean =>
  typeof (dist as Partial<Cumulative>).cdf === 'function' &&
  typeof (dist as Partial<Cumulative>).quantile === 'function';

/** Of a mixture of distributions whose cumulative probabilities are known; undefined for others. */
export function ofMixture(dists: readonly Distribution<unknown>[], weights: ArrayLike<number>): Cumulative | undefined {
  if (!dists.every(hasCdf)) return undefined;
  const parts = dists as unknown as readonly Cumulative[];
  let total = 0;
  for (let k = 0; k < parts.length; k++) total += weights[k];
  const mean = (of: (part: Cumulative) => number): number => {
    let sum = 0;
    for (let k = 0; k < parts.length; k++) if (weights[k] > 0) sum += weights[k] * of(parts[k]);
    return sum / total;
  };
  const cdf = (x: number): number => mean((part) => part.cdf(x));
  return {
    cdf,
    survival: (x) => mean((part) => part.survival(x)),
    quantile(p) {
      const ends = parts.map((part) => part.quantile(p));
      return inverse(cdf, p, Math.min(...ends), Math.max(...ends));
    },
  };
}

/** The x between two numbers at which an increasing function has a value. */
function inverse(fn: (x: number) => number, p: number, lower: number, upper: number): number {
  let [low, high] = [lower, upper];
  for (let i = 0; i < 200; i++) {
    const middle = 0.5 * (low + high);
    if (!(middle > low && middle < high)) return middle;
    if (fn(middle) < p) low = middle;
    else high = middle;
  }
  return 0.5 * (low + high);
}

const PANELS = 512;
/** How far the integral of a density may be from 1. */
const ACCURACY = 1e-9;

/** Of a smooth density between bounds, by Simpson's rule; undefined if that is not accurate. */
export function ofDensity(dist: Distribution<number>): Cumulative | undefined {
  const { lower, upper } = (dist.support?.() ?? {}) as Partial<Interval>;
  if (lower === undefined || upper === undefined || !Number.isFinite(upper - lower)) return undefined;
  const density = (x: number): number => Math.exp(dist.score(x));
  const width = (upper - lower) / PANELS;
  const area = (a: number, b: number): number =>
    ((b - a) / 12) *
    (density(a) +
      4 * density(a + 0.25 * (b - a)) +
      2 * density(0.5 * (a + b)) +
      4 * density(a + 0.75 * (b - a)) +
      density(b));
  const below = new Float64Array(PANELS + 1);
  for (let i = 0; i < PANELS; i++) below[i + 1] = below[i] + area(lower + i * width, lower + (i + 1) * width);
  const total = below[PANELS];
  if (!(Math.abs(total - 1) < ACCURACY)) return undefined;
  const cdf = (x: number): number => {
    if (x <= lower) return 0;
    if (x >= upper) return 1;
    const panel = Math.min(PANELS - 1, Math.floor((x - lower) / width));
    return Math.min(1, below[panel] + area(lower + panel * width, x));
  };
  return { cdf, survival: (x) => 1 - cdf(x), quantile: (p) => inverse(cdf, p, lower, upper) };
}
