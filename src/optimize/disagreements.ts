import type { Lanes } from '../lanes/lanes.ts';
import type { Rerun } from '../lanes/rerun.ts';
import type { Outcome } from '../lanes/results.ts';
import { type Disagreement, type Iteration, TooManyGroups } from '../lanes/together.ts';
import type { Address } from '../runtime/address.ts';
import { Reason } from '../runtime/reasons.ts';

/** Groups run one after the other, so that many of them are no better than that. */
export const COURSES_DIFFER = new Reason('courses', 'their courses differ');

/** With fewer iterations than this, side by side does not pay. */
const LEAST_ITERATIONS = 4;
/** Fewer iterations than this take less time as a loop than with branches, and where steps are not compiled. */
export const LEAST_BRANCHING = 8;

/** The ways to run iterations that disagree, in the order in which they are tried. */
const WAYS: readonly Disagreement[] = ['few groups', 'branches', 'groups'];

/**
 * To run the body for a group of lanes takes as long as for so many data one by one, if steps are not compiled; a side of a conditional
 * is half of a body. (Measured with bodies of scalars.)
 */
const DATA_PER_GROUP = 4;
const SIDES_PER_GROUP = 2;

/** From this many data in each group on, on average, lanes pay where steps are compiled. */
const GO_TOGETHER = 2;
/** From this many steps to come on, one more step that runs the program pays. */
const WORTH_RECORDING_AGAIN = 5;

/** After so many steps in which iterations came into a few groups they branch; tests change it. */
const branchAfter = { steps: 4 };

/** What was found out, at which places of a program, about iterations that do not agree on conditions. */
export class Disagreements {
  private readonly ways = new Map<Address, number>();
  /** From a checkpoint, by the path of the place, until it is met. */
  private restored: ReadonlyMap<string, number> = new Map();
  private restoredGrouped: ReadonlyMap<string, number> = new Map();

  /** Addresses are relative to `base` in checkpoints. */
  constructor(private readonly base: Address) {}

  /** How the iterations of a construct are to be run. */
  at(address: Address): Disagreement {
    let way = this.ways.get(address);
    if (way === undefined) {
      const path = this.restored.size + this.restoredGrouped.size === 0 ? '' : address.relativeTo(this.base);
      way = this.restored.get(path) ?? 0;
      this.ways.set(address, way);
      const steps = this.restoredGrouped.get(path);
      if (steps !== undefined) this.grouped.set(address, steps);
    }
    return WAYS[way];
  }

  /** Whether steps are not going to be compiled: then it is the work of running the program that counts. */
  hasGivenUp = false;
  /** Passes that are in no other: whether their data came into so many groups that one by one is less work. */
  private readonly laborious = new Map<Address, boolean>();
  private readonly alone = new Set<Address>();
  /** From a checkpoint, like `restored`. */
  private restoredAlone: ReadonlySet<string> = new Set();

  /** How many iterations of a construct pay, within lanes or in an execution by itself. */
  leastOf(lanes: Lanes | null): number {
    return this.hasGivenUp && lanes === null ? LEAST_BRANCHING : LEAST_ITERATIONS;
  }

  /** Whether data are better off one by one. */
  isAlone(address: Address): boolean {
    if (this.restoredAlone.size > 0 && this.restoredAlone.has(address.relativeTo(this.base))) this.alone.add(address);
    return this.alone.has(address);
  }

  /** How many data ran side by side. One by one each runs once, unless it has lanes of its own, which form groups of their own. */
  worked(
    address: Address,
    { work: { executions, sides, apart }, groups: parts }: Pick<Outcome, 'work' | 'groups'>,
    { indices: { length: data }, again }: Pick<Iteration, 'indices' | 'again'>,
    varies: boolean,
  ): void {
    if (again === undefined && !varies && parts > 1 && GO_TOGETHER * parts > data) this.scattered.add(address);
    else this.scattered.delete(address);
    const groups = executions + sides / SIDES_PER_GROUP;
    const alone = varies ? Math.max(data, apart.executions + apart.sides / SIDES_PER_GROUP) : data / DATA_PER_GROUP;
    this.laborious.set(address, executions + sides > 1 && groups > alone);
  }

  /** Passes over the same data in each step, in which hardly two data were in one group. */
  private readonly scattered = new Set<Address>();

