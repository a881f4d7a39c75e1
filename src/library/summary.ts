import { SampleBasedMarginal } from '../distributions/marginal.ts';
import { effectiveSize } from '../inference/diagnostics/convergence.ts';
import { describe } from '../runtime/describe.ts';
import { WaymarkError } from '../runtime/errors.ts';
import type { Distribution } from '../runtime/handler.ts';
import { isDistribution } from '../runtime/primitives.ts';
import { valueKey } from '../runtime/values.ts';
import { Tensor } from '../tensor/tensor.ts';
import { mean, type Numeric, quantiles, variance } from './statistics.ts';
import { evenly, type Weighted, weightedValues } from './weighted.ts';
import { ascending, sortedQuantiles, weightedMean, weightedVariance } from './weighted-numbers.ts';

/** The summary of numbers (and booleans, as 0 and 1). */
export interface NumberSummary {
  mean: number;
  sd: number;
  quantiles: { '2.5%': number; '25%': number; '50%': number; '75%': number; '97.5%': number };
  /** The most probable value, where values repeat. */
  mode?: number | boolean;
  /** The effective sample size, where it is known. */
  ess?: number;
}

/** The summary of values that are not numbers. */
export interface ValueSummary {
  /** The most probable value. */
  mode: unknown;
  probability: number;
  /** How many different values there are. */
  distinct: number;
  ess?: number;
}

/** The summary of values; of objects and lists, that of each field. */
export type Summary = NumberSummary | ValueSummary | { [field: string]: Summary };

/**
 * The main facts about any distribution or list of values; for objects and lists, about each of their fields.
 *
 *     summary(Infer({method: 'forward', samples: 1000, model: () => gaussian(0, 1)}))
 */
export function summary(dist: Distribution<unknown> | readonly unknown[]): Summary {
  if (isDistribution(dist)) {
    const weighted = weightedValues(dist);
    if (weighted === undefined) return closedFormSummary(dist);
    return summaryOf(weighted, essOf(dist), !(dist instanceof SampleBasedMarginal));
  }
  if (!Array.isArray(dist) || dist.length === 0) {
    throw new WaymarkError(`summary needs a distribution or a list of values, got ${describe(dist)}.`);
  }
  return summaryOf(evenly(dist), undefined, false);
}

/** Gives the main facts about a part of the values of a distribution, the effective sample size among them if it is wanted. */
export function partSummary(dist: Distribution<unknown>, sized: boolean): (part: Weighted<unknown>) => Summary {
  const ess = sized ? essOf(dist) : undefined;
  return (part) => summaryOf(part, ess, !(dist instanceof SampleBasedMarginal));
}

/** Of one coordinate of the samples, by autocorrelation; of weighted samples, by their weights. */
type Ess = ((values: readonly unknown[]) => number | undefined) | undefined;

function essOf(dist: Distribution<unknown>): Ess {
  if (!(dist instanceof SampleBasedMarginal)) return undefined;
  const { weights, diagnostics } = dist;
  const known = diagnostics?.effectiveSampleSize;
  if (typeof known === 'number') return () => known;
  if (weights !== undefined) {
    const size = weightsSize(weights);
    return () => size;
  }
  return (values) => {
    if (values.length < 8 || !values.every(isNumeric)) return undefined;
    return effectiveSize([Float64Array.from(values, Number)]);
  };
}

/** Kish's effective size, (Σw)² / Σw², of log-weights. */
function weightsSize(logWeights: ArrayLike<number>): number {
  let largest = -Infinity;
  for (let i = 0; i < logWeights.length; i++) largest = Math.max(largest, logWeights[i]);
  let [total, squares] = [0, 0];
  for (let i = 0; i < logWeights.length; i++) {
    const weight = Math.exp(logWeights[i] - largest);
    total += weight;
    squares += weight * weight;
  }
  return (total * total) / squares;
}

const isNumeric = (value: unknown): value is number | boolean =>
  typeof value === 'number' || typeof value === 'boolean';

