/** What drawings are made of: a distribution, a list of samples, or lists of coordinates. */
import { describe } from '../../runtime/describe.ts';
import { WaymarkError } from '../../runtime/errors.ts';
import type { Distribution } from '../../runtime/handler.ts';
import { isDistribution } from '../../runtime/primitives.ts';
import { RandomStream } from '../../runtime/random.ts';
import { valueKey } from '../../runtime/values.ts';
import { Tensor } from '../../tensor/tensor.ts';
import { leavesOf } from '../leaves.ts';
import { isSpread } from '../show/distribution.ts';
import { evenly, type Weighted, weightedValues } from '../weighted.ts';

/** How many points stand for a continuous family. */
const POINTS = 400;

/** A distribution, or a list of values of equal weight. */
export type Drawable = Distribution<unknown> | readonly unknown[] | Tensor;

/** How many samples stand for a family of which no quantiles are known. */
const SAMPLES = 1000;

/**
 * The values and weights to draw. A continuous family with known quantiles is drawn by an even choice of them, another by
 * samples, of random numbers of their own.
 */
export function drawn(caller: string, data: Drawable, samples = SAMPLES): Weighted<unknown> {
  if (data instanceof Tensor) return evenly(Array.from(data.data));
  if (Array.isArray(data) && data.length > 0) return evenly(data);
  if (!isDistribution(data)) {
    throw new WaymarkError(`${caller} needs a distribution or a list of values, got ${describe(data)}.`);
  }
  const values = weightedValues(data);
  if (values !== undefined) return values;
  const { quantile } = data as { quantile?(p: number): number };
  if (quantile !== undefined) {
    return evenly(Array.from({ length: POINTS }, (_, i) => quantile.call(data, (i + 0.5) / POINTS)));
  }
  const stream = RandomStream.fromSeed(0);
  return evenly(Array.from({ length: samples }, () => data.draw(stream.begin())));
}

/** A part of the values: all of them, or one field. */
export interface Component {
  readonly name: string;
  readonly values: readonly unknown[];
  /** Real numbers are drawn on an axis, everything else by name. */
  readonly real: boolean;
}

/** The parts of objects and lists, or the value itself. */
export function componentsOf(values: readonly unknown[]): Component[] {
  return leavesOf(values).map(({ name, values: own }) => ({ name, values: own, real: isReal(own) }));
}

/** Numbers that are not all whole, or whole ones of which there are many. Those that are not finite are no places on an axis. */
function isReal(values: readonly unknown[]): boolean {
  if (!values.every((value) => typeof value === 'number')) return false;
  const finite = values.filter(Number.isFinite);
  return finite.some((value) => !Number.isInteger(value)) || isSpread(finite);
}

/** The total weight of each distinct value. */
export function totals(
  values: readonly unknown[],
  weights: ArrayLike<number>,
): { value: unknown; probability: number }[] {
  const found = new Map<unknown, { value: unknown; probability: number }>();
  for (let i = 0; i < values.length; i++) {
    const key = valueKey(values[i]);
    const entry = found.get(key);
    if (entry === undefined) found.set(key, { value: values[i], probability: weights[i] });
    else entry.probability += weights[i];
  }
  return [...found.values()];
}

/** The numbers of a list of coordinates. */
export function coordinates(caller: string, list: unknown): number[] {
  if (list instanceof Tensor) return Array.from(list.data);
  if (Array.isArray(list) || (ArrayBuffer.isView(list) && !(list instanceof DataView))) {
    return Array.from(list as ArrayLike<unknown>, (x) => {
      if (typeof x === 'number') return x;
      if (typeof x === 'boolean') return x ? 1 : 0;
      throw new WaymarkError(`${caller} needs lists of numbers, got ${describe(x)}.`);
    });
  }
  throw new WaymarkError(`${caller} needs lists of numbers, as in ${caller}(xs, ys); got ${describe(list)}.`);
}
