/**
 * How far numbers are from being uniform on (0, 1): bands for the difference between their distribution function and the straight
 * line, and tests. The bands hold at all points at once, with exact probability (Säilynoja, Bürkner & Vehtari 2022, section 3).
 */
import { logGamma } from '../../tensor/special/gamma.ts';
import { normalCdf } from '../../tensor/special/normal.ts';

/** A curve with the band it stays within, for calibrated posteriors, as often as the level says. */
export interface Banded {
  /** Points in (0, 1). */
  readonly at: readonly number[];
  readonly value: readonly number[];
  readonly lower: readonly number[];
  readonly upper: readonly number[];
}

/** Points at which distribution functions are compared. */
const POINTS = 64;

/** How many of `size` uniform numbers lie below each of a few points: what is usual, and what is not. */
export class UniformCounts {
  readonly points: number;
  private readonly logFactorials: Float64Array;
  /** By point: the probability of at most so many below it. */
  private readonly below: readonly Float64Array[];
  private readonly kept = new Map<number, readonly (readonly [number, number])[]>();

  constructor(readonly size: number) {
    this.points = Math.min(POINTS, Math.max(2, size)) - 1;
    this.logFactorials = Float64Array.from({ length: size + 1 }, (_, n) => logGamma(n + 1));
    this.below = Array.from({ length: this.points }, (_, k) => {
      const probabilities = this.binomial(size, this.at(k));
      for (let c = 1; c <= size; c++) probabilities[c] = Math.min(1, probabilities[c] + probabilities[c - 1]);
      return probabilities;
    });
  }

  at(k: number): number {
    return (k + 1) / (this.points + 1);
  }

  private binomial(n: number, p: number): Float64Array {
    const { logFactorials } = this;
    const [yes, no] = [Math.log(p), Math.log1p(-p)];
    return Float64Array.from({ length: n + 1 }, (_, c) => {
      if (p === 1) return c === n ? 1 : 0;
      return Math.exp(logFactorials[n] - logFactorials[c] - logFactorials[n - c] + c * yes + (n - c) * no);
    });
  }

  /** How unusual a count below a point is: the probability of one as far out, on either side. */
  private tail(k: number, count: number): number {
    const below = this.below[k];
    return 2 * Math.min(below[count], 1 - (count === 0 ? 0 : below[count - 1]));
  }

  /** The counts at each point whose tails are above a bound. */
  private within(bound: number): (readonly [number, number])[] {
    return Array.from({ length: this.points }, (_, k) => {
      let [low, high] = [0, this.size];
      while (low < high && this.tail(k, low) <= bound) low++;
      while (high > low && this.tail(k, high) <= bound) high--;
      return [low, high] as const;
    });
  }

  /** The probability that counts stay within bounds at all points: from point to point, the rest are uniform above it. */
  private staying(bounds: readonly (readonly [number, number])[]): number {
    let from = 0;
    let chances = Float64Array.of(1);
    bounds.forEach(([low, high], k) => {
      const share = 1 / (this.points + 1 - k);
      const [yes, no] = [Math.log(share), Math.log1p(-share)];
      const next = new Float64Array(high - low + 1);
      const logs = this.logFactorials;
      chances.forEach((chance, i) => {
        const left = this.size - from - i;
        for (let c = Math.max(low, from + i); c <= high; c++) {
          const more = c - from - i;
          next[c - low] +=
            chance * Math.exp(logs[left] - logs[more] - logs[left - more] + more * yes + (left - more) * no);
        }
      });
      [from, chances] = [low, next];
    });
    return chances.reduce((a, b) => a + b, 0);
  }

  private counts(numbers: readonly number[]): number[] {
    const counts = new Array<number>(this.points + 1).fill(0);
    for (const u of numbers) counts[Math.min(this.points, Math.floor(u * (this.points + 1)))]++;
    let total = 0;
    return counts.slice(0, -1).map((count) => {
      total += count;
      return total;
    });
  }

  /** The probability that uniform numbers stray as far, at the point where these stray most. */
  shapeTest(numbers: readonly number[]): number {
    const worst = Math.min(...this.counts(numbers).map((count, k) => this.tail(k, count)));
    if (worst >= 1) return 1;
    return Math.max(0, Math.min(1, 1 - this.staying(this.within(worst))));
  }

  /** Bounds that all counts stay within with the probability 1 − level, or a little more. */
  private band(level: number): readonly (readonly [number, number])[] {
    let bounds = this.kept.get(level);
    if (bounds === undefined) {
      // Tails at single points are smaller than the level, and not smaller than if each point were by itself.
      let [low, high] = [level / (this.points + 1) / 2, level];
      for (let i = 0; i < 12; i++) {
        const middle = Math.sqrt(low * high);
        if (this.staying(this.within(middle)) >= 1 - level) low = middle;
        else high = middle;
      }
      bounds = this.within(low);
      this.kept.set(level, bounds);
    }
    return bounds;
  }

  /** The distribution function of numbers, with its band; both less the straight line if `difference` says so. */
  banded(numbers: readonly number[], level: number, difference: boolean): Banded {
    const at = Array.from({ length: this.points }, (_, k) => this.at(k));
    const relative = (count: number, k: number): number => count / this.size - (difference ? at[k] : 0);
    const band = this.band(level);
    return {
      at,
      value: this.counts(numbers).map(relative),
      lower: band.map(([low], k) => relative(low, k)),
      upper: band.map(([, high], k) => relative(high, k)),
    };
  }
}

/** How far a mean is from what it should be, in standard errors, and how unusual that is. */
interface Deviation {
  readonly z: number;
  readonly p: number;
}

const deviation = (z: number): Deviation => ({ z, p: 2 * normalCdf(-Math.abs(z)) });

const mean = (numbers: readonly number[], of: (u: number) => number): number =>
  numbers.reduce((sum, u) => sum + of(u), 0) / numbers.length;

/** How far the mean is from 1/2. */
export const shiftTest = (numbers: readonly number[]): Deviation =>
  deviation((mean(numbers, (u) => u) - 1 / 2) * Math.sqrt(12 * numbers.length));

/** How far the variance about 1/2 is from 1/12. */
export const spreadTest = (numbers: readonly number[]): Deviation =>
  deviation((mean(numbers, (u) => (u - 1 / 2) ** 2) - 1 / 12) * Math.sqrt(180 * numbers.length));

/** Holm's correction: what is below the level may be called so, for all tests together. */
export function adjusted(probabilities: readonly number[]): number[] {
  const order = probabilities.map((_, i) => i).sort((a, b) => probabilities[a] - probabilities[b]);
  const result = new Array<number>(probabilities.length);
  let largest = 0;
  order.forEach((i, place) => {
    largest = Math.max(largest, Math.min(1, probabilities[i] * (probabilities.length - place)));
    result[i] = largest;
  });
  return result;
}
