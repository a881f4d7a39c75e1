/** Conditions that differ between executions: each side is run for the executions that take it, and the results are merged. */

import { type ConditionDomain, conditionsOver } from '../../algebra/conditions.ts';
import { keepOrigin, originOf } from '../../algebra/identity.ts';
import { type Groups, merged } from '../../algebra/merging.ts';
import { machine } from '../../runtime/machine.ts';
import { abandon, isSignal, OneByOne } from '../../runtime/signals.ts';
import { isOwnThrow } from '../../runtime/throwing.ts';
import { sameShape } from '../../tensor/shape.ts';
import { Coded } from './coded.ts';
import {
  agreed,
  Column,
  calling,
  column,
  differs,
  fromLanes,
  fromTable,
  isDiffering,
  isNumeric,
  isObject,
  isTruth,
  lanesOf,
  operand,
  tableBehind,
  truths,
  various,
  variousOf,
} from './column.ts';
import { mergeDistributions } from './distribution.ts';
import { columnDomain } from './each-lane.ts';
import { current, type Group, inGroup, part } from './group.ts';
import { Doubles, Words } from './kernel-memory.ts';
import { elementwise, gatherWords, partition, scatter, select } from './kernels.ts';
import { meter } from './meter.ts';
import { nothing, widened } from './nothing.ts';
import { isRoaming, referring } from './roaming-objects.ts';
import { dimsOf, mergeTensors, rowsOf } from './tensor-column.ts';

/** The condition as truth values; undefined if it is the same for all executions. */
export function asTruth(given: unknown): Column | undefined {
  if (given instanceof Column) {
    if (given.isTruth) return given;
    // NaN is false.
    return truths(Doubles.of(given.data.map((x) => (x !== 0 && !Number.isNaN(x) ? 1 : 0))));
  }
  const table = tableBehind(given);
  if (table !== undefined) {
    const truth = fromTable(table.table.map(Boolean), table.codes);
    return truth instanceof Column ? truth : truths(Doubles.filled(table.codes.length, Number(truth)));
  }
  const various = variousOf(given);
  return various && truthOfEach(various);
}

/** Whether each of the values is true, or `of` says so of it. */
export function truthOfEach(values: readonly unknown[], of: (value: unknown) => boolean = Boolean): Column {
  // (`Float64Array.from` takes ten times as long.)
  const data = new Float64Array(values.length);
  for (let i = 0; i < data.length; i++) data[i] = of(values[i]) ? 1 : 0;
  return truths(Doubles.of(data));
}

/** Runs one side for the executions at these places; gives its result. */
function runSide(group: Group, places: Words, side: () => unknown): { value: unknown; group: Group | null } {
  const columns = current.columns!;
  columns.group = group.below(places);
  meter.side();
  // A value that is made on a side was not there before it.
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

const branched = (given: unknown, then: () => unknown, otherwise: () => unknown, valued: boolean): unknown =>
  decided(given, then, otherwise, valued ? 'value' : 'nothing');

function decided(given: unknown, then: () => unknown, otherwise: () => unknown, giving: Giving): unknown {
  const condition = asTruth(given);
  if (condition === undefined) return given ? then() : otherwise();
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
    // Executions that do not throw go on without the others.
    columns.group = group;
    return part(condition.data);
  }
  machine.execution = execution;
  return rejoined(group, first, second, giving);
}

/** The result of a side: none that is used, a value, or a list of values that is no object of the program. */
type Giving = 'nothing' | 'value' | 'values';

/**
 * Lets the executions of both sides that have not ended go on together, in the group that they came from; gives their value.
 */
export function rejoined(group: Group, first: Side, second: Side, giving: Giving): unknown {
  const columns = current.columns!;
  columns.group = group;
  const left = first.group?.placesIn(group) ?? NONE;
  const right = second.group?.placesIn(group) ?? NONE;
  const size = left.length + right.length;
  if (size === 0) throw abandon;
  if (size === group.size) {
    if (giving === 'nothing') return undefined;
    return new Merge([left, right], [first.group!, second.group!], group).given([first.value, second.value], giving);
  }
  // Some have ended: the others go on without them.
  const sorted = new Int32Array(size);
  sorted.set(left.array);
  sorted.set(right.array, left.length);
  sorted.sort();
  const places = Words.of(sorted);
  const after = group.successor(places, gatherWords(group.numbers, places), false);
  const value = giving === 'nothing' ? undefined : survivors(first, second, left, right, sorted, after, giving);
  group.giveWay(after, places);
  columns.group = after;
  return value;
}

