/** Shares of the weight of many particles, worked out when they are asked for. */
import { Doubles, type Words } from '../../lanes/columns/kernel-memory.ts';
import {
  divideBy,
  largest,
  resampledPairs,
  type Sums,
  systematicChildren,
  weightsFrom,
} from '../../lanes/columns/kernels.ts';
import { Moves } from '../../lanes/columns/moves.ts';

/** How far a number of particles may be off that was found without dividing weights by their sum. */
const OFF = 1e-6;

export class Shares {
  /** Weights in units of the largest, or divided by their sum. */
  private readonly weights: Doubles;
  private sums: Sums;
  private divided = true;

  constructor(size: number) {
    this.weights = Doubles.filled(size, 1 / size);
    this.sums = { total: 1, squares: 1 / size };
  }

  /** Not to be changed. */
  get array(): Float64Array {
    this.divide();
    return this.weights.array;
  }

  /** Takes shares that were worked out elsewhere. */
  become(shares: Float64Array, squares: number): void {
    this.weights.become(shares);
    this.sums = { total: 1, squares };
    this.divided = true;
  }

  /** Takes them from log-weights, of which the largest may be known; gives the log of the sum, −∞ if all are zero. */
  weigh(logWeights: Doubles, most = largest(logWeights)): number {
    if (most === -Infinity) return most;
    this.sums = weightsFrom(logWeights, most, this.weights);
    this.divided = false;
    return most + Math.log(this.sums.total);
  }

  private divide(): void {
    if (this.divided) return;
    this.sums = { total: 1, squares: divideBy(this.sums.total, this.weights) };
    this.divided = true;
  }

  /** The effective sample size. */
  get effectiveSize(): number {
    this.divide();
    return 1 / this.sums.squares;
  }

  /** Whether the effective sample size is below this. */
  areWorthLessThan(size: number): boolean {
    const { total, squares } = this.sums;
    const worth = (total * total) / squares;
    return Math.abs(worth - size) > OFF * size ? worth < size : this.effectiveSize < size;
  }

  /** How many children each gets by systematic resampling. */
  children(size: number, offset: number): Words {
    return systematicChildren(this.weights, this.sums.total, size, offset);
  }

  /** The same as moves of as many as they are; null if rounding stands in the way. */
  moves(offset: number): Moves | null {
    const { weights, sums } = this;
    const pairs = resampledPairs(weights, sums.total, offset);
    return pairs && new Moves(weights.length, pairs);
  }
}
