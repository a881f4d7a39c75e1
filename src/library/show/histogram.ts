import type { WeightedNumbers } from '../weighted-numbers.ts';
import { columns } from './bars.ts';
import { padEnd, padStart } from './grid.ts';
import { shortNumber } from './number.ts';

/** Numbers counted into bins of equal width. */
interface Bins {
  readonly lower: number;
  readonly upper: number;
  /** Weight in each bin. */
  readonly weights: Float64Array;
}

/** The finite numbers in `count` bins between the smallest and the largest (or the given bounds). */
export function binned({ values, weights }: WeightedNumbers, count: number, bounds?: readonly [number, number]): Bins {
  let [lower, upper] = bounds ?? [Infinity, -Infinity];
  if (bounds === undefined) {
    for (const x of values) {
      if (!Number.isFinite(x)) continue;
      lower = Math.min(lower, x);
      upper = Math.max(upper, x);
    }
  }
  if (lower > upper) [lower, upper] = [0, 1];
  if (lower === upper) [lower, upper] = around(lower);
  const result = new Float64Array(count);
  for (let i = 0; i < values.length; i++) {
    const x = values[i];
    if (x < lower || x > upper) continue;
    result[Math.min(count - 1, Math.floor(((x - lower) / (upper - lower)) * count))] += weights[i];
  }
  return { lower, upper, weights: result };
}

/** Bounds around a single number, in which it lies in the middle. */
function around(x: number): [number, number] {
  // Half of a very large number is less than the distance to the next.
  const room = Math.max(0.5, Math.abs(x) * 1e-3);
  return [x - room, x + room];
}

/** Columns over a line with the bounds under it. */
export function columnChart(heights: ArrayLike<number>, lower: number, upper: number, height: number): string[] {
  const width = heights.length;
  const [left, right] = [shortNumber(lower), shortNumber(upper)];
  const middle = shortNumber((lower + upper) / 2);
  const half = Math.floor(width / 2);
  const labels = `${padEnd(left, half - Math.floor(middle.length / 2))}${middle}`;
  return [
    ...columns(heights, height),
    '─'.repeat(width),
    labels + padStart(right, Math.max(right.length + 1, width - labels.length)),
  ];
}
