/**
 * Finitely many values with their probabilities: what `Categorical` and the results of inference are made of.
 * Values are told apart by structure (`valueKey`), and keep the order in which they were first met.
 */
import { describe } from '../runtime/describe.ts';
import { WaymarkError } from '../runtime/errors.ts';
import type { Random } from '../runtime/random.ts';
import { valueKey } from '../runtime/values.ts';

/** Above this many values a draw searches the running sums by halving. */
const SCAN_LIMIT = 16;

export class ProbabilityTable<V> {
  private runningSums: Float64Array | null = null;
  private ascending: Uint32Array | null = null;

  private constructor(
    /** Distinct, in the order in which they were first met. */
    readonly values: readonly V[],
    /** Normalised, one per value. */
    readonly probabilities: Float64Array,
    /** Their logarithms, which may be finite where a probability is too small for a number. */
    readonly scores: Float64Array,
    private readonly index: Map<unknown, number>,
  ) {}

  /**
   * Normalises distinct values whose log-weights are largest[i] + log(scaled[i]): kept in two parts, because their sum
   * would lose digits of a weight that is far from 0. `index` finds a value's place by its key.
   */
  static fromLogWeights<V>(
    values: readonly V[],
    largest: readonly number[],
    scaled: readonly number[],
    index: Map<unknown, number>,
  ): { table: ProbabilityTable<V>; logTotal: number } {
    let top = -Infinity;
    for (const one of largest) top = Math.max(top, one);
    let total = 0;
    for (let i = 0; i < values.length; i++) total += scaled[i] * Math.exp(largest[i] - top);
    const probabilities = new Float64Array(values.length);
    const scores = new Float64Array(values.length);
    const logOfTotal = Math.log(total);
    for (let i = 0; i < values.length; i++) {
      probabilities[i] = (scaled[i] * Math.exp(largest[i] - top)) / total;
      scores[i] = largest[i] - top + (Math.log(scaled[i]) - logOfTotal);
    }
    return { table: new ProbabilityTable(values, probabilities, scores, index), logTotal: top + logOfTotal };
  }

  /** From weights that need not be normalised, in which equal values may occur again. */
  static fromWeights<V>(values: readonly V[], weights: ArrayLike<number>): ProbabilityTable<V> {
    const index = new Map<unknown, number>();
    const distinct: V[] = [];
    const sums: number[] = [];
    let total = 0;
    for (let i = 0; i < values.length; i++) {
      total += weights[i];
      const key = valueKey(values[i]);
      const place = index.get(key);
      if (place === undefined) {
        index.set(key, distinct.length);
        distinct.push(values[i]);
        sums.push(weights[i]);
      } else {
        sums[place] += weights[i];
      }
    }
    const probabilities = new Float64Array(sums.length);
    const scores = new Float64Array(sums.length);
    for (let i = 0; i < sums.length; i++) {
      probabilities[i] = sums[i] / total;
      scores[i] = Math.log(probabilities[i]);
    }
    return new ProbabilityTable(distinct, probabilities, scores, index);
  }

  /** The same with other objects of the same contents. */
  withValues(values: readonly V[]): ProbabilityTable<V> {
    return new ProbabilityTable(values, this.probabilities, this.scores, this.index);
  }

  score(value: unknown): number {
    const place = this.index.get(valueKey(value));
    return place === undefined ? -Infinity : this.scores[place];
  }

  draw(random: Random): V {
    if (this.runningSums === null) this.runningSums = runningSums(this.probabilities);
    return this.values[placeOf(random.uniform(), this.runningSums)];
  }

  /** The average of the values, which must be numbers (or booleans, counted as 0 and 1). */
  mean(): number {
    let total = 0;
    for (let i = 0; i < this.values.length; i++) {
      if (this.probabilities[i] > 0) total += this.probabilities[i] * this.number(i, 'mean');
    }
    return total;
  }

  variance(): number {
    const mean = this.mean();
    let total = 0;
    for (let i = 0; i < this.values.length; i++) {
      if (this.probabilities[i] > 0) total += this.probabilities[i] * (this.number(i, 'variance') - mean) ** 2;
    }
    return total;
  }

  cdf(x: number): number {
    let total = 0;
    for (let i = 0; i < this.values.length; i++) {
      if (this.number(i, 'cdf') <= x) total += this.probabilities[i];
    }
    return Math.min(1, total);
  }

