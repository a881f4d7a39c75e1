/**
 * The output of a head for a choice, as a distribution that values are drawn from and that is compared with the
 * prior.
 */
import { normalCdf } from '../tensor/special/normal.ts';
import type { ListedValues } from './coordinates-of-many.ts';
import { writeListed } from './pack.ts';
import type { Site } from './sites.ts';
import { LIST_FEATURES, SPREAD, strength } from './sizes.ts';

/** A mixture of normals in the coordinate of a number. */
export class HeadMixture {
  private readonly shares: Float64Array;
  private readonly means: Float64Array;
  private readonly spreads: Float64Array;
  private readonly strengths: Float64Array;

  constructor(private readonly components: number) {
    this.strengths = Float64Array.from({ length: components }, (_, k) => strength(k, components));
    this.shares = new Float64Array(components);
    this.means = new Float64Array(components);
    this.spreads = new Float64Array(components);
  }

  /** Takes the output of a head. */
  take(output: ArrayLike<number>, start: number): this {
    const { components, shares, means, spreads, strengths } = this;
    let largest = -Infinity;
    for (let k = 0; k < components; k++) largest = Math.max(largest, output[start + 2 * components + k]);
    let total = 0;
    for (let k = 0; k < components; k++) {
      const power = strengths[k];
      means[k] = power * output[start + k];
      spreads[k] = Math.exp(SPREAD * Math.tanh((power * output[start + components + k]) / SPREAD));
      shares[k] = Math.exp(output[start + 2 * components + k] - largest);
      total += shares[k];
    }
    for (let k = 0; k < components; k++) shares[k] /= total;
    return this;
  }

  /** A coordinate, of a uniform and a standard normal number. */
  draw(uniform: number, normal: number): number {
    let left = uniform;
    let k = 0;
    while (k < this.components - 1 && left >= this.shares[k]) left -= this.shares[k++];
    return this.means[k] + this.spreads[k] * normal;
  }

  /** Log of the density of a real coordinate, over that of the prior. */
  logRatio(u: number): number {
    let sum = 0;
    const own = 0.5 * u * u;
    for (let k = 0; k < this.components; k++) {
      const z = (u - this.means[k]) / this.spreads[k];
      sum += (this.shares[k] / this.spreads[k]) * Math.exp(own - 0.5 * z * z);
    }
    // Far out both are 0, and it is found by logarithms.
    return sum > 0 && sum < Infinity ? Math.log(sum) : this.farRatio(u);
  }

  private farRatio(u: number): number {
    let largest = -Infinity;
    const logs = Array.from({ length: this.components }, (_, k) => {
      const z = (u - this.means[k]) / this.spreads[k];
      const log = Math.log(this.shares[k] / this.spreads[k]) + 0.5 * (u * u - z * z);
      largest = Math.max(largest, log);
      return log;
    });
    if (!Number.isFinite(largest)) return largest;
    return largest + Math.log(logs.reduce((sum, log) => sum + Math.exp(log - largest), 0));
  }

  /** The probability of an interval. */
  mass(lower: number, upper: number): number {
    let sum = 0;
    for (let k = 0; k < this.components; k++) {
      const a = (lower - this.means[k]) / this.spreads[k];
      const b = (upper - this.means[k]) / this.spreads[k];
      // From the side on which the probabilities have their digits.
      sum += this.shares[k] * (a > 0 ? normalCdf(-a) - normalCdf(-b) : normalCdf(b) - normalCdf(a));
    }
    return sum;
  }
}

/** Probabilities of listed values. */
export class HeadList {
  private logs: Float64Array = new Float64Array(0);
  /** Probabilities, up to a factor, and what they add up to. */
  private shares: Float64Array = new Float64Array(0);
  private sum = 0;
  private total = 0;
  /** What heads know of the values of the last list of numbers. */
  private features = new Float64Array(0);
  private numbers: ArrayLike<number> | null = null;
  private site: Site | null = null;

  private know(numbers: ArrayLike<number>, site: Site): void {
    this.features = new Float64Array(LIST_FEATURES * numbers.length);
    for (let k = 0; k < numbers.length; k++) writeListed(site, numbers[k], this.features, LIST_FEATURES * k, 1);
    this.numbers = numbers;
    this.site = site;
  }

  /** Takes the output of a head for lists of this length; `site` knows how large the values are. */
  take(
    output: ArrayLike<number>,
    start: number,
    length: number,
    { logs: prior, numbers }: ListedValues,
    site: Site,
    /** How well earlier choices fit each place of the list; places beyond have no earlier choice. */
    pointed: Float64Array | null,
  ): this {
    if (this.logs.length !== prior.length) {
      this.logs = new Float64Array(prior.length);
      this.shares = new Float64Array(prior.length);
    }
    const { logs, shares } = this;
    if (numbers !== null && (numbers !== this.numbers || site !== this.site)) this.know(numbers, site);
    const { features } = this;
    let largest = -Infinity;
    for (let k = 0; k < logs.length; k++) {
      let log = prior[k] + output[start + k] + (pointed === null || k >= pointed.length ? 0 : pointed[k]);
      if (numbers !== null) {
        const at = k * LIST_FEATURES;
        for (let f = 0; f < LIST_FEATURES; f++) log += output[start + length + f] * features[at + f];
      }
      logs[k] = log;
      if (log > largest) largest = log;
    }
    let sum = 0;
    for (let k = 0; k < logs.length; k++) {
      shares[k] = Math.exp(logs[k] - largest);
      sum += shares[k];
    }
    this.sum = sum;
    this.total = largest + Math.log(sum);
    return this;
  }

  /** A place in the list, of a uniform number. */
  draw(uniform: number): number {
    const { shares, sum } = this;
    let left = uniform * sum;
    for (let k = 0; k < shares.length; k++) {
      left -= shares[k];
      if (left < 0) return k;
    }
    return lastPossible(this.logs);
  }

  logRatio(index: number, prior: ArrayLike<number>): number {
    return this.logs[index] - this.total - prior[index];
  }
}

/** The place that a uniform number picks, by log-probabilities. */
export function pick(logs: ArrayLike<number>, uniform: number): number {
  let left = uniform;
  for (let k = 0; k < logs.length; k++) {
    left -= Math.exp(logs[k]);
    if (left < 0) return k;
  }
  return lastPossible(logs);
}

/** Where rounding leaves nothing else: the last that is possible. */
function lastPossible(logs: ArrayLike<number>): number {
  let k = logs.length - 1;
  while (k > 0 && logs[k] === -Infinity) k--;
  return k;
}
