/** Conditions that differ between executions: each side is run for those that take it, and what they give is merged. */

import { keepOrigin, originOf } from '../../algebra/identity.ts';
import { machine } from '../../runtime/machine.ts';
import { abandon, isSignal, OneByOne } from '../../runtime/signals.ts';
import { isOwnThrow } from '../../runtime/throwing.ts';
import { isRecord } from '../../runtime/values.ts';
import { sameShape } from '../../tensor/shape.ts';
import {
  agreed,
  Column,
  calling,
  column,
  differs,
  fromLanes,
  isDiffering,
  lanesOf,
  operand,
  truths,
  various,
  variousOf,
} from './column.ts';
import { mergeDistributions } from './distribution.ts';
import { current, type Group, part } from './group.ts';
import { Doubles, Words } from './kernel-memory.ts';
import { elementwise, gatherWords, partition, scatter, select } from './kernels.ts';
import { dimsOf, mergeTensors, rowsOf } from './tensor-column.ts';

/** The condition as a column, or as the truth value on which all executions agree. */
function asCondition(given: unknown): Column | boolean {
  if (given instanceof Column) {
    if (given.isTruth) return given;
    // NaN is false.
    return truths(Doubles.of(given.data.map((x) => (x !== 0 && !Number.isNaN(x) ? 1 : 0))));
  }
  const various = variousOf(given);
  if (various === undefined) return Boolean(given);
  return truths(Doubles.of(Float64Array.from(various, (value) => (value ? 1 : 0))));
}

export function truth(given: unknown): boolean {
  const condition = asCondition(given);
  return typeof condition === 'boolean' ? condition : (agreed(condition) as boolean);
}

export function not(given: unknown): unknown {
  const condition = asCondition(given);
  if (typeof condition === 'boolean') return !condition;
  const { numbers } = condition;
  return truths(elementwise('not', numbers.length, numbers));
}

/** Runs one side for the executions at these places; gives what came of it. */
function runSide(group: Group, places: Words, side: () => unknown): { value: unknown; group: Group | null } {
  const columns = current.columns!;
  columns.group = group.below(places);
  // What comes to be on a side is not what was there before.
  machine.execution = --machine.sides;
  try {
    const value = side();
    return { value, group: columns.group };
  } catch (thrown) {
    // All of them have ended.
    if (thrown !== abandon) throw thrown;
    return { value: undefined, group: null };
  }
}

function branched(given: unknown, then: () => unknown, otherwise: () => unknown, valued: boolean): unknown {
  const condition = asCondition(given);
  if (typeof condition === 'boolean') return condition ? then() : otherwise();
  const [yes, no] = partition(condition.numbers);
  if (yes.length === 0) return otherwise();
  if (no.length === 0) return then();
  const columns = current.columns!;
  const { group } = columns;
  const { execution } = machine;
  let first: Side;
  let second: Side;
  try {
    first = runSide(group, yes, then);
    second = runSide(group, no, otherwise);
  } catch (thrown) {
    if (isSignal(thrown) || !isOwnThrow(thrown)) throw thrown;
    // Those who do not throw go on without the others.
    columns.group = group;
    return part(condition.data);
  }
  machine.execution = execution;
  columns.group = group;
  const left = first.group?.placesIn(group) ?? NONE;
  const right = second.group?.placesIn(group) ?? NONE;
  const size = left.length + right.length;
  if (size === 0) throw abandon;
  if (size === group.size) {
    return valued
      ? new Merge(left, right, first.group!, second.group!, group).of(first.value, second.value)
      : undefined;
  }
  // Some have ended: the others go on without them.
  const sorted = new Int32Array(size);
  sorted.set(left.array);
  sorted.set(right.array, left.length);
  sorted.sort();
  const places = Words.of(sorted);
  const after = group.successor(places, gatherWords(group.numbers, places), false);
  const value = valued ? survivors(first, second, left, right, sorted, after) : undefined;
  group.giveWay(after, places);
  columns.group = after;
  return value;
}