/** `exact` says that the weights are probabilities of the values, so that the largest is the mode's. */
function summaryOf(weighted: Weighted<unknown>, ess: Ess, exact: boolean): Summary {
  const { values } = weighted;
  if (values.every(isNumeric)) return numberSummary(weighted as Weighted<number | boolean>, ess, exact);
  const fields = commonFields(values);
  if (fields === undefined) return valueSummary(weighted, ess);
  const ofField = (field: string): Summary =>
    summaryOf({ values: values.map((value) => fieldOf(value, field)), weights: weighted.weights }, ess, exact);
  return Object.fromEntries(fields.map((field) => [field, ofField(field)]));
}

function numberSummary(weighted: Weighted<number | boolean>, ess: Ess, exact: boolean): NumberSummary {
  const numbers = { values: Float64Array.from(weighted.values, Number), weights: weighted.weights };
  const sorted = ascending(numbers);
  const result: NumberSummary = {
    mean: weightedMean(numbers),
    sd: Math.sqrt(weightedVariance(numbers)),
    quantiles: fiveQuantiles(sortedQuantiles(sorted)),
  };
  if (exact || sorted.values.length === 1 || !areAllDifferent(sorted.values)) {
    const { mode, distinct } = modeOf(weighted);
    if (exact || distinct < weighted.values.length || distinct === 1) result.mode = mode as number | boolean;
  }
  const size = ess?.(weighted.values);
  if (size !== undefined) result.ess = size;
  return result;
}

/** Whether numbers in ascending order are all different; those that are NaN are alike. */
function areAllDifferent(sorted: Float64Array): boolean {
  for (let i = 1; i < sorted.length; i++) if (!(sorted[i - 1] < sorted[i])) return false;
  return true;
}

function fiveQuantiles(at: (p: number) => number): NumberSummary['quantiles'] {
  return { '2.5%': at(0.025), '25%': at(0.25), '50%': at(0.5), '75%': at(0.75), '97.5%': at(0.975) };
}

function valueSummary(weighted: Weighted<unknown>, ess: Ess): ValueSummary {
  const result: ValueSummary = modeOf(weighted);
  const size = ess?.(weighted.values);
  if (size !== undefined) result.ess = size;
  return result;
}

function modeOf({ values, weights }: Weighted<unknown>): { mode: unknown; probability: number; distinct: number } {
  /** The first place of each value, and the sum of its weights. */
  const firsts = new Map<unknown, number>();
  const totals = new Float64Array(values.length);
  for (let i = 0; i < values.length; i++) {
    const key = valueKey(values[i]);
    const first = firsts.get(key);
    if (first === undefined) firsts.set(key, i);
    totals[first ?? i] += weights[i];
  }
  let best = -1;
  for (const i of firsts.values()) if (best < 0 || totals[i] > totals[best]) best = i;
  return { mode: values[best], probability: best < 0 ? -1 : totals[best], distinct: firsts.size };
}

/** The fields of values that are all objects with the same ones, or all lists of one length. */
export function commonFields(values: readonly unknown[]): string[] | undefined {
  const fields = fieldsOf(values[0]);
  if (fields === undefined || fields.length === 0) return undefined;
  const same = values.every((value) => {
    const own = fieldsOf(value);
    return own !== undefined && own.length === fields.length && fields.every((field) => own.includes(field));
  });
  return same ? fields : undefined;
}

/** Tensors and lists beyond this many entries are looked at as a whole. */
const MANY_FIELDS = 100;

function fieldsOf(value: unknown): string[] | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const length = value instanceof Tensor ? value.length : Array.isArray(value) ? value.length : undefined;
  if (length !== undefined) return length > MANY_FIELDS ? undefined : Array.from({ length }, (_, i) => String(i));
  return Object.getPrototypeOf(value) === Object.prototype ? Object.keys(value) : undefined;
}

/** A field of an object, an item of a list, or an entry of a tensor. */
export function fieldOf(value: unknown, field: string): unknown {
  return value instanceof Tensor ? value.data[Number(field)] : (value as Record<string, unknown>)[field];
}

/** The summary of a family, by its closed forms. */
function closedFormSummary(dist: Distribution<unknown>): Summary {
  const numeric = dist as unknown as Numeric;
  return {
    mean: mean(numeric),
    sd: Math.sqrt(variance(numeric)),
    quantiles: fiveQuantiles(quantiles('summary', numeric)),
  };
}
