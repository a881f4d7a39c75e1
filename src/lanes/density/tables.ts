/**
 * Values other than numbers of which a choice decides: a text out of a list, an object, a distribution. While an execution is recorded they are a table, and
 * the place in it is a number of the recording. A function is called once for each value of the table, while the recording is made; numbers that
 * come of that are selected by the place. So neither the program nor the recording looks at which value it is.
 */
import type { Fn } from '../../algebra/domain.ts';
import { isForeign, type Several, standIn } from '../../algebra/stand-in.ts';
import { failsWithValues } from '../../runtime/faults.ts';
import { isSignal, OneByOne } from '../../runtime/signals.ts';
import { fieldOf } from '../../runtime/throwing.ts';
import { isRecord } from '../../runtime/values.ts';
import { Tensor } from '../../tensor/tensor.ts';
import {
  behind,
  fromNode,
  holdsChangeable,
  holdsRecorded,
  isNumeric,
  isTruth,
  type LaterValue,
  laterOf,
  looked,
  making,
  type Numeric,
  nodeOf,
  stands,
  tableOf,
  tape,
} from './recorded.ts';

/** Items of a longer list are not selected: the index is looked at, so that the recording holds for that index only. */
export const MOST_PLACES = 16;
/** More combinations of values are not tried. */
const MOST_COMBINATIONS = 64;

type Of = (value: unknown) => unknown;

/** Calls a function out of a table. Set by `operators.ts`. */
export const calling: { each(functions: Table, self: unknown, args: unknown[]): unknown } = {
  each() {
    throw new OneByOne('value', 'a function that depends on choices is called');
  },
};

export class Table implements Several {
  readonly kind: 'list' | 'record' | 'other';

  constructor(
    readonly values: readonly unknown[],
    readonly place: number,
  ) {
    this.kind = values.every(Array.isArray) ? 'list' : values.every(isRecord) ? 'record' : 'other';
  }

  derive(of: Of): unknown {
    return fromTable(resultsOf(this.values, this.place, of), this.place);
  }

  agree(of: Of): unknown {
    return sameFor(resultsOf(this.values, this.place, of), this.place, (one, now) => Object.is(one, now));
  }

  field(key: PropertyKey): unknown {
    return isForeign(key, this.values) ? undefined : this.derive((value) => fieldOf(value, key));
  }

  call(self: unknown, args: unknown[]): unknown {
    return calling.each(this, self, args);
  }
}

/** From now on the place is not this one. */
function exclude(place: number, other: number): void {
  const t = tape();
  t.check(t.operate('not', t.operate('eq', place, t.constant(other))));
}

/** What `of` gives for each value of a table. Where it fails for a value that the execution does not have, the recording does not hold for that one. */
function resultsOf(values: readonly unknown[], place: number, of: Of): unknown[] {
  const now = tape().values[place];
  const excluded: number[] = [];
  const results = values.map((value, i) => {
    if (i === now) return of(value);
    try {
      return of(value);
    } catch (thrown) {
      if (!failsWithValues(thrown) || (isSignal(thrown) && !(thrown instanceof OneByOne))) throw thrown;
      exclude(place, i);
      excluded.push(i);
      return undefined;
    }
  });
  for (const i of excluded) results[i] = results[now];
  return results;
}

/** What is so of all values at whose places the recording holds: those for which it is as now. */
function sameFor(results: readonly unknown[], place: number, same: (one: unknown, now: unknown) => boolean): unknown {
  const found = results[tape().values[place]];
  results.forEach((result, i) => {
    if (!same(result, found)) exclude(place, i);
  });
  return found;
}

const isMissing = (value: unknown): boolean => value === undefined || value === null;

/** What the runtime asks of a value that it is handed, before any domain does: whether there is one, and whether it can be called. */
const formOf = (value: unknown): 'missing' | 'function' | 'other' =>
  isMissing(value) ? 'missing' : typeof value === 'function' ? 'function' : 'other';

/** The value at a recorded place. */
function fromTable(given: readonly unknown[], place: number): unknown {
  const now = given[tape().values[place]];
  // JavaScript's own `??` and `?.` look at whether there is a value.
  const form = formOf(now);
  if (given.some((value) => formOf(value) !== form)) sameFor(given, place, (one, here) => formOf(one) === formOf(here));
  const values = given.map((value) => (formOf(value) === form ? value : now));
  if (values.every((value) => Object.is(value, now))) return now;
  if (values.every(isNumeric) && values.every((value) => isTruth(value as Numeric) === isTruth(now as Numeric)))
    return selected(values as readonly Numeric[], place);
  const laters = values.map(laterOf);
  if (laters.every((later) => later !== undefined)) return laterAt(laters, place);
  if (values.some((value) => isMissing(value) || isNumeric(value) || value instanceof Tensor))
    return sameFor(values, place, (one, here) => Object.is(one, here));
  return standing(new Table(values, place));
}

function standing(table: Table): unknown {
  tape().tables++;
  const proxy = standIn(table);
  stands(proxy, table);
  return proxy;
}

/** The value at a place among such that are made again: what stands for it is selected. */
function laterAt(laters: readonly LaterValue[], place: number): unknown {
  const numbers = laters.map(({ node }) => fromNode(node, false));
  const selection = selected(numbers, place);
  return making.standing(nodeOf(selection), laters[tape().values[place]].now);
}

