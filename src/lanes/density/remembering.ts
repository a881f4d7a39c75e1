/**
 * Calls of host functions in a recording. A step of a chain changes one choice, so that most functions are given what they were given in the chain's
 * state: each remembers its call there, and the last other one. A value that is no number has a number that stands for it, as long as it is wanted.
 */
import type { HostFunction } from './tape.ts';

/** Notes calls that failed since it was last cleared. */
export const failures = { count: 0 };

/** A call of a function of always as many numbers, without effects. */
export class Remembered {
  /** What it was given in the chain's state, and in the last other call. */
  private readonly state: Float64Array;
  private readonly last: Float64Array;
  private stateResult = Number.NaN;
  private lastResult = Number.NaN;
  private hasState = false;
  private hasLast = false;
  private isLast = false;
  readonly call: HostFunction;

  /** `fn` gives null where it fails. */
  constructor(
    private readonly fn: (numbers: readonly number[]) => number | null,
    count: number,
  ) {
    this.state = new Float64Array(count);
    this.last = new Float64Array(count);
    this.call = this.callOf(count);
  }

  /** Most functions take few numbers: no list is made of these. There are two zeros. */
  private callOf(count: number): HostFunction {
    const { state, last } = this;
    if (count === 1)
      return (a) => {
        if (this.hasState && Object.is(state[0], a)) return this.found(false);
        if (this.hasLast && Object.is(last[0], a)) return this.found(true);
        return this.made([a]);
      };
    if (count === 2)
      return (a, b) => {
        if (this.hasState && Object.is(state[0], a) && Object.is(state[1], b)) return this.found(false);
        if (this.hasLast && Object.is(last[0], a) && Object.is(last[1], b)) return this.found(true);
        return this.made([a, b]);
      };
    return (...numbers) => {
      if (this.hasState && areSame(state, numbers)) return this.found(false);
      if (this.hasLast && areSame(last, numbers)) return this.found(true);
      return this.made(numbers);
    };
  }

  private found(isLast: boolean): number {
    this.isLast = isLast;
    return isLast ? this.lastResult : this.stateResult;
  }

  private made(numbers: readonly number[]): number {
    this.isLast = false;
    const result = this.fn(numbers);
    if (result === null) {
      failures.count++;
      return Number.NaN;
    }
    this.last.set(numbers);
    this.lastResult = result;
    this.hasLast = true;
    this.isLast = true;
    return result;
  }

  /** The chain moves to what was computed last. */
  accept(): void {
    if (!this.isLast) return;
    this.state.set(this.last);
    this.stateResult = this.lastResult;
    this.hasState = true;
    this.isLast = false;
  }

  /** What it gave in the calls that it remembers. */
  get results(): readonly number[] {
    return [this.stateResult, this.lastResult];
  }
}

function areSame(given: Float64Array, numbers: readonly number[]): boolean {
  for (let i = 0; i < numbers.length; i++) if (!Object.is(given[i], numbers[i])) return false;
  return true;
}

/** So many values are kept before it is seen which of them are still wanted. */
const MOST_KEPT = 1024;

/** The values of a recording that numbers stand for. */
export class HeldValues {
  private values = new Map<number, unknown>();
  private next = 0;
  private most = MOST_KEPT;
  /** Numbers of choices in the chain's state. Set by what knows them. */
  chosen: () => readonly number[] = () => [];

  constructor(private readonly calls: readonly Remembered[]) {}

  /** The number that stands for a value from now on. */
  take(value: unknown): number {
    if (this.values.size >= this.most) this.clear();
    this.values.set(++this.next, value);
    return this.next;
  }

  of(number: number): unknown {
    return this.values.get(number);
  }

  private clear(): void {
    const wanted = new Map<number, unknown>();
    for (const number of [...this.calls.flatMap(({ results }) => results), ...this.chosen()])
      if (this.values.has(number)) wanted.set(number, this.values.get(number));
    this.values = wanted;
    this.most = MOST_KEPT + wanted.size;
  }
}