const NONE = Words.of(new Int32Array(0));

export interface Side {
  readonly value: unknown;
  readonly group: Group | null;
}

/** The value for the executions that go on, where others have ended. */
function survivors(
  first: Side,
  second: Side,
  left: Words,
  right: Words,
  places: Int32Array,
  after: Group,
  giving: Giving,
): unknown {
  if (first.group !== null && second.group !== null) {
    const order = new Int32Array(places[places.length - 1] + 1);
    for (let i = 0; i < places.length; i++) order[places[i]] = i;
    const here = (side: Words): Words => Words.of(side.array.map((place) => order[place]));
    const merge = new Merge([here(left), here(right)], [first.group, second.group], after);
    return merge.given([first.value, second.value], giving);
  }
  const { value, group } = (first.group === null ? second : first) as { value: unknown; group: Group };
  const carried = (one: unknown): unknown => {
    if (!differs(one)) return one;
    const values = inGroup(group, () => lanesOf(one));
    return inGroup(after, () => fromLanes(values));
  };
  return giving === 'values' ? (value as readonly unknown[]).map(carried) : carried(value);
}

/** Makes one value from those of two sides. */
export class Merge implements Groups {
  readonly isMine = (value: unknown): boolean => isDiffering(value) || isRoaming(value);
  readonly holds = differs;
  readonly isNumeric = isNumeric;

  constructor(
    /** Where the executions of each side go. */
    private readonly places: readonly Words[],
    private readonly sides: readonly Group[],
    private readonly target: Group,
  ) {}

  of(values: readonly unknown[]): unknown {
    const side = values.indexOf(nothing);
    if (side < 0) return merged(this, values);
    const other = 1 - side;
    return widened(values[other], this.sides[other], this.places[other], this.target);
  }

  /** The results of two sides as one value; of lists of values, item by item. */
  given([first, second]: readonly unknown[], giving: Giving): unknown {
    if (giving !== 'values') return this.of([first, second]);
    const others = second as readonly unknown[];
    return (first as readonly unknown[]).map((value, k) => this.of([value, others[k]]));
  }

  join(values: readonly (number | boolean | Column)[]): Column | undefined {
    if (isTruth(values[0]) !== isTruth(values[1])) return undefined;
    const [left, right] = this.places;
    const numbers = Doubles.zeros(left.length + right.length);
    values.forEach((value, side) => {
      const given = value instanceof Column ? inGroup(this.sides[side], () => value.numbers) : Number(value);
      scatter(given, this.places[side], numbers);
    });
    return new Column(numbers, this.target, isTruth(values[0]));
  }

  itemsOf(list: readonly unknown[]): readonly unknown[] {
    return list;
  }

  originals(values: readonly object[]): unknown {
    return inGroup(this.target, () =>
      various(
        this.inPlace(values, (value) => {
          const origin = originOf(value);
          return variousOf(origin) ?? new Array(current.columns!.group.size).fill(origin);
        }),
      ),
    );
  }

  knownBy(made: object, values: readonly object[]): object {
    return keepOrigin(made, this.originals(values));
  }

  others(values: readonly unknown[]): unknown {
    const [a, b] = values;
    const tensor = this.tensors(a, b);
    if (tensor !== undefined) return tensor;
    const distribution = mergeDistributions(values, (params) => this.of(params));
    if (distribution !== undefined) return this.knownBy(distribution, [a, b] as object[]);
    if (a === undefined || b === undefined)
      throw new OneByOne('value', 'a function gives a value in some executions only');
    return this.tables(values) ?? inGroup(this.target, () => fromLanes(this.inPlace(values, lanesOf)));
  }

  /** Values of which each side has few different ones. */
  private tables(values: readonly unknown[]): unknown {
    const sides = values.map((value, side) => inGroup(this.sides[side], () => sideTable(value)));
    if (sides.some((side) => side === undefined)) return undefined;
    const [left, right] = sides as Coded[];
    const codes = new Int32Array(left.codes.length + right.codes.length);
    this.places[0].array.forEach((place, i) => {
      codes[place] = left.codes[i];
    });
    this.places[1].array.forEach((place, i) => {
      codes[place] = left.table.length + right.codes[i];
    });
    return inGroup(this.target, () => fromTable([...left.table, ...right.table], codes));
  }

