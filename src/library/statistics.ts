/** Statistics of lists of numbers and of distributions over numbers; booleans count as 0 and 1. */
import { TabulatedDistribution } from '../distributions/tabulated.ts';
import { describe } from '../runtime/describe.ts';
import { WaymarkError } from '../runtime/errors.ts';
import type { Distribution } from '../runtime/handler.ts';
import { isDistribution } from '../runtime/primitives.ts';
import { Tensor } from '../tensor/tensor.ts';
import { arrayOf, type List } from './arguments.ts';
import { evenly, numbersIn, valuesFor, type Weighted } from './weighted.ts';
import {
  interpolatedQuantiles,
  type WeightedNumbers,
  weightedCorrelation,
  weightedMean,
  weightedQuantiles,
  weightedVariance,
} from './weighted-numbers.ts';

/** Distributions and lists of which statistics can be computed. */
export type Numeric = Distribution<number> | Distribution<boolean> | List<number> | readonly boolean[];

/** The closed forms that a family may have. */
interface ClosedForm {
  mean?(): unknown;
  variance?(): unknown;
  quantile?(p: number): number;
}

/** The values and weights of a list or a distribution. */
export function numbersFor(caller: string, numeric: Numeric): WeightedNumbers {
  const weighted: Weighted<unknown> = isDistribution(numeric)
    ? valuesFor(caller, numeric as Distribution<unknown>)
    : evenly(arrayOf(`${caller}(array or distribution)`, numeric as List<number>));
  if (weighted.values.length === 0) {
    throw new WaymarkError(`${caller} of an empty list is not defined; give it at least one number.`);
  }
  return numbersIn(caller, weighted);
}

/** The closed forms of a family; for results of inference, their values are used. */
function known(numeric: Numeric, moment: 'mean' | 'variance'): number | undefined {
  if (!isDistribution(numeric) || numeric instanceof TabulatedDistribution) return undefined;
  const value = (numeric as ClosedForm)[moment]?.();
  return typeof value === 'number' && !Number.isNaN(value) ? value : undefined;
}

/** The average of a list, or the expected value of a distribution. */
export function mean(numeric: Numeric): number {
  return known(numeric, 'mean') ?? weightedMean(numbersFor('mean', numeric));
}

/** The average squared distance from the mean: of a list, the population variance. */
export function variance(numeric: Numeric): number {
  return known(numeric, 'variance') ?? weightedVariance(numbersFor('variance', numeric));
}

/** The standard deviation, the square root of the variance. */
export function stdev(numeric: Numeric): number {
  return Math.sqrt(variance(numeric));
}

/** The value with probability p below it. Of a list, neighbours are interpolated; a list of ps gives a list. */
export function quantile(numeric: Numeric, p: number): number;
export function quantile(numeric: Numeric, ps: readonly number[]): number[];
export function quantile(numeric: Numeric, p: number | readonly number[]): number | number[] {
  const at = quantiles('quantile', numeric);
  return Array.isArray(p) ? p.map(at) : at(p as number);
}

/** The middle value. */
export function median(numeric: Numeric): number {
  return quantiles('median', numeric)(0.5);
}

/** Quantiles of a list or a distribution, which is sorted once. */
export function quantiles(caller: string, numeric: Numeric): (p: number) => number {
  const checked =
    (at: (p: number) => number) =>
    (p: number): number => {
      if (typeof p === 'number' && p >= 0 && p <= 1) return at(p);
      throw new WaymarkError(`${caller} needs a probability from 0 to 1, got ${describe(p)}.`);
    };
  if (isDistribution(numeric)) {
    const { quantile: own } = numeric as ClosedForm;
    if (own !== undefined) return checked((p) => own.call(numeric, p));
    return checked(weightedQuantiles(numbersFor(caller, numeric)));
  }
  return checked(interpolatedQuantiles(numbersFor(caller, numeric)));
}

/**
 * Pearson's correlation: of two lists, or of two functions (or named fields) of a distribution's values. Not defined
 * (an error) where one of them is constant.
 */
export function correlation(xs: List<number>, ys: List<number>): number;
export function correlation<V>(dist: Distribution<V>, x: Coordinate<V>, y: Coordinate<V>): number;
export function correlation<V>(
  first: List<number> | Distribution<V>,
  second: List<number> | Coordinate<V>,
  third?: Coordinate<V>,
): number {
  if (isDistribution(first) && !(first instanceof Tensor)) {
    const { values, weights } = valuesFor('correlation', first as Distribution<V>);
    const coordinate = (pick: Coordinate<V>) => ({
      values: values.map((value) => coordinateOf(pick, value)),
      weights,
    });
    return correlate(
      numbersIn('correlation', coordinate(second as Coordinate<V>)),
      numbersIn('correlation', coordinate(third as Coordinate<V>)),
    );
  }
  const x = numbersFor('correlation', first as List<number>);
  const y = numbersFor('correlation', second as List<number>);
  if (x.values.length !== y.values.length) {
    throw new WaymarkError(
      `correlation needs two lists of one length, got lengths ${x.values.length} and ${y.values.length}.`,
    );
  }
  return correlate(x, y);
}

/** A function of a value, or the name of its field. */
export type Coordinate<V> = ((value: V) => number | boolean) | string | number;

function coordinateOf<V>(pick: Coordinate<V>, value: V): unknown {
  if (typeof pick === 'function') return pick(value);
  return (value as Record<string | number, unknown>)[pick];
}

function correlate(x: WeightedNumbers, y: WeightedNumbers): number {
  const result = weightedCorrelation(x, y);
  if (result === undefined) throw new WaymarkError('correlation is not defined where one of the two is constant.');
  return result;
}
