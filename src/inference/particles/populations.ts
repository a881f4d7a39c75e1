/**
 * Populations of particles that run side by side: one, or one for each of several inferences that are run as one. Each is weighed and
 * resampled for itself, just as if it were alone.
 */
import { currentGroup } from '../../lanes/columns/group.ts';
import { type Doubles, Words } from '../../lanes/columns/kernel-memory.ts';
import type { Moves } from '../../lanes/columns/moves.ts';
import type { Filtering } from './filtering.ts';
import { type Counts, countOf } from './particle-counts.ts';

export interface Populations {
  readonly count: number;
  /** Which of them a particle belongs to, by its number. */
  of(slot: number): number;
  /** Works out the shares; gives the log of the sum of the weights, −∞ if all weights of one of them are zero. */
  weigh(logWeights: Doubles, most?: number): number;
  /** Whether resampling is due, for one of them at least. */
  isDue(hasEnded: ((i: number) => boolean) | null): boolean;
  /** How many children each particle gets. */
  resample(logWeights: Doubles, logSum: number, guided: (population: number) => boolean): Words;
  resampleByMoves(logWeights: Doubles, logSum: number, guided: (population: number) => boolean): Moves | Words;
  /** Log-weights after resampling: zero for those that were resampled. */
  even(logWeights: Doubles): void;
  /** All particles have come to their end. */
  end(): void;
  /** Whether weights are even, so that nothing need be resampled at the end; those that are have been taken into account then. */
  areEven(logWeights: Doubles, guided: (population: number) => boolean): boolean;
}

export class OnePopulation implements Populations {
  readonly count = 1;

  constructor(private readonly filtering: Filtering) {}

  of(): number {
    return 0;
  }

  weigh(logWeights: Doubles, most?: number): number {
    return this.filtering.weigh(logWeights, most);
  }

  isDue(hasEnded: ((i: number) => boolean) | null): boolean {
    return this.filtering.isDue(hasEnded);
  }

  resample(logWeights: Doubles, logSum: number, guided: (population: number) => boolean): Words {
    return this.filtering.resample(logWeights, logSum, guided(0));
  }

  resampleByMoves(logWeights: Doubles, logSum: number, guided: (population: number) => boolean): Moves | Words {
    return this.filtering.resampleByMoves(logWeights, logSum, guided(0));
  }

  even(logWeights: Doubles): void {
    logWeights.fill(0);
  }

  end(): void {
    this.filtering.spread = this.filtering.effectiveSize;
  }

  areEven(logWeights: Doubles, guided: (population: number) => boolean): boolean {
    return this.filtering.areEven(logWeights, guided(0));
  }
}

/** One after the other, with as many particles each. */
export class SeveralPopulations implements Populations {
  private readonly logSums: Float64Array;
  private readonly due: boolean[];

  constructor(
    private readonly all: readonly Filtering[],
    /** How many particles each has. */
    private readonly size: number,
  ) {
    this.logSums = new Float64Array(all.length);
    this.due = all.map(() => false);
  }

  get count(): number {
    return this.all.length;
  }

  of(slot: number): number {
    return Math.floor(slot / this.size);
  }

  /** The numbers of one population, out of an array with a number for each particle. */
  private own(numbers: Doubles, k: number): Float64Array {
    return numbers.array.slice(k * this.size, (k + 1) * this.size);
  }

  weigh(logWeights: Doubles): number {
    this.all.forEach((one, k) => {
      this.logSums[k] = one.weigh(this.own(logWeights, k));
    });
    return this.logSums.includes(-Infinity) ? -Infinity : 0;
  }

  isDue(hasEnded: ((i: number) => boolean) | null): boolean {
    this.all.forEach((one, k) => {
      this.due[k] = one.isDue(hasEnded && ((i) => hasEnded(k * this.size + i)));
    });
    return this.due.includes(true);
  }

  resample(logWeights: Doubles, _logSum: number, guided: (population: number) => boolean): Words {
    const children = new Int32Array(this.all.length * this.size).fill(1);
    this.all.forEach((one, k) => {
      if (!this.due[k]) return;
      children.set(one.resample(this.own(logWeights, k), this.logSums[k], guided(k)).array, k * this.size);
    });
    return Words.of(children);
  }

  resampleByMoves(logWeights: Doubles, logSum: number, guided: (population: number) => boolean): Words {
    return this.resample(logWeights, logSum, guided);
  }

  even(logWeights: Doubles): void {
    const left = logWeights.array.slice();
    this.due.forEach((isDue, k) => {
      if (isDue) left.fill(0, k * this.size, (k + 1) * this.size);
    });
    logWeights.become(left);
  }

  end(): void {
    for (const one of this.all) one.spread = one.effectiveSize;
  }

  areEven(logWeights: Doubles, guided: (population: number) => boolean): boolean {
    this.all.forEach((one, k) => {
      this.due[k] = !one.areEven(this.own(logWeights, k), guided(k));
    });
    return !this.due.includes(true);
  }
}

/** From where on populations have drawn from guides. */
export class Guidance {
  /** Fewest factors before such a choice, by population. */
  private readonly from: number[];

  constructor(private readonly populations: Populations) {
    this.from = new Array<number>(populations.count).fill(Infinity);
  }

  /** The particles of the current group draw from guides, after so many factors. */
  note(met: Counts): void {
    const { from, populations } = this;
    const { isWhole, slots } = currentGroup();
    if (typeof met === 'number' && isWhole) for (let k = 0; k < from.length; k++) from[k] = Math.min(from[k], met);
    else
      for (const slot of slots) {
        const k = populations.of(slot);
        from[k] = Math.min(from[k], countOf(met, slot));
      }
  }

  /** After how many factors the one population that there is began to draw from guides. */
  get earliest(): number {
    return this.from[0];
  }

  set earliest(factors: number) {
    this.from[0] = factors;
  }

  /** Whether what is weighed at a factor, or after the last one, was drawn from guides, by population. */
  at(factor: number): (population: number) => boolean {
    return (population) => this.from[population] < Infinity && this.from[population] <= factor;
  }

  /** Whether a population has drawn from guides at all. */
  isUsed(population: number): boolean {
    return this.from[population] < Infinity;
  }
}
