import type { Address } from '../runtime/address.ts';

/**
 * Running averages of weights, one for each choice that is not pathwise (appendix B, step 2). They live as long as one
 * call of `Optimize`; a choice inside `mapData` has one for each datum. What is subtracted in a step comes from earlier
 * steps alone, which is what keeps the estimate unbiased.
 *
 * Averages are numbered, and numbers of choices lead to their averages: lanes have thousands of choices, which are then
 * loops over arrays.
 */
export class Baselines {
  private readonly choices = new Map<Address, number>();
  /** Over all choices of one place in the program, whatever the iteration. */
  private readonly places = new Map<string, number>();
  /** NaN until the first step in which it was noted has ended. */
  private values = new Float64Array(16);
  /** Of the current step. */
  private sums = new Float64Array(16);
  private counts = new Float64Array(16);
  /** For the average of a choice, that of its place. */
  private placeOf = new Int32Array(16);
  private size = 0;
  private noted = new Int32Array(16);
  private notedCount = 0;
  /** Choices that were noted together, and once each in the step: nothing has to be summed for them. */
  private readonly together: Together[] = [];
  /** Averages from a checkpoint by the path of the choice, until the choice is met. */
  private restored: Map<string, number> | null = null;
  private base: Address | null = null;
  /** Whether each number is the average of one choice, or of all choices at a place. */
  private readonly owners: (Address | string)[] = [];
  /** Numbers of choices by their path, where averages are learned together with others. */
  private paths: Map<string, number> | null = null;

  constructor(private readonly decay: number) {}

  /** The number of a choice, by which its average is asked for. */
  number(address: Address): number {
    let number = this.choices.get(address);
    if (number === undefined) {
      const place = this.place(address.toString().replace(/\[\d+\]/g, '[]'));
      number = this.add(this.takeRestored(address), place, address);
      this.choices.set(address, number);
      this.paths?.set(address.relativeTo(this.base), number);
    }
    return number;
  }

  /**
   * The average over earlier steps: that of the choice, else, for a datum met for the first time, that of its place in
   * the program. NaN if the place is new too.
   */
  get(number: number): number {
    const own = this.values[number];
    return Number.isNaN(own) ? this.values[this.placeOf[number]] : own;
  }

  /** The averages of many choices; whether there is one for each of them. */
  read(numbers: Int32Array, into: Float64Array): boolean {
    const { values, placeOf } = this;
    let complete = true;
    for (let i = 0; i < numbers.length; i++) {
      let average = values[numbers[i]];
      if (Number.isNaN(average)) {
        average = values[placeOf[numbers[i]]];
        if (Number.isNaN(average)) complete = false;
      }
      into[i] = average;
    }
    return complete;
  }

  /** Notes a weight of the current step. */
  note(number: number, weight: number): void {
    this.sumUp();
    this.include(number, weight);
    this.include(this.placeOf[number], weight);
  }

  /** Notes a weight for each of some of many choices. */
  noteSome(numbers: Int32Array, places: Int32Array, count: number, weights: Float64Array): void {
    this.sumUp();
    for (let i = 0; i < count; i++) {
      const number = numbers[places[i]];
      this.include(number, weights[i]);
      this.include(this.placeOf[number], weights[i]);
    }
  }

  /** Notes a weight for each of many choices. `owner` is given if no choice is among them twice: what all of them are choices of. */
  noteAll(numbers: Int32Array, weights: ArrayLike<number>, owner?: Address): void {
    const { together } = this;
    if (owner !== undefined && this.notedCount === 0 && !together.some((one) => one.owner === owner)) {
      together.push({ numbers, weights, owner });
      return;
    }
    this.sumUp();
    this.includeAll(numbers, weights);
  }

  /** Treats choices that were noted together like any others, since more weights of the same choices may be noted. */
  private sumUp(): void {
    if (this.together.length === 0) return;
    for (const { numbers, weights } of this.together) this.includeAll(numbers, weights);
    this.together.length = 0;
  }

  /** Notes weights for the place alone that choices of one owner have. */
  private includePlace(numbers: Int32Array, weights: ArrayLike<number>): void {
    const { sums, counts, noted } = this;
    const { length } = numbers;
    if (length === 0) return;
    const place = this.placeOf[numbers[0]];
    if (counts[place] === 0) noted[this.notedCount++] = place;
    sums[place] = totalFrom(sums[place], weights, length);
    counts[place] += length;
  }

  private includeAll(numbers: Int32Array, weights: ArrayLike<number>): void {
    this.notedCount = include(numbers, weights, this.placeOf, this.sums, this.counts, this.noted, this.notedCount);
  }

  /** Ends a step: moves the averages towards what was noted. */
  update(): void {
    for (const { numbers, weights } of this.together) {
      moveEach(this.values, numbers, weights, this.decay);
      this.includePlace(numbers, weights);
    }
    this.together.length = 0;
    moveAll(this.values, this.sums, this.counts, this.noted, this.notedCount, this.decay);
    this.notedCount = 0;
  }

  /** Moves an average towards the mean of what was noted of it in a step. */
  move(number: number, mean: number): void {
    this.values[number] = moved(this.values[number], mean, this.decay);
  }

  /** Forgets what was noted in the current step. */
  forgetNotes(): void {
    this.together.length = 0;
    for (let i = 0; i < this.notedCount; i++) {
      this.sums[this.noted[i]] = 0;
      this.counts[this.noted[i]] = 0;
    }
    this.notedCount = 0;
  }

