/** A posterior as numbers with weights, and their effective sample size. */
import { Marginal, SampleBasedMarginal } from '../../distributions/marginal.ts';
import { effectiveSize } from '../../inference/diagnostics/convergence.ts';
import type { Distribution } from '../../runtime/handler.ts';
import type { RandomStream } from '../../runtime/random.ts';
import { weightedValues } from '../weighted.ts';
import type { Quantity } from './quantities.ts';

/** The numbers of one quantity under a posterior. */
export interface Numbers {
  readonly values: Float64Array;
  /** They add up to 1. */
  readonly weights: ArrayLike<number>;
  /** Their effective sample size; Infinity if they are exact. */
  readonly draws: number;
}

/** How many draws stand for a posterior that is a family, and so no sample by itself. */
const DRAWN = 200;

/** The numbers of each quantity under a posterior. Chains are thinned to as many values as they have independent ones. */
export function numbersOf(
  posterior: Distribution<unknown>,
  quantities: readonly Quantity[],
  data: unknown,
  stream: RandomStream,
): Numbers[] {
  const found = weightedValues(posterior);
  const values = found?.values ?? Array.from({ length: DRAWN }, () => posterior.draw(stream.begin()));
  const weights = found?.weights ?? new Float64Array(DRAWN).fill(1 / DRAWN);
  const columns = quantities.map(() => new Float64Array(values.length));
  values.forEach((value, i) => {
    quantities.forEach((quantity, q) => {
      columns[q][i] = quantity.of(value, data);
    });
  });
  const chains = chainsIn(posterior);
  if (chains > 0) {
    const kept = thinned(columns, chains);
    const equal = new Float64Array(kept.length).fill(1 / kept.length);
    return columns.map((column) => ({
      values: Float64Array.from(kept, (i) => column[i]),
      weights: equal,
      draws: kept.length,
    }));
  }
  const draws = isExact(posterior) ? Infinity : effectiveDraws(posterior, weights);
  return columns.map((column) => ({ values: column, weights, draws }));
}

const isExact = (posterior: Distribution<unknown>): boolean =>
  posterior instanceof Marginal ||
  !(posterior instanceof SampleBasedMarginal || posterior.support === undefined || !Array.isArray(posterior.support()));

/** How many Markov chains the samples come from; 0 if they do not. */
function chainsIn(posterior: Distribution<unknown>): number {
  const diagnostics = (posterior as SampleBasedMarginal<unknown>).diagnostics;
  if (!(posterior instanceof SampleBasedMarginal) || diagnostics === undefined || posterior.weights !== undefined)
    return 0;
  return 'acceptance' in diagnostics && 'convergence' in diagnostics ? ((diagnostics.chains as number) ?? 1) : 0;
}

/** Places of values far enough apart to be nearly independent, for the quantity that moves most slowly. */
function thinned(columns: readonly Float64Array[], chains: number): number[] {
  const total = columns[0].length;
  const length = Math.floor(total / chains);
  const sizes = columns.map((column) => {
    // Order alone counts, and −∞ has a place in it.
    const finite = column.map((x) => Math.max(-1e300, Math.min(1e300, x)));
    const ranked = ranks(finite);
    return effectiveSize(Array.from({ length: chains }, (_, c) => ranked.subarray(c * length, (c + 1) * length)));
  });
  const least = Math.min(...sizes.map((size) => (Number.isNaN(size) ? 1 : size)));
  const kept = Math.max(1, Math.min(total, Math.floor(least)));
  return Array.from({ length: kept }, (_, k) => Math.floor(((k + 0.5) * total) / kept));
}

function ranks(values: Float64Array): Float64Array {
  const sorted = values.slice().sort();
  const first = new Map<number, number>();
  sorted.forEach((value, i) => {
    if (!first.has(value)) first.set(value, i);
  });
  return values.map((value) => first.get(value)!);
}

/** The effective number of draws: by the weights, or by what a method says of its particles, of which many may have one ancestor. */
function effectiveDraws(posterior: Distribution<unknown>, weights: ArrayLike<number>): number {
  let squares = 0;
  for (let i = 0; i < weights.length; i++) squares += weights[i] ** 2;
  const byWeights = 1 / squares;
  const said = (posterior as SampleBasedMarginal<unknown>).diagnostics?.effectiveSampleSize;
  return Math.max(1, typeof said === 'number' ? Math.min(said, byWeights) : byWeights);
}

/**
 * Where a true value lies among numbers: uniform on (0, 1) if both come from the same distribution. Ties are broken at random (`chance` is
 * uniform), and of n draws there are n + 1 places between and beside them.
 */
export function placeAmong({ values, weights, draws }: Numbers, truth: number, chance: number): number {
  let below = 0;
  let same = 0;
  for (let i = 0; i < values.length; i++) {
    if (values[i] < truth) below += weights[i];
    else if (values[i] === truth) same += weights[i];
  }
  const place =
    draws === Infinity ? below + chance * same : (draws * below + chance * (draws * same + 1)) / (draws + 1);
  return Math.min(1, Math.max(0, place));
}