  /**
   * A step is going to be compiled that has looked at nothing: data part in it by what they are. Numbers one by one are computed sooner than lanes of
   * one or two. Whether there are such data, which are looked at one by one from now on.
   */
  standsAlone({ guards }: Rerun, stepsToCome: number): boolean {
    if (guards.length > 0 || stepsToCome < WORTH_RECORDING_AGAIN) return false;
    const found = [...this.scattered].filter((address) => !this.alone.has(address));
    for (const address of found) {
      this.alone.add(address);
      this.forget(address);
    }
    return found.length > 0;
  }

  /** Steps are not going to be compiled: data that came into many groups are looked at one by one from now on. */
  giveUp(): void {
    this.hasGivenUp = true;
    for (const [address, isMore] of this.laborious) {
      if (!isMore || this.alone.has(address)) continue;
      this.alone.add(address);
      // What was found out about all data says nothing of values that are tried for one of them.
      this.forget(address);
    }
  }

  /** The iterations of a construct are to be run as if they were met for the first time. */
  forget(address: Address): undefined {
    this.ways.delete(address);
  }

  forgetAll(): void {
    this.ways.clear();
    this.restored = new Map();
  }

  /** Whether there are iterations that branch: a step then looks at values all the time, and its graph does not come again. */
  get branching(): boolean {
    const isBranching = (way: number): boolean => WAYS[way] === 'branches';
    return [...this.ways.values()].some(isBranching) || [...this.restored.values()].some(isBranching);
  }

  /** They come into so many groups that another way may be better, if there is one; whether there is. */
  parted(address: Address): boolean {
    if (this.at(address) !== 'few groups') return false;
    this.ways.set(address, WAYS.indexOf('branches'));
    return true;
  }

  /** Iterations that may branch have run: in so many groups, and these were their lanes. */
  ran(address: Address, groups: number, items: readonly { readonly lanes?: Lanes }[]): void {
    if (groups > 1 || items.some(({ lanes }) => lanes?.parted)) this.inGroups(address);
    // (Sequences of different length, which are others in each step.)
    else if (items.some(({ lanes }) => lanes?.branched && lanes.changing)) this.parted(address);
  }

  /** For places at which iterations came into a few groups: in how many steps. */
  private readonly grouped = new Map<Address, number>();

  /**
   * Lanes formed a few groups. If they do so in step after step, the groups depend on choices and differ from step to step: such a
   * step can be recorded with open lanes (`open-steps.ts`).
   */
  private inGroups(address: Address): void {
    if (this.at(address) !== 'few groups') return;
    const steps = (this.grouped.get(address) ?? 0) + 1;
    this.grouped.set(address, steps);
    if (steps === branchAfter.steps) this.parted(address);
  }

  /** Steps cannot be recorded so: a few groups are then as good. */
  backToGroups(): void {
    for (const address of this.grouped.keys()) if (this.at(address) === 'branches') this.ways.set(address, 0);
  }

  /** Iterations could not be run in the way that was tried; whether there is another way to try. */
  failed(address: Address, reason: Reason): boolean {
    const way = this.at(address);
    if (way === 'few groups' ? !(reason instanceof TooManyGroups) : way === 'groups') return false;
    this.ways.set(address, WAYS.indexOf(way) + 1);
    return true;
  }

  /** As numbers by name, for a checkpoint: what is computed later must be rounded as it would have been. */
  *save(): Iterable<[string, number]> {
    for (const [address, way] of this.ways) if (way > 0) yield [NAME + address.relativeTo(this.base), way];
    for (const [address, steps] of this.grouped) yield [GROUPED + address.relativeTo(this.base), steps];
    for (const address of this.alone) yield [ALONE + address.relativeTo(this.base), 1];
    if (this.hasGivenUp) yield [GIVEN_UP, 1];
  }

  /** Takes what belongs here out of the numbers of a checkpoint. */
  restore(numbers: Map<string, number>): void {
    const restored = new Map<string, number>();
    const grouped = new Map<string, number>();
    const alone = new Set<string>();
    for (const [name, way] of numbers) {
      if (name.startsWith(NAME)) restored.set(name.slice(NAME.length), way);
      else if (name.startsWith(GROUPED)) grouped.set(name.slice(GROUPED.length), way);
      else if (name.startsWith(ALONE)) alone.add(name.slice(ALONE.length));
      else continue;
      numbers.delete(name);
    }
    this.restored = restored;
    this.restoredGrouped = grouped;
    this.restoredAlone = alone;
    this.hasGivenUp = numbers.delete(GIVEN_UP);
  }
}

const NAME = 'disagreement ';
const GROUPED = 'steps in groups ';
const ALONE = 'one by one ';
const GIVEN_UP = 'never compiled';
