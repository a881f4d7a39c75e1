/**
 * Lists that differ between executions in length or items: the result of a `filter` whose answers differ, or a list that
 * only some have pushed to. An item is visited for the executions whose list has one at its place.
 */
import type { Fn } from '../../algebra/domain.ts';
import { hasHoles } from '../../algebra/parts.ts';
import { OneByOne } from '../../runtime/signals.ts';
import { column, differs, fromLanes, isDiffering, kindOf, lanesOf, truths, variousOf } from './column.ts';
import { inEachLane } from './each-lane.ts';
import { currentGroup, type Group } from './group.ts';
import { Doubles } from './kernel-memory.ts';
import { meter } from './meter.ts';
import { sortEach } from './sorting.ts';
import { Loop } from './turns.ts';

type Lists = readonly (readonly unknown[])[];
type Visit = (item: unknown, k: number) => unknown;

/** The list of each execution, if each has one of its own. */
const listsOf = (value: unknown): Lists | undefined =>
  kindOf(value) === 'list' ? (variousOf(value) as Lists) : undefined;

function isRagged(lists: Lists): boolean {
  const { length } = lists[0];
  for (let i = 1; i < lists.length; i++) if (lists[i].length !== length) return true;
  return false;
}

/** `value.length`. */
export function lengthOf(value: unknown): unknown {
  const lists = listsOf(value);
  if (lists === undefined || !isRagged(lists)) return (value as readonly unknown[]).length;
  const lengths = new Float64Array(lists.length);
  for (let i = 0; i < lengths.length; i++) lengths[i] = lists[i].length;
  return column(Doubles.of(lengths));
}

const none = (): unknown[] => [];
const nothing = (): void => {};

/** Goes through one list for all, or through each execution's own. */
class Passing {
  private readonly start: Group = currentGroup();
  private readonly lists: Lists | undefined;

  constructor(private readonly list: unknown) {
    this.lists = listsOf(list);
  }

  /** How many executions began. */
  get size(): number {
    return this.start.size;
  }

  /** For each execution that runs now, its place among those that began; none of them is a copy of another. */
  get places(): Int32Array | null {
    const group = currentGroup();
    return group === this.start ? null : group.placesIn(this.start).array;
  }

  /** The same, or the place of the one that it is a copy of. */
  private get origins(): Int32Array | null {
    const { passage } = this.start;
    if (passage === null) return this.places;
    const group = currentGroup();
    const { array } = passage.map;
    return group === passage.group ? array : Int32Array.from(group.placesIn(passage.group).array, (at) => array[at]);
  }

  private item(k: number): unknown {
    const { lists } = this;
    if (lists === undefined) return (this.list as readonly unknown[])[k];
    const places = this.origins;
    const values = new Array<unknown>(currentGroup().size);
    meter.values(values.length);
    for (let i = 0; i < values.length; i++) values[i] = lists[places === null ? i : places[i]][k];
    return fromLanes(values);
  }

  private goesOn(loop: Loop, k: number): boolean {
    const { lists } = this;
    if (lists === undefined) return k < (this.list as readonly unknown[]).length;
    const places = this.origins;
    const has = new Float64Array(currentGroup().size);
    let count = 0;
    for (let i = 0; i < has.length; i++) {
      has[i] = k < lists[places === null ? i : places[i]].length ? 1 : 0;
      count += has[i];
    }
    return count === has.length ? true : count > 0 && loop.goesOn(truths(Doubles.of(has)), false);
  }

  /**
   * Visits the item at each place, for those that have one there. `leavesIf` says which executions leave after a visit,
   * given its result; with `stay` the others go on.
   */
  go(loop: Loop, visit: Visit, leavesIf = true, stay = nothing): void {
    loop.round(() => {
      for (let k = 0; this.goesOn(loop, k); k++) {
        if (!loop.goesOn(visit(this.item(k), k), leavesIf)) return;
        stay();
      }
    });
  }

  /** Of values that every execution had at the start, those of the executions that came to the end. */
  atEnd<T>(values: readonly T[]): readonly T[] {
    const { passage } = this.start;
    return passage === null ? values : Array.from(passage.map.array, (place) => values[place]);
  }
}

type Add = (list: unknown[], given: unknown, item: unknown) => void;

const adds: Readonly<Record<string, Add>> = {
  map: (list, given) => list.push(given),
  flatMap: (list, given) => (Array.isArray(given) ? list.push(...given) : list.push(given)),
  filter: (list, given, item) => given && list.push(item),
};

/** Lists with what `visit` adds for each item. */
function collected(list: unknown, visit: Visit, add: Add): unknown {
  const passing = new Passing(list);
  const made: unknown[][] = Array.from({ length: passing.size }, () => []);
  passing.go(new Loop(none, nothing), (item, k) => {
    const given = visit(item, k);
    const { places } = passing;
    const [values, items] = [given, item].map((one) => (differs(one) ? lanesOf(one) : undefined));
    const { size } = currentGroup();
    meter.values(size);
    for (let i = 0; i < size; i++) {
      add(
        made[places === null ? i : places[i]],
        values === undefined ? given : values[i],
        items === undefined ? item : items[i],
      );
    }
    return false;
  });
  return fromLanes(passing.atEnd(made));
}

/** `list.filter(ask)`: one list for all where answers are the same for all. */
function filtered(list: unknown, ask: Visit): unknown {
  if (listsOf(list) !== undefined) return collected(list, ask, adds.filter);
  const items = [...(list as readonly unknown[])];
  const answers = items.map(ask);
  if (!answers.some(isDiffering)) return items.filter((_, k) => answers[k]);
  return collected(items, (_item, k) => answers[k], adds.filter);
}