const NONE = Words.of(new Int32Array(0));

interface Side {
  readonly value: unknown;
  readonly group: Group | null;
}

/** The value of those that go on, where some have ended. */
function survivors(first: Side, second: Side, left: Words, right: Words, places: Int32Array, after: Group): unknown {
  const order = new Map(Array.from(places, (place, i) => [place, i]));
  const here = (side: Words): Words => Words.of(side.array.map((place) => order.get(place)!));
  if (first.group !== null && second.group !== null) {
    return new Merge(here(left), here(right), first.group, second.group, after).of(first.value, second.value);
  }
  const { value, group } = (first.group === null ? second : first) as { value: unknown; group: Group };
  const values = inGroup(group, () => (differs(value) ? lanesOf(value) : undefined));
  return values === undefined ? value : inGroup(after, () => fromLanes(values));
}

/** Runs `work` for another group than the current one. */
export function inGroup<T>(group: Group, work: () => T): T {
  const columns = current.columns!;
  const outer = columns.group;
  columns.group = group;
  try {
    return work();
  } finally {
    columns.group = outer;
  }
}

/** Makes one value from those of two sides. */
class Merge {
  constructor(
    /** Where the executions of each side go. */
    private readonly left: Words,
    private readonly right: Words,
    private readonly groupA: Group,
    private readonly groupB: Group,
    private readonly target: Group,
  ) {}

  of(a: unknown, b: unknown): unknown {
    const { left, right, groupA, groupB, target } = this;
    if (isNumeric(a) && isNumeric(b) && isTruthful(a) === isTruthful(b)) {
      const numbers = Doubles.zeros(left.length + right.length);
      place(numbers, a, left, groupA);
      place(numbers, b, right, groupB);
      return new Column(numbers, target, isTruthful(a));
    }
    if (!isDiffering(a) && !isDiffering(b)) {
      if (a === b) return a;
      if (Array.isArray(a) && Array.isArray(b) && a.length === b.length) {
        return this.keep(
          a.map((item, i) => this.of(item, b[i])),
          a,
          b,
        );
      }
      if (isRecord(a) && isRecord(b) && sameKeys(a, b)) {
        const fields = Object.keys(a).map((key) => [key, this.of(a[key], b[key])]);
        return this.keep(Object.fromEntries(fields), a, b);
      }
    }
    const tensor = this.tensors(a, b);
    if (tensor !== undefined) return tensor;
    const distribution = mergeDistributions(a, b, (x, y) => this.of(x, y));
    if (distribution !== undefined) return distribution;
    if (a === undefined || b === undefined)
      throw new OneByOne('value', 'a function gives a value in some executions only');
    return inGroup(target, () => fromLanes(this.placed(a, b, lanesOf)));
  }

  /** Tensors of one shape. */
  private tensors(a: unknown, b: unknown): unknown {
    const dims = dimsOf(a);
    const others = dims === undefined ? undefined : dimsOf(b);
    if (dims === undefined || others === undefined || !sameShape(dims, others)) return undefined;
    const { left, right, groupA, groupB, target } = this;
    const rows = (value: unknown, group: Group): Float64Array => inGroup(group, () => rowsOf(value)!);
    return mergeTensors(
      { rows: rows(a, groupA), places: left.array },
      { rows: rows(b, groupB), places: right.array },
      dims,
      target,
    );
  }

  /** The values of both sides, each at its place. */
  private placed(a: unknown, b: unknown, valuesOf: (value: unknown) => readonly unknown[]): unknown[] {
    const { left, right, groupA, groupB } = this;
    const values = new Array<unknown>(left.length + right.length);
    inGroup(groupA, () => valuesOf(a)).forEach((value, i) => {
      values[left.array[i]] = value;
    });
    inGroup(groupB, () => valuesOf(b)).forEach((value, i) => {
      values[right.array[i]] = value;
    });
    return values;
  }