  /** From now on averages can be asked for by name; paths of choices begin at `base`. */
  share(base: Address): void {
    this.base = base;
    this.restored ??= new Map();
    this.paths = new Map(Array.from(this.choices, ([address, number]) => [address.relativeTo(base), number]));
  }

  eachNoted(visit: (number: number, sum: number, count: number) => void): void {
    this.sumUp();
    for (let i = 0; i < this.notedCount; i++) {
      const at = this.noted[i];
      visit(at, this.sums[at], this.counts[at]);
    }
  }

  /** As in a checkpoint. */
  nameOf(number: number, base: Address): string {
    const owner = this.owners[number];
    return typeof owner === 'string' ? PLACE + owner : CHOICE + owner.relativeTo(base);
  }

  /** The number of the average of this name; undefined for choices that were not met. */
  numberNamed(name: string): number | undefined {
    return name.startsWith(PLACE) ? this.place(name.slice(PLACE.length)) : this.paths?.get(name.slice(CHOICE.length));
  }

  /** Moves the average of a choice that was not met, and that others have met. */
  moveElsewhere(name: string, mean: number): void {
    const path = name.slice(CHOICE.length);
    this.restored?.set(path, moved(this.restored.get(path) ?? Number.NaN, mean, this.decay));
  }

  /** All averages by name: those of choices by their path from `base`, those of places by theirs. */
  save(base: Address): Map<string, number> {
    const numbers = new Map<string, number>();
    for (const [path, value] of this.restored ?? []) numbers.set(CHOICE + path, value);
    for (const [address, number] of this.choices) {
      const value = this.values[number];
      // A choice whose weight has not been noted yet is as good as not met.
      if (!Number.isNaN(value)) numbers.set(CHOICE + address.relativeTo(base), value);
    }
    for (const [key, number] of this.places) numbers.set(PLACE + key, this.values[number]);
    return numbers;
  }

  restore(numbers: ReadonlyMap<string, number>, base: Address): void {
    this.base = base;
    this.restored = new Map();
    for (const [name, value] of numbers) {
      if (name.startsWith(CHOICE)) this.restored.set(name.slice(CHOICE.length), value);
      else this.values[this.place(name.slice(PLACE.length))] = value;
    }
  }

  private takeRestored(address: Address): number {
    if (this.restored === null) return Number.NaN;
    const path = address.relativeTo(this.base);
    const value = this.restored.get(path) ?? Number.NaN;
    this.restored.delete(path);
    return value;
  }

  private include(at: number, weight: number): void {
    if (this.counts[at]++ === 0) this.noted[this.notedCount++] = at;
    this.sums[at] += weight;
  }

  private place(key: string): number {
    let number = this.places.get(key);
    if (number === undefined) {
      number = this.add(Number.NaN, 0, key);
      this.places.set(key, number);
    }
    return number;
  }

  private add(value: number, place: number, owner: Address | string): number {
    this.owners.push(owner);
    if (this.size === this.values.length) this.grow();
    this.values[this.size] = value;
    this.placeOf[this.size] = place;
    return this.size++;
  }

  private grow(): void {
    const longer = <T extends Float64Array | Int32Array>(array: T): T => {
      const copy = new (array.constructor as new (length: number) => T)(2 * array.length);
      copy.set(array);
      return copy;
    };
    this.values = longer(this.values);
    this.sums = longer(this.sums);
    this.counts = longer(this.counts);
    this.placeOf = longer(this.placeOf);
    this.noted = longer(this.noted);
  }
}

const moved = (before: number, mean: number, decay: number): number =>
  Number.isNaN(before) ? mean : decay * before + (1 - decay) * mean;

/** Moves the averages that were noted, and forgets the notes. */
function moveAll(
  values: Float64Array,
  sums: Float64Array,
  counts: Float64Array,
  noted: Int32Array,
  count: number,
  decay: number,
): void {
  for (let i = 0; i < count; i++) {
    const at = noted[i];
    const times = counts[at];
    values[at] = moved(values[at], times === 1 ? sums[at] : sums[at] / times, decay);
    sums[at] = 0;
    counts[at] = 0;
  }
}

interface Together {
  readonly numbers: Int32Array;
  readonly weights: ArrayLike<number>;
  readonly owner: Address;
}

// Loops are functions of their own with nothing after them: V8 compiles a loop while it first runs, when it has not seen what comes
// after it, and would throw the code away at its end in every step.

/** Moves the averages of choices towards one weight for each. */
function moveEach(values: Float64Array, numbers: Int32Array, weights: ArrayLike<number>, decay: number): void {
  for (let i = 0; i < numbers.length; i++) values[numbers[i]] = moved(values[numbers[i]], weights[i], decay);
}

/** Adds weights to the sums of choices and of their places; the new number of those noted. */
function include(
  numbers: Int32Array,
  weights: ArrayLike<number>,
  placeOf: Int32Array,
  sums: Float64Array,
  counts: Float64Array,
  noted: Int32Array,
  before: number,
): number {
  let count = before;
  for (let i = 0; i < numbers.length; i++) {
    const at = numbers[i];
    const place = placeOf[at];
    const weight = weights[i];
    if (counts[at]++ === 0) noted[count++] = at;
    sums[at] += weight;
    if (counts[place]++ === 0) noted[count++] = place;
    sums[place] += weight;
  }
  return count;
}

function totalFrom(before: number, weights: ArrayLike<number>, count: number): number {
  let total = before;
  for (let i = 0; i < count; i++) total += weights[i];
  return total;
}

const CHOICE = 'choice ';
const PLACE = 'place ';