/** Searches: which executions leave, with which value, and what the others have in the end. */
interface Search {
  readonly leavesIf: boolean;
  readonly found: Visit;
  readonly missed: unknown;
}

const searches: Readonly<Record<string, Search>> = {
  some: { leavesIf: true, found: () => true, missed: false },
  every: { leavesIf: false, found: () => false, missed: true },
  find: { leavesIf: true, found: (item) => item, missed: undefined },
  findIndex: { leavesIf: true, found: (_item, k) => k, missed: -1 },
};

/** The result of a search for each execution, which may find it at another place. */
function searched(list: unknown, { leavesIf, found, missed }: Search, ask: Visit): unknown {
  let result = missed;
  const loop = new Loop(
    () => [result],
    ([value]) => {
      result = value;
    },
  );
  const visit: Visit = (item, k) => {
    const answer = ask(item, k);
    result = found(item, k);
    return answer;
  };
  new Passing(list).go(loop, visit, leavesIf, () => {
    result = missed;
  });
  return result;
}

/** `list.reduce(fn, first)`. */
function reduced(
  list: unknown,
  fn: (result: unknown, item: unknown, k: number) => unknown,
  first: readonly unknown[],
): unknown {
  let [result] = first;
  const isGiven = first.length > 0;
  if (!isGiven && listsOf(list)!.some(({ length }) => length === 0))
    throw new OneByOne('host', 'reduce is asked of lists of which some are empty, without a first value');
  const loop = new Loop(
    () => [result],
    ([value]) => {
      result = value;
    },
  );
  new Passing(list).go(loop, (item, k) => {
    result = k === 0 && !isGiven ? item : fn(result, item, k);
    return false;
  });
  return result;
}

/** Methods that sort or reverse each execution's own list. */
const ARRANGING: ReadonlySet<PropertyKey> = new Set(['sort', 'toSorted']);

/** A method of a list that is called for each execution with its own, or goes through items by functions that `made` makes fit; undefined if it is not of that kind. */
export function methodOfLists(object: unknown, key: PropertyKey, made: (value: unknown) => unknown): Fn | undefined {
  const lists = listsOf(object);
  if (lists === undefined && !(Array.isArray(object) && !isDiffering(object) && !hasHoles(object))) return undefined;
  const name = key as string;
  const search = Object.hasOwn(searches, name) ? searches[name] : undefined;
  if (search === undefined && name !== 'filter' && (lists === undefined || !isRagged(lists))) {
    return lists !== undefined && ARRANGING.has(key)
      ? (compare) => sortEach(lists, compare, key === 'sort')
      : undefined;
  }
  const others = (args: readonly unknown[]): unknown =>
    inEachLane((self, ...given) => ((self as never)[key] as Fn).apply(self, given), [object, ...args]);
  return (...args) => {
    const [given, ...more] = args;
    if (typeof given !== 'function' || isDiffering(given)) return others(args);
    if (lists?.some(hasHoles)) throw new OneByOne('host', `${name} goes through lists that have empty places`);
    if (ARRANGING.has(key)) return sortEach(lists!, given, key === 'sort');
    const fn = made(given) as Fn;
    if (name === 'reduce') return reduced(object, (result, item, k) => fn(result, item, k, object), more);
    if (more.length > 0) throw new OneByOne('host', `${name} is given a value for this`);
    const visit: Visit = (item, k) => fn(item, k, object);
    if (search !== undefined) return searched(object, search, visit);
    if (name === 'filter') return filtered(object, visit);
    if (name === 'forEach') {
      new Passing(object).go(new Loop(none, nothing), (item, k) => {
        visit(item, k);
        return false;
      });
      return undefined;
    }
    if (!Object.hasOwn(adds, name)) throw new OneByOne('host', `${name} goes through lists of different lengths`);
    return collected(object, visit, adds[name]);
  };
}

/** `[...xs, y]`: a mark for each value says whether it is spread. */
export function spread(marks: string, ...parts: unknown[]): unknown {
  const isOwn = (part: unknown, k: number): boolean =>
    marks[k] === '1' && isDiffering(part) && variousOf(part) !== undefined;
  if (parts.some((part, k) => isOwn(part, k) && (listsOf(part) === undefined || isRagged(listsOf(part)!)))) {
    const join: Fn = (...given) =>
      given.flatMap((part, k) => (marks[k] === '1' ? [...(part as Iterable<unknown>)] : [part]));
    return inEachLane(join, parts);
  }
  const made: unknown[] = [];
  parts.forEach((part, k) => {
    if (marks[k] === '1') made.push(...(part as Iterable<unknown>));
    else made.push(part);
  });
  return made;
}

/** Calls a function of `Math` with the items of a list, which may be one for each. */
export function ofItems(fn: Fn, plain: Fn, list: unknown): unknown {
  return isDiffering(list) ? inEachLane((items) => plain(...(items as unknown[])), [list]) : fn(...(list as unknown[]));
}

/** `for (const item of items)`: `turn` gives whether they leave. */
export function through(
  items: unknown,
  turn: (item: unknown) => unknown,
  read: () => unknown[],
  write: (values: unknown[]) => void,
): void {
  const loop = new Loop(read, write);
  if (Array.isArray(items)) {
    new Passing(items).go(loop, turn);
    return;
  }
  const list = isDiffering(items) ? inEachLane((one) => [...(one as Iterable<unknown>)], [items]) : undefined;
  if (list !== undefined) {
    new Passing(list).go(loop, turn);
    return;
  }
  loop.round(() => {
    for (const item of items as Iterable<unknown>) if (!loop.goesOn(turn(item), true)) return;
  });
}