  /** Remembers which object each execution has, for those who compare objects. */
  private keep(made: object, a: object, b: object): object {
    const sources = (value: unknown): readonly unknown[] => {
      const origin = originOf(value);
      return variousOf(origin) ?? new Array(current.columns!.group.size).fill(origin);
    };
    const own = inGroup(this.target, () => various(this.placed(a, b, sources)));
    // Equal objects are still two.
    return differs(made) ? keepOrigin(made, own) : (own as object);
  }
}

function sameKeys(a: object, b: object): boolean {
  const keys = Object.keys(a);
  return keys.length === Object.keys(b).length && keys.every((key) => Object.hasOwn(b, key));
}

const isNumeric = (value: unknown): value is number | boolean | Column =>
  typeof value === 'number' || typeof value === 'boolean' || value instanceof Column;
const isTruthful = (value: number | boolean | Column): boolean =>
  value instanceof Column ? value.isTruth : typeof value === 'boolean';

function place(into: Doubles, value: number | boolean | Column, places: Words, group: Group): void {
  scatter(value instanceof Column ? inGroup(group, () => value.numbers) : Number(value), places, into);
}

export function branch(condition: unknown, then: () => unknown, otherwise: () => unknown): unknown {
  return branched(condition, then, otherwise, true);
}

export function either(condition: unknown, then: () => void, otherwise: () => void): void {
  branched(condition, then, otherwise, false);
}

/** A conditional whose sides are cheap and make no choices: both are evaluated, for all executions. */
export function choose(given: unknown, then: () => unknown, otherwise: () => unknown): unknown {
  if (!isDiffering(given)) return given ? then() : otherwise();
  const condition = asCondition(given);
  if (typeof condition === 'boolean') return condition ? then() : otherwise();
  let a: unknown;
  let b: unknown;
  try {
    a = then();
    b = otherwise();
  } catch {
    // One side cannot be evaluated but where it is taken.
    return branched(condition, then, otherwise, true);
  }
  if (!isNumeric(a) || !isNumeric(b) || isTruthful(a) !== isTruthful(b)) {
    return branched(
      condition,
      () => a,
      () => b,
      true,
    );
  }
  const result = select(condition.numbers, operand(a), operand(b));
  return isTruthful(a) ? truths(result) : column(result);
}

/** `&&`, where the right side is cheap and makes no choices. */
export function and(left: unknown, right: () => unknown): unknown {
  return left instanceof Column && left.isTruth ? choose(left, right, () => false) : andThen(left, right);
}

/** `||`, where the right side is cheap and makes no choices. */
export function or(left: unknown, right: () => unknown): unknown {
  return left instanceof Column && left.isTruth ? choose(left, () => true, right) : orThen(left, right);
}

/** `&&`. */
export function andThen(left: unknown, right: () => unknown): unknown {
  if (!isDiffering(left)) return left ? right() : left;
  return branched(left, right, () => left, true);
}

/** `||`. */
export function orThen(left: unknown, right: () => unknown): unknown {
  if (!isDiffering(left)) return left ? left : right();
  return branched(left, () => left, right, true);
}

/** Called where the program catches something: not all executions may have come across what a function of the host says. */
export function caught(thrown: unknown): void {
  if (isOwnThrow(thrown) || current.columns === null || current.columns.group.size === 1) return;
  throw new OneByOne('caught', 'an error is caught that some of them may not have met');
}

calling.each = (differing, self, args) => {
  const functions = variousOf(differing) as readonly ((...args: unknown[]) => unknown)[];
  const [first] = functions;
  const { address } = machine;
  return branched(
    truths(Doubles.of(Float64Array.from(functions, (fn) => (fn === first ? 1 : 0)))),
    () => first.apply(self, args),
    () => {
      machine.address = address;
      return calling.each(differing, self, args);
    },
    true,
  );
};