  /** Tensors of one shape. */
  private tensors(a: unknown, b: unknown): unknown {
    const dims = dimsOf(a);
    const others = dims === undefined ? undefined : dimsOf(b);
    if (dims === undefined || others === undefined || !sameShape(dims, others)) return undefined;
    const [first, second] = [a, b].map((value, side) => ({
      rows: inGroup(this.sides[side], () => rowsOf(value)!),
      places: this.places[side].array,
    }));
    return mergeTensors(first, second, dims, this.target);
  }

  /** The values of both sides, each at its place. */
  private inPlace(given: readonly unknown[], valuesOf: (value: unknown) => readonly unknown[]): unknown[] {
    const [left, right] = this.places;
    const values = new Array<unknown>(left.length + right.length);
    given.forEach((value, side) => {
      const places = this.places[side].array;
      inGroup(this.sides[side], () => valuesOf(value)).forEach((one, i) => {
        values[places[i]] = one;
      });
    });
    return values;
  }
}

/** The value of a side as a table, if it is no number and nothing in it differs. */
function sideTable(value: unknown): Coded | undefined {
  if (isRoaming(value)) return new Coded([value], new Int32Array(current.columns!.group.size));
  const referred = isObject(value) ? referring.tableOf(value) : undefined;
  if (referred !== undefined) return referred;
  if (isDiffering(value)) return value instanceof Column ? undefined : tableBehind(value);
  const isOne = typeof value === 'string' || typeof value === 'function' || (isObject(value) && !differs(value));
  return isOne ? new Coded([value], new Int32Array(current.columns!.group.size)) : undefined;
}

export const conditionDomain: ConditionDomain = {
  ...columnDomain,
  asTruth,
  not({ numbers }: Column) {
    return truths(elementwise('not', numbers.length, numbers));
  },
  truth(given) {
    const condition = asTruth(given);
    return condition === undefined ? Boolean(given) : (agreed(condition) as boolean);
  },
  select(condition, a, b) {
    if (!isNumeric(a) || !isNumeric(b) || isTruth(a) !== isTruth(b)) return undefined;
    const result = select((condition as Column).numbers, operand(a), operand(b));
    return isTruth(a) ? truths(result) : column(result);
  },
  decide: branched,
  caught() {
    if (current.columns === null || current.columns.group.size === 1) return;
    throw new OneByOne('caught', 'an error is caught that some of them may not have met');
  },
};

export const conditions = conditionsOver(conditionDomain);
export const { branch, choose } = conditions;

/** Whether one of two has a value that the other lacks. */
export const isMissing = (a: unknown, b: unknown): boolean =>
  (a === undefined) !== (b === undefined) && a !== nothing && b !== nothing;

/**
 * A conditional whose sides change variables, which `read` gives and `write` sets: they then have the values of both sides,
 * each for its executions. Gives the value of the side too.
 */
export function parting(
  given: unknown,
  then: () => unknown,
  otherwise: () => unknown,
  read: () => unknown[],
  write: (values: unknown[]) => void,
): unknown {
  const condition = asTruth(given);
  if (condition === undefined) return given ? then() : otherwise();
  const columns = current.columns!;
  const { group } = columns;
  const before = read();
  let first: unknown[] | undefined;
  const values = decided(
    condition,
    () => {
      const value = then();
      first = [value, ...read()];
      return first;
    },
    () => {
      write(before);
      const value = otherwise();
      const second = [value, ...read()];
      // A variable that has a value on one side only.
      if (first?.some((value, i) => isMissing(value, second[i]))) {
        columns.group = group;
        part(condition.data);
      }
      return second;
    },
    'values',
  ) as unknown[];
  write(values.slice(1));
  return values[0];
}

calling.each = (differing, self, args) => {
  const [first] = differing.values as readonly ((...args: unknown[]) => unknown)[];
  const { address } = machine;
  return branched(
    differing.derive((fn) => fn === first),
    () => first.apply(self, args),
    () => {
      machine.address = address;
      return calling.each(differing, self, args);
    },
    true,
  );
};
