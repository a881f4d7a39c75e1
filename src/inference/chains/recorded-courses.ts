/**
 * The recordings of a chain, one for each course that its program took. A program that chooses between two families goes one of two
 * ways, and comes back to each: what was recorded then still holds. Where two courses make the same choices, a proposal
 * that leads from one to the other is decided without executing the program.
 */
import type { RecordedDensity } from '../../lanes/density/density.ts';
import { UNKNOWN } from '../../lanes/density/results.ts';
import type { Address } from '../../runtime/address.ts';
import type { Choice, Trace } from './trace.ts';

/** More courses than this are seldom met again. */
const MOST = 16;

interface Course<T> {
  readonly density: RecordedDensity<T>;
  /** Where its choices are, in order, and of which families. */
  readonly addresses: readonly Address[];
  readonly families: readonly string[];
}

export class RecordedCourses<T> {
  private readonly courses: Course<T>[] = [];

  get size(): number {
    return this.courses.length;
  }

  /** Notes a recording of an execution with these choices. */
  add(density: RecordedDensity<T>, choices: readonly Choice[]): void {
    if (this.courses.length === MOST) this.courses.shift();
    const own = choices.slice(0, density.length);
    this.courses.push({
      density,
      addresses: own.map(({ address }) => address),
      families: own.map((_, place) => density.distributionOf(place).name),
    });
  }

  /** The recording that holds for an execution, which it is at then; null if there is none. */
  holding(execution: Trace<T>): RecordedDensity<T> | null {
    const { choices, length } = execution;
    const found = this.courses.find(
      ({ density, addresses }) =>
        density.length === length &&
        addresses.every((address, i) => address === choices[i].address) &&
        density.start(execution),
    );
    return found?.density ?? null;
  }

  /** A recording that makes the same choices as another, and holds for its values; what it finds is its candidate. */
  beside(given: RecordedDensity<T>): { density: RecordedDensity<T>; found: number } | null {
    const here = this.courses.find(({ density }) => density === given);
    if (here === undefined) return null;
    for (const course of this.courses) {
      if (course === here || !makeSameChoices(course, here)) continue;
      const { density } = course;
      density.values.set(given.values);
      const found = density.evaluate();
      if (found !== UNKNOWN) return { density, found };
    }
    return null;
  }
}

const makeSameChoices = <T>(a: Course<T>, b: Course<T>): boolean =>
  a.addresses.length === b.addresses.length &&
  a.addresses.every((address, i) => address === b.addresses[i] && a.families[i] === b.families[i]) &&
  a.addresses.every((_, i) => haveSameValues(a.density.listedAt(i), b.density.listedAt(i)));

/** Whether the numbers that stand for values of a choice mean the same. */
const haveSameValues = (a: readonly unknown[] | null, b: readonly unknown[] | null): boolean =>
  a === b || (a?.length === b?.length && a?.every((value, i) => value === b?.[i]) === true);
