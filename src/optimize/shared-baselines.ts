/** Running averages that ranks learn together. Ranks meet choices in different orders, so that averages have names, and names common numbers. */
import type { Address } from '../runtime/address.ts';
import type { Baselines } from './baselines.ts';

export class SharedBaselines {
  private readonly numbers = new Map<string, number>();
  private readonly names: string[] = [];
  /** By the common number, the average's own number on this rank; −1 if it has none so far. */
  private readonly own: number[] = [];
  /** By the own number, the common one plus 1; 0 if it has none so far. */
  private common = new Int32Array(64);

  constructor(
    private readonly averages: Baselines,
    private readonly base: Address,
  ) {
    averages.share(base);
  }

  /** Room that an exchange needs: a sum and a count for each average. */
  get room(): number {
    return 2 * this.names.length;
  }

  /** Names that were noted in this step and have no common number. */
  fresh(): string[] {
    const names: string[] = [];
    this.averages.eachNoted((number) => {
      if (this.commonOf(number) < 0) names.push(this.averages.nameOf(number, this.base));
    });
    return names;
  }

  /** Gives names common numbers, in an order that is the same on all ranks. */
  add(names: readonly string[]): void {
    for (const name of names) {
      if (this.numbers.has(name)) continue;
      this.numbers.set(name, this.names.length);
      this.names.push(name);
      this.own.push(-1);
    }
  }

  /** Writes what was noted in this step. */
  write(into: Float64Array, at: number): void {
    const count = this.names.length;
    this.averages.eachNoted((number, sum, notes) => {
      const common = this.commonOf(number);
      into[at + common] = sum;
      into[at + count + common] = notes;
    });
  }

  /** Forgets what was noted in this step. */
  forget(): void {
    this.averages.forgetNotes();
  }

  /** Moves the averages towards what all ranks have noted. */
  learn(from: Float64Array, at: number): void {
    const { names, own, averages } = this;
    averages.forgetNotes();
    for (let common = 0; common < names.length; common++) {
      const notes = from[at + names.length + common];
      if (notes === 0) continue;
      if (own[common] < 0) own[common] = averages.numberNamed(names[common]) ?? -1;
      const mean = from[at + common] / notes;
      if (own[common] < 0) averages.moveElsewhere(names[common], mean);
      else averages.move(own[common], mean);
    }
  }

  private commonOf(number: number): number {
    if (number >= this.common.length) {
      const longer = new Int32Array(2 * number);
      longer.set(this.common);
      this.common = longer;
    }
    if (this.common[number] === 0) {
      const common = this.numbers.get(this.averages.nameOf(number, this.base));
      if (common === undefined) return -1;
      this.common[number] = common + 1;
      this.own[common] = number;
    }
    return this.common[number] - 1;
  }
}

/** What ranks have to know of averages that they learn together. */
export type StepAverages = Pick<SharedBaselines, 'room' | 'fresh' | 'add' | 'write' | 'forget' | 'learn'>;
