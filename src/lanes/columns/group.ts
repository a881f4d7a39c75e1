/**
 * Groups of executions that run side by side. All of them start in one group; where they take different sides of a
 * conditional, each side has a group below. When some of them end, or are replaced by copies of others (resampling), a
 * group gets a successor, and values that belong to it are carried over when they are next used.
 */
import { Diverged, OneByOne } from '../../runtime/signals.ts';
import { gatherWords } from './kernels.ts';

export class Group {
  /** What took the place of this group, and for each execution there which one of these it comes from. */
  private next: { readonly group: Group; readonly map: Int32Array } | null = null;
  private maps: Map<Group, Int32Array> | null = null;
  /** How many conditionals it is inside of. */
  readonly depth: number;

  constructor(
    /** For each execution, its number among all, which never changes. */
    readonly slots: Int32Array,
    /** The group around this one, in which both sides of a conditional are. */
    readonly outer: Group | null,
    /** For each execution, its place in the group around. */
    readonly places: Int32Array | null,
    /** Whether each execution's number is its place. */
    readonly isWhole: boolean,
  ) {
    this.depth = outer === null ? 0 : outer.depth + 1;
  }

  get size(): number {
    return this.slots.length;
  }

  /** The first group: all executions. */
  static all(size: number): Group {
    return new Group(countedTo(size), null, null, true);
  }

  /** A group below, with the executions at these places. */
  below(places: Int32Array): Group {
    const { slots, isWhole } = this;
    return new Group(isWhole ? places : gatherWords(slots, places), this, places, false);
  }

  /** A group that can take the place of this one: for each execution, its number and the place here it comes from. */
  successor(map: Int32Array, slots: Int32Array, isWhole: boolean): Group {
    const { outer, places } = this;
    return new Group(slots, outer, places === null ? null : gatherWords(places, map), isWhole);
  }

  /** Gives way to a successor. From now on values of this group are carried over when they are used. */
  giveWay(group: Group, map: Int32Array): void {
    this.next = { group, map };
  }

  /** The group that is here now in place of this one, and where its executions come from; null if it is this one. */
  get passage(): { readonly group: Group; readonly map: Int32Array } | null {
    const { next } = this;
    if (next === null) return null;
    const further = next.group.passage;
    if (further !== null) this.next = { group: further.group, map: gatherWords(next.map, further.map) };
    return this.next;
  }

  /** For each execution of this group, its place in a group further out. */
  placesIn(group: Group): Int32Array {
    if (group === this.outer) return this.places!;
    const known = this.maps?.get(group);
    if (known !== undefined) return known;
    if (this.outer === null) throw new OneByOne('a value is used where it does not exist');
    const map = gatherWords(this.outer.placesIn(group), this.places!);
    this.maps ??= new Map();
    this.maps.set(group, map);
    return map;
  }
}

let counted = new Int32Array(0);

/** 0, 1, …, below n. Not to be written to. */
export function countedTo(n: number): Int32Array {
  if (counted.length < n) {
    counted = new Int32Array(n);
    for (let i = 0; i < n; i++) counted[i] = i;
  }
  return counted.subarray(0, n);
}

/** What executions side by side have in common; it is `machine.columns`. */
export class SideBySide {
  /** The group that runs now. */
  group: Group;

  constructor(
    /** How many executions there are. */
    readonly size: number,
  ) {
    this.group = Group.all(size);
  }
}

/** Those in force. */
export const current: { columns: SideBySide | null } = { columns: null };

/** The group that runs now. */
export function currentGroup(): Group {
  return current.columns!.group;
}

/** Makes a group of executions of the current one, by their places there, take its place; `slots` are their numbers now. */
export function goOnWith(map: Int32Array, slots: Int32Array): void {
  const columns = current.columns!;
  const { group } = columns;
  const after = group.successor(map, slots, group.depth === 0 && slots.length === columns.size);
  group.giveWay(after, map);
  columns.group = after;
}

/** Ends this run: the executions of the current group part by a label for each, and have to start again in groups. */
export function part(labels: ArrayLike<unknown>): never {
  const { columns } = current;
  const { slots } = columns!.group;
  const numbers = new Map<unknown, number>();
  const groups = new Int32Array(columns!.size);
  for (let i = 0; i < slots.length; i++) {
    let number = numbers.get(labels[i]);
    if (number === undefined) {
      // Executions that are not here, because they took another side, are the group 0.
      number = numbers.size + 1;
      numbers.set(labels[i], number);
    }
    groups[slots[i]] = number;
  }
  throw new Diverged(groups, numbers.size + 1);
}
