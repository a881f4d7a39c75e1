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
  /** Averages from a checkpoint by the path of the choice, until the choice is met. */
  private restored: Map<string, number> | null = null;
  private base: Address | null = null;

  constructor(private readonly decay: number) {}

  /**
   * The average over earlier steps: that of the choice, else, for a datum met for the first time, that of its place in
   * the program. Undefined if the place is new too.
   */
  get(address: Address): number | undefined {
    const own = this.choice(address)?.value ?? Number.NaN;
    const known = Number.isNaN(own) ? this.place(address).value : own;
    return Number.isNaN(known) ? undefined : known;
  }

  /** Notes a weight of the current step. */
  note(address: Address, weight: number): void {
    let own = this.choice(address);
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

  /** All averages by name: those of choices by their path from `base`, those of places by theirs. */
  save(base: Address): Map<string, number> {
    const numbers = new Map<string, number>();
    for (const [path, value] of this.restored ?? []) numbers.set(CHOICE + path, value);
    for (const [address, { value }] of this.choices) numbers.set(CHOICE + address.relativeTo(base), value);
    for (const [key, { value }] of this.places) numbers.set(PLACE + key, value);
    return numbers;
  }

  restore(numbers: ReadonlyMap<string, number>, base: Address): void {
    this.base = base;
    this.restored = new Map();
    for (const [name, value] of numbers) {
      if (name.startsWith(CHOICE)) this.restored.set(name.slice(CHOICE.length), value);
      else this.places.set(name.slice(PLACE.length), { ...unknown(), value });
    }
  }

  private choice(address: Address): Average | undefined {
    const known = this.choices.get(address);
    if (known !== undefined || this.restored === null) return known;
    const path = address.relativeTo(this.base);
    const value = this.restored.get(path);
    if (value === undefined) return undefined;
    const average = { ...unknown(), value };
    this.choices.set(address, average);
    this.restored.delete(path);
    return average;
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

const CHOICE = 'choice ';
const PLACE = 'place ';

const unknown = (): Average => ({ value: Number.NaN, sum: 0, count: 0 });