  /** The smallest value x with P(X ≤ x) ≥ p. */
  quantile(p: number): number {
    if (typeof p !== 'number' || !(p >= 0 && p <= 1)) {
      throw new WaymarkError(`quantile needs a probability from 0 to 1, got ${describe(p)}.`);
    }
    if (this.ascending === null) {
      const numbers = Float64Array.from(this.values, (_, i) => this.number(i, 'quantile'));
      this.ascending = Uint32Array.from(this.values, (_, i) => i).sort((i, j) => numbers[i] - numbers[j]);
    }
    // A sum of probabilities that are exactly p on paper may fall short of it by rounding.
    const enough = p - 1e-12;
    let total = 0;
    let last = -1;
    for (const place of this.ascending) {
      const probability = this.probabilities[place];
      if (probability === 0) continue;
      last = place;
      total += probability;
      if (total >= enough) break;
    }
    return this.number(last, 'quantile');
  }

  private number(place: number, purpose: string): number {
    const value: unknown = this.values[place];
    if (typeof value === 'number') return value;
    if (typeof value === 'boolean') return value ? 1 : 0;
    throw new WaymarkError(
      `${purpose} needs numbers (or booleans) as values, and this distribution is over ${describe(value)}. ` +
        'Use expectation(dist, f) with a function that makes a number of each value.',
    );
  }
}

/** Collects values with log-weights; weights of equal values add up. */
export class TableBuilder<V> {
  private readonly values: V[] = [];
  private readonly index = new Map<unknown, number>();
  /** The weight of value i is largest[i] + log(scaled[i]): a running log-sum-exp that takes one `exp` per addition. */
  private readonly largest: number[] = [];
  private readonly scaled: number[] = [];

  /** Number of distinct values so far. */
  get size(): number {
    return this.values.length;
  }

  add(value: V, logWeight: number): void {
    if (!(logWeight < Infinity)) {
      throw new WaymarkError(`A weight must be a log-probability (a number below Infinity), got ${logWeight}.`);
    }
    if (logWeight === -Infinity) return;
    const key = typeof value === 'object' || typeof value === 'string' ? valueKey(value) : value;
    const place = this.index.get(key);
    if (place === undefined) {
      this.index.set(key, this.values.length);
      this.values.push(value);
      this.largest.push(logWeight);
      this.scaled.push(1);
      return;
    }
    const difference = logWeight - this.largest[place];
    if (difference <= 0) {
      this.scaled[place] += Math.exp(difference);
    } else {
      this.scaled[place] = this.scaled[place] * Math.exp(-difference) + 1;
      this.largest[place] = logWeight;
    }
  }

  /** Adds all that another one has collected, with log-weights shifted by a number. */
  include(other: TableBuilder<V>, shift: number): void {
    for (const [key, from] of other.index) {
      const largest = other.largest[from] + shift;
      const place = this.index.get(key);
      if (place === undefined) {
        this.index.set(key, this.values.length);
        this.values.push(other.values[from]);
        this.largest.push(largest);
        this.scaled.push(other.scaled[from]);
      } else if (largest <= this.largest[place]) {
        this.scaled[place] += other.scaled[from] * Math.exp(largest - this.largest[place]);
      } else {
        this.scaled[place] = this.scaled[place] * Math.exp(this.largest[place] - largest) + other.scaled[from];
        this.largest[place] = largest;
      }
    }
  }

  /** The table, and the log of the total weight; undefined if no value had any. Nothing must be added afterwards. */
  finish(): { table: ProbabilityTable<V>; logTotal: number } | undefined {
    if (this.values.length === 0) return undefined;
    return ProbabilityTable.fromLogWeights(this.values, this.largest, this.scaled, this.index);
  }
}

/** First place whose running sum exceeds u times the total. */
export function placeOf(u: number, sums: Float64Array): number {
  const target = u * sums[sums.length - 1];
  if (sums.length <= SCAN_LIMIT) {
    let place = 0;
    while (place < sums.length - 1 && sums[place] <= target) place++;
    return place;
  }
  let low = 0;
  let high = sums.length - 1;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (sums[middle] <= target) low = middle + 1;
    else high = middle;
  }
  return low;
}

export function runningSums(weights: ArrayLike<number>): Float64Array {
  const sums = new Float64Array(weights.length);
  let total = 0;
  for (let i = 0; i < sums.length; i++) {
    total += weights[i];
    sums[i] = total;
  }
  return sums;
}
