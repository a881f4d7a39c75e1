/** A distribution as values with weights: what statistics and drawings are computed from. */
import { SampleBasedMarginal } from '../distributions/marginal.ts';
import { SampleField, sampleField } from '../distributions/sample-columns.ts';
import { describe } from '../runtime/describe.ts';
import { WaymarkError } from '../runtime/errors.ts';
import type { Distribution } from '../runtime/handler.ts';
import type { WeightedNumbers } from './weighted-numbers.ts';

/** Values, not necessarily distinct, with weights that add up to 1. */
export interface Weighted<V> {
  readonly values: readonly V[];
  readonly weights: ArrayLike<number>;
}

/** The values of a distribution that has finitely many, or of its samples; undefined for others. */
export function weightedValues<V>(distribution: Distribution<V>): Weighted<V> | undefined {
  if (distribution instanceof SampleBasedMarginal) return weightedSamples<V>(distribution as SampleBasedMarginal<V>);
  const support = distribution.support?.();
  if (support === undefined || !Array.isArray(support)) return undefined;
  const values = support as readonly V[];
  return { values, weights: Float64Array.from(values, (value) => Math.exp(distribution.score(value))) };
}

/** The values of samples, in the order in which they were drawn. */
export function sampledValues<V>(distribution: SampleBasedMarginal<V>): V[] {
  const column = sampleField(distribution, 'value');
  return column instanceof SampleField ? (column.map() as V[]) : distribution.samples.map(({ value }) => value);
}

function weightedSamples<V>(distribution: SampleBasedMarginal<V>): Weighted<V> {
  const values = sampledValues(distribution);
  const { weights } = distribution;
  return weights === undefined ? evenly(values) : { values, weights: normalised(weights) };
}

/** Weights that add up to 1, from their logarithms. */
function normalised(logWeights: ArrayLike<number>): Float64Array {
  const weights = new Float64Array(logWeights.length);
  let largest = -Infinity;
  for (let i = 0; i < weights.length; i++) largest = Math.max(largest, logWeights[i]);
  let total = 0;
  for (let i = 0; i < weights.length; i++) {
    weights[i] = Math.exp(logWeights[i] - largest);
    total += weights[i];
  }
  for (let i = 0; i < weights.length; i++) weights[i] /= total;
  return weights;
}

/** The same, or an error that says what needed it and what to do. */
export function valuesFor<V>(purpose: string, distribution: Distribution<V>): Weighted<V> {
  const values = weightedValues(distribution);
  if (values !== undefined) return values;
  throw new WaymarkError(
    `${purpose} needs a distribution with finitely many values or samples, and ${distribution.name} is neither. ` +
      `Draw samples from it first: Infer({method: 'forward', samples: 10000, model: () => sample(dist)}).`,
  );
}

/** A list of values, all with the same weight. */
export function evenly<V>(values: readonly V[]): Weighted<V> {
  return { values, weights: new Float64Array(values.length).fill(1 / values.length) };
}

/** The values as numbers, booleans as 0 and 1. */
export function numbersIn(purpose: string, weighted: Weighted<unknown>): WeightedNumbers {
  const values = Float64Array.from(weighted.values, (value) => {
    if (typeof value === 'number') return value;
    if (typeof value === 'boolean') return value ? 1 : 0;
    throw new WaymarkError(
      `${purpose} needs numbers, and here is ${describe(value)}. Pick a number of each value with ` +
        'marginalize(dist, field), or use expectation(dist, fn).',
    );
  });
  return { values, weights: weighted.weights };
}
