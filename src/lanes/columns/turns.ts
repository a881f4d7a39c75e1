/**
 * Loops that executions may leave at different times, as `compiler/emit/parting-loops.ts` writes them. Those that leave wait, with the
 * values that variables have then, and the others go round as a group of their own.
 */
import type { LiftedLinkage } from '../../compiler/linkage.ts';
import { machine } from '../../runtime/machine.ts';
import { abandon, isSignal, OneByOne } from '../../runtime/signals.ts';
import { isOwnThrow } from '../../runtime/throwing.ts';
import { asTruth, isMissing, rejoined, type Side } from './branch.ts';
import { Column, isNumeric, isTruth } from './column.ts';
import { current, currentGroup, type Group, inGroup, part } from './group.ts';
import { Doubles } from './kernel-memory.ts';
import { partition, scatter } from './kernels.ts';
import { meter } from './meter.ts';
import { nothing } from './nothing.ts';

/** Each time some leave, the others are one group deeper. */
const DEEPEST = 5000;

/** Executions that left at one time, and the group that they left. */
interface Leaving {
  readonly from: Group;
  readonly group: Group;
  /** The values of the variables then. */
  readonly values: readonly unknown[];
}

/** A loop that is gone round; `read` and `write` are of the variables that it changes. */
export class Loop {
  private readonly left: Leaving[] = [];
  private readonly start = currentGroup();
  private readonly execution = machine.execution;

  constructor(
    private readonly read: () => unknown[],
    private readonly write: (values: unknown[]) => void,
  ) {}

  /** The executions for which the condition is true (or not true) leave; false if none is left. */
  goesOn(given: unknown, leavesIf: boolean): boolean {
    const condition = asTruth(given);
    if (condition === undefined) return Boolean(given) !== leavesIf;
    const [yes, no] = partition(condition.numbers);
    const [leaving, staying] = leavesIf ? [yes, no] : [no, yes];
    if (leaving.length === 0) return true;
    if (staying.length === 0) return false;
    if (this.left.length === DEEPEST) throw new OneByOne('courses', 'they leave a loop at too many different times');
    const columns = current.columns!;
    const from = columns.group;
    this.left.push({ from, group: from.below(leaving), values: this.read() });
    columns.group = from.below(staying);
    meter.side();
    machine.execution = --machine.sides;
    return true;
  }

  /** Goes round until all have left. */
  round(work: () => void): void {
    let last: Group | null;
    try {
      work();
      last = currentGroup();
    } catch (thrown) {
      if (this.left.length === 0) throw thrown;
      if (thrown !== abandon) this.fail(thrown);
      // All executions that went round have ended.
      last = null;
    }
    if (this.left.length === 0) return;
    machine.execution = this.execution;
    const values = last === null ? [] : this.read();
    this.write(this.gathered(last, values) ?? this.unwound(last, values));
  }

  /** Executions that do not throw go on without the others. */
  private fail(thrown: unknown): void {
    if (isSignal(thrown) || !isOwnThrow(thrown)) throw thrown;
    partFrom(this.left.at(-1)!);
  }

  /** The values of all, if they are numbers and all that went round have come to the end of the loop. */
  private gathered(last: Group | null, values: readonly unknown[]): unknown[] | undefined {
    const { start, left } = this;
    if (last === null) return undefined;
    const sides = [...left, { group: last, values }];
    if (sides.reduce((sum, { group }) => sum + group.size, 0) !== start.size) return undefined;
    const known = values.map((_, k) => sides.find((side) => side.values[k] !== nothing)?.values[k] ?? nothing);
    const having = (k: number) => sides.filter((side) => side.values[k] !== nothing);
    const areSame = (value: unknown, k: number): boolean =>
      !(value instanceof Column) && having(k).every((side) => Object.is(side.values[k], value));
    const isJoined = (value: unknown, k: number): boolean =>
      having(k).every((side) => isAlike(side.values[k], value)) ||
      sides.every((side) => Object.is(side.values[k], value)) ||
      areSame(value, k);
    if (!known.every(isJoined)) return undefined;
    current.columns!.group = start;
    return known.map((value, k) => {
      if (sides.every((side) => Object.is(side.values[k], value)) || areSame(value, k)) return value;
      const numbers = Doubles.zeros(start.size);
      for (const { group, values } of having(k))
        scatter(
          inGroup(group, () => numbersOf(values[k])),
          group.placesIn(start),
          numbers,
        );
      return new Column(numbers, start, isTruth(value as number));
    });
  }

  /** The values of all that came to the end, one group after the other, the last one first. */
  private unwound(last: Group | null, values: readonly unknown[]): unknown[] {
    let others: Side = { group: last, value: values };
    for (const leaving of [...this.left].reverse()) {
      const { from, group, values } = leaving;
      const theirs = others.value as readonly unknown[];
      // A variable that has a value for some only.
      if (others.group !== null && values.some((one, k) => isMissing(one, theirs[k]))) {
        partFrom(leaving);
      }
      const value = rejoined(from, others, { group, value: values }, 'values');
      others = { group: currentGroup(), value };
    }
    return others.value as unknown[];
  }
}

/** Has the executions that left, and the others, start again as two groups. */
function partFrom({ from, group }: Leaving): never {
  const labels = new Uint8Array(from.size);
  for (const place of group.places!.array) labels[place] = 1;
  current.columns!.group = from;
  return part(labels);
}

const isAlike = (value: unknown, first: unknown): boolean =>
  isNumeric(value) && isNumeric(first) && isTruth(value) === isTruth(first);

const numbersOf = (value: unknown): Doubles | number => (value instanceof Column ? value.numbers : Number(value));

/**
 * Goes round as long as `test` holds and `turn` does not say that it is to be left; `isDue`: the first turn needs no test.
 */
export const turns: LiftedLinkage['turns'] = (test, turn, update, read, write, isDue) => {
  const loop = new Loop(read, write);
  loop.round(() => {
    for (let isTested = isDue; ; isTested = false) {
      if (!isTested && !loop.goesOn(test(), false)) return;
      if (!loop.goesOn(turn(), true)) return;
      update();
    }
  });
};
