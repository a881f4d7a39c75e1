import type { Address } from '../runtime/address.ts';

interface Average {
  /** NaN until the first step in which it was noted has ended. */
  value: number;
  /** Of the current step. */
  sum: number;
  count: number;
}

/**
 * Running averages of weights, one for each choice that is not pathwise (appendix B, step 2). They live as long as one
 * call of `Optimize`; a choice inside `mapData` has one for each datum. What is subtracted in a step comes from earlier
 * steps alone, which is what keeps the estimate unbiased.
 */
export class Baselines {
  private readonly choices = new Map<Address, Average>();
  /** Over all choices of one place in the program, whatever the iteration. */
  private readonly places = new Map<string, Average>();
  private readonly placeOf = new Map<Address, Average>();
  private readonly noted = new Set<Average>();

  constructor(private readonly decay: number) {}

  /**
   * The average over earlier steps: that of the choice, else, for a datum met for the first time, that of its place in
   * the program. Undefined if the place is new too.
   */
  get(address: Address): number | undefined {
    const own = this.choices.get(address)?.value ?? Number.NaN;
    const known = Number.isNaN(own) ? this.place(address).value : own;
    return Number.isNaN(known) ? undefined : known;
  }

  /** Notes a weight of the current step. */
  note(address: Address, weight: number): void {
    let own = this.choices.get(address);
    if (own === undefined) {
      own = unknown();
      this.choices.set(address, own);
    }
    this.add(own, weight);
    this.add(this.place(address), weight);
  }

  /** Ends a step: moves the averages towards what was noted. */
  update(): void {
    for (const average of this.noted) {
      const mean = average.sum / average.count;
      average.value = Number.isNaN(average.value) ? mean : this.decay * average.value + (1 - this.decay) * mean;
      average.sum = 0;
      average.count = 0;
    }
    this.noted.clear();
  }

  private add(average: Average, weight: number): void {
    average.sum += weight;
    average.count++;
    this.noted.add(average);
  }

  private place(address: Address): Average {
    let average = this.placeOf.get(address);
    if (average === undefined) {
      const key = address.toString().replace(/\[\d+\]/g, '[]');
      average = this.places.get(key) ?? unknown();
      this.places.set(key, average);
      this.placeOf.set(address, average);
    }
    return average;
  }
}

const unknown = (): Average => ({ value: Number.NaN, sum: 0, count: 0 });