/** The number at a place, which is one of theirs. */
function selected(values: readonly Numeric[], place: number): Numeric {
  const t = tape();
  const asTruth = isTruth(values[0]);
  const nodes = values.map(nodeOf);
  if (nodes.length > MOST_PLACES && nodes.every((node) => t.isConstant(node))) {
    const numbers = nodes.map((node) => t.values[node]);
    return fromNode(
      t.call((i) => numbers[i], place),
      asTruth,
    );
  }
  let found = nodes[nodes.length - 1];
  for (let i = nodes.length - 2; i >= 0; i--)
    found = t.operate('select', t.operate('eq', place, t.constant(i)), nodes[i], found);
  return fromNode(found, asTruth);
}

/** Whether a value may be in a table: what the program may change is wanted itself. */
const isFit = (value: unknown): boolean =>
  !isMissing(value) && !isNumeric(value) && !(value instanceof Tensor) && !holdsChangeable(value);

/** The item of a list at a recorded index; undefined if the index has to be looked at. */
export function itemAt(list: readonly unknown[], index: number): { readonly value: unknown } | undefined {
  const t = tape();
  if (!t.takesTables || list.length > MOST_PLACES || !list.every(isFit)) return undefined;
  let inside = t.constant(0);
  for (let i = 0; i < list.length; i++) inside = t.operate('max', t.operate('eq', index, t.constant(i)), inside);
  t.check(inside);
  return { value: fromTable([...list], index) };
}

/** One of two values that are no numbers, by a condition; undefined if that cannot be said without looking. */
export function oneOf(condition: number, first: unknown, second: unknown): { readonly value: unknown } | undefined {
  const t = tape();
  const [a, b] = [first, second].map((value) => tableOf(value));
  if (!t.takesTables || !isFit(first) || !isFit(second)) return undefined;
  const values = [...(a?.values ?? [first]), ...(b?.values ?? [second])];
  if (values.length > MOST_COMBINATIONS) return undefined;
  const offset = t.constant(a?.values.length ?? 1);
  const other = b === undefined ? offset : t.operate('add', b.place, offset);
  return { value: fromTable(values, t.operate('select', condition, a?.place ?? t.constant(0), other)) };
}

/** Whether functions of the program may be called by a method of the value. */
const holdsFunction = (value: unknown): boolean =>
  typeof value === 'function' || (isRecord(value) && Object.values(value).some((field) => typeof field === 'function'));

/** The results of a function whose arguments are tables, or depend on nothing; undefined if they are something else, or too many. */
export function ofTables(fn: Fn, args: readonly unknown[]): { readonly value: unknown } | undefined {
  const t = tape();
  let count = 1;
  let place = t.constant(0);
  const parts: { readonly values: readonly unknown[]; readonly stride: number }[] = [];
  for (const argument of args) {
    const table = tableOf(argument);
    if (
      table === undefined
        ? holdsRecorded(argument)
        : table.values.some((value) => holdsRecorded(value) || holdsFunction(value))
    )
      return undefined;
    parts.push({ values: table?.values ?? [argument], stride: count });
    if (table === undefined) continue;
    place = t.operate('add', place, t.operate('mul', table.place, t.constant(count)));
    count *= table.values.length;
    if (count > MOST_COMBINATIONS) return undefined;
  }
  if (count === 1 && !args.some((argument) => tableOf(argument) !== undefined)) return undefined;
  const combinations = Array.from({ length: count }, (_, i) => i);
  const own = (i: unknown): unknown =>
    fn(...parts.map(({ values, stride }) => values[Math.floor((i as number) / stride) % values.length]));
  return { value: fromTable(resultsOf(combinations, place, own), place) };
}

/** A choice among values that are not all numbers: these, and the number of its place among them. */
export function chosenFrom(values: readonly unknown[], place: number): unknown {
  const t = tape();
  if (!t.takesTables || values.length > MOST_COMBINATIONS || !values.every(isFit))
    throw new OneByOne('value', 'a choice is no number');
  // (It is −1 where a later distribution has other values.)
  t.check(t.operate('ge', place, t.constant(0)));
  return fromTable(values, place);
}

/** What a function of plain values gives for tables. Where these are too many, or functions of the program may be called, they are looked at. */
behind.each = (fn, args) => {
  if (!args.some((argument) => tableOf(argument) !== undefined)) return undefined;
  if (args.some((argument) => tableOf(argument) === undefined && holdsRecorded(argument))) return undefined;
  // What depends on choices in several ways is computed again.
  const among = args.flatMap((argument) => tableOf(argument)?.values ?? []);
  if (among.some(holdsRecorded) && !among.some(holdsFunction)) return undefined;
  const found = ofTables(fn, args);
  if (found !== undefined) return found;
  const given = args.map(looked);
  return given.some(holdsRecorded) ? undefined : { value: fn(...given) };
};

behind.rebuilt = ({ values, place }) => ({
  parts: [fromNode(place, false), ...values],
  rebuild: (parts) => {
    const [now, ...others] = parts as [number, ...unknown[]];
    return others[now];
  },
});
