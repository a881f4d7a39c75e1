/**
 * Groups of executions that run side by side. All of them start in one group; where they take different sides of a
 * conditional, each side has a group below. When some of them end, or are replaced by copies of others (resampling), a
 * group gets a successor, and values that belong to it are carried over when they are next used.
 */

import { machine, type Together } from '../../runtime/machine.ts';
import { Diverged, OneByOne } from '../../runtime/signals.ts';
import type { Words } from './kernel-memory.ts';
import { consecutive, gatherWords } from './kernels.ts';
import { Moves } from './moves.ts';

/** How executions move from a group to its successor. */
class Passage {
  constructor(
    readonly group: Group,
    private readonly given: Words | Moves,
  ) {}

  /** For each execution of the successor, the place of the one that it comes from. */
  get map(): Words {
    return this.given instanceof Moves ? this.given.map : this.given;
  }

  /** How numbers are carried over in place, if they can be. */
  get moves(): Moves | null {
    return this.given instanceof Moves ? this.given : null;
  }
}

export class Group {
  /** The way to the successor of this group, if it has one. */
  private next: Passage | null = null;
  private maps: Map<Group, Words> | null = null;
  /** How many conditionals it is inside of. */
  readonly depth: number;
  /** How many executions there are. */
  readonly size: number;

  constructor(
    /** For each execution, its number among all; of all of them, how many there are. */
    private given: Words | number,
    /** The group around this one, in which both sides of a conditional are. */
    readonly outer: Group | null,
    /** For each execution, its place in the group around. */
    readonly places: Words | null,
    /** Whether each execution's number is its place. */
    readonly isWhole: boolean,
  ) {
    this.depth = outer === null ? 0 : outer.depth + 1;
    this.size = typeof given === 'number' ? given : given.length;
  }

  /** For each execution, its number among all, which never changes. */
  get numbers(): Words {
    if (typeof this.given === 'number') this.given = consecutive(0, this.given);
    return this.given;
  }

  /** The numbers of its executions. Not to be changed. */
  get slots(): Int32Array {
    return this.numbers.array;
  }

  /** The first group: all executions. */
  static all(size: number): Group {
    return new Group(size, null, null, true);
  }

  /** A group below, with the executions at these places. */
  below(places: Words): Group {
    return new Group(this.isWhole ? places : gatherWords(this.numbers, places), this, places, false);
  }

  /** A group that can take the place of this one: for each execution, its number and the place here it comes from. */
  successor(map: Words, numbers: Words, isWhole: boolean): Group {
    const { outer, places } = this;
    return new Group(numbers, outer, places === null ? null : gatherWords(places, map), isWhole);
  }

  /** Makes `group` its successor. From now on values of this group are carried over when they are used. */
  giveWay(group: Group, map: Words | Moves): void {
    this.next = new Passage(group, map);
  }

  /** The last successor of this group, and where its executions come from; null if it has none. */
  get passage(): Passage | null {
    const { next } = this;
    if (next === null) return null;
    const further = next.group.passage;
    if (further !== null) this.next = new Passage(further.group, gatherWords(next.map, further.map));
    return this.next;
  }

  /** For each execution of this group, its place in a group further out. */
  placesIn(group: Group): Words {
    if (group === this.outer) return this.places!;
    const known = this.maps?.get(group);
    if (known !== undefined) return known;
    if (this.outer === null) throw new OneByOne('state', 'a value is used where it does not exist');
    const map = gatherWords(this.outer.placesIn(group), this.places!);
    this.maps ??= new Map();
    this.maps.set(group, map);
    return map;
  }
}

/** Data of which executions side by side have one each: see `data.ts`. */
interface DataOfEach {
  readonly data: ArrayLike<unknown>;
  /** The index of its datum, by the number of the execution. */
  readonly indices: Int32Array;
}

/** What executions side by side have in common; it is `machine.columns`. */
export class SideBySide implements Together {
  /** The group that runs now. */
  group: Group;
  /**
   * The index of each execution's datum, by its number, while the function given to `mapData` runs with one datum
   * for each execution.
   */
  data: DataOfEach | null = null;

  constructor(
    /** How many executions there are. Those that go on as copies of others may be more, or fewer. */
    public size: number,
    /** What `mem` remembers. */
    readonly memory: Together['memory'],
    /**
     * How many calls may be made once for each execution before some executions run ahead of the others: see
     * `inGroups`.
     */
    private apart: number = Infinity,
  ) {
    this.group = Group.all(size);
  }

  /** Called before a call that is made once for each execution, which is expensive. */
  noteApart(): void {
    if (--this.apart < 0) throw new Diverged(new Int32Array(this.size), 1);
  }
}

/** The executions that run side by side now. */
export const current = {
  get columns(): SideBySide | null {
    return machine.sideBySide as SideBySide | null;
  },
};

/** The group that runs now. */
export function currentGroup(): Group {
  return current.columns!.group;
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

/** Replaces the current group by one of executions at these places in it, which then have these `numbers`. */
export function goOnWith(map: Words, numbers: Words): void {
  const columns = current.columns!;
  const { group } = columns;
  const after = group.successor(map, numbers, group.depth === 0 && numbers.length === columns.size);
  group.giveWay(after, map);
  columns.group = after;
}

/** Makes executions of the current group, which are all there are, go on as copies of others among them. */
export function goOnAs(moves: Moves): void {
  const columns = current.columns!;
  const { group } = columns;
  const after = new Group(group.size, null, null, true);
  group.giveWay(after, moves);
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
      // Executions outside the current group, which took another side, get the label 0.
      number = numbers.size + 1;
      numbers.set(labels[i], number);
    }
    groups[slots[i]] = number;
  }
  throw new Diverged(groups, numbers.size + 1);
}
