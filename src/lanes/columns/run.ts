/** Runs executions of a model side by side, where that can be done. */
import { abandoned, type Entry } from '../../runtime/execution.ts';
import { reasonOf } from '../../runtime/faults.ts';
import type { Handler } from '../../runtime/handler.ts';
import { during, machine } from '../../runtime/machine.ts';
import { Reason } from '../../runtime/reasons.ts';
import { Diverged, OneByOne } from '../../runtime/signals.ts';
import { optimising, webAssembly } from '../../tensor/wasm/host.ts';
import { ASKED, fail, failureOf, NO_WEBASSEMBLY } from '../obstacles.ts';
import { Column, laneAt } from './column.ts';
import { type Group, SideBySide } from './group.ts';
import { Doubles } from './kernel-memory.ts';
import { areEqual, gather } from './kernels.ts';
import { rememberTogether } from './memo.ts';
import { asStream, type ColumnStreams } from './streams.ts';

/** Fewer executions than this are as well run one after the other. */
const WORTH_IT = 16;

const NO_TEXT = new Reason('text', 'the program was not compiled for it');
const OPTIMISED = new Reason('inside', 'they are part of an optimisation');
const FEW = new Reason('few', 'they are few');

/** Why executions of a model cannot run side by side, as far as is known before; null if they may. */
export function obstacle(entry: Entry, size: number): Reason | null {
  if (machine.run.engine?.sequential) return ASKED;
  if (!machine.program.hasColumnText) return NO_TEXT;
  if (webAssembly === undefined) return NO_WEBASSEMBLY;
  if (machine.lifted || machine.lanes !== null) return OPTIMISED;
  if (machine.program.noise !== null) return machine.program.noise;
  if (size < WORTH_IT) return FEW;
  return failureOf(entry) ?? null;
}

/** What executions side by side gave: for each that came to its end, its number and value. */
export class Ends {
  constructor(
    private readonly group: Group | null,
    private readonly given: Doubles | readonly unknown[],
  ) {}

  get length(): number {
    return this.group?.size ?? 0;
  }

  get slots(): Int32Array {
    return this.group?.slots ?? new Int32Array(0);
  }

  /** Whether of all executions, those that came to their end have this number. */
  haveAll(numbers: Doubles, value: number): boolean {
    if (this.group === null) return true;
    const theirs = this.group.isWhole ? numbers : gather(numbers, this.group.numbers);
    return areEqual(theirs) && theirs.seen[0] === value;
  }

  /** The values, if they are numbers; only in the kernels' memory. */
  get numbers(): Doubles | null {
    return this.given instanceof Doubles ? this.given : null;
  }

  get values(): ArrayLike<unknown> {
    return this.given instanceof Doubles ? this.given.array : this.given;
  }
}

/**
 * Executes the model once for `size` executions, whose random streams are given. Throws `Diverged` where they cannot
 * go on together, and `OneByOne`.
 */
export function executeTogether(
  entry: Entry,
  handler: Handler,
  model: () => unknown,
  size: number,
  streams: (columns: SideBySide) => ColumnStreams,
  ended: () => void = () => {},
): Ends {
  return entry.many(handler, () => {
    const columns = new SideBySide(size, rememberTogether);
    return during({ columns, sideBySide: columns }, () => {
      const value = entry.again(handler, model, asStream(streams(columns)));
      if (value === abandoned) return new Ends(null, []);
      ended();
      const { group } = columns;
      return new Ends(group, valuesOf(value, group.size));
    });
  });
}

function valuesOf(value: unknown, size: number): Doubles | readonly unknown[] {
  if (value instanceof Column && !value.isTruth) return value.numbers;
  return Array.from({ length: size }, (_, i) => laneAt(value, i));
}

/** Runs `work`; where it turns out that it cannot be done side by side, remembers why and gives the reason. `ahead`: see `reasonOf`. */
export function attempt<R>(entry: Entry, work: () => R, ahead = false): R | Reason {
  try {
    return optimising.learning(work);
  } catch (thrown) {
    const reason = reasonOf(thrown, ahead);
    fail(entry, reason);
    return reason;
  }
}

/** More groups than this are not worth it. */
const MOST_GROUPS = 64;

/**
 * Runs `execute` for the executions with these numbers; where they part, for each group by itself. Every group starts
 * again from the beginning.
 */
export function inGroups(indices: Int32Array, execute: (indices: Int32Array) => void): number {
  const waiting = [indices];
  let groups = 0;
  for (let group = waiting.pop(); group !== undefined; group = waiting.pop()) {
    if (++groups > MOST_GROUPS) throw new OneByOne('courses', 'they part into too many groups');
    try {
      execute(group);
    } catch (thrown) {
      if (!(thrown instanceof Diverged)) throw thrown;
      for (let part = thrown.count - 1; part >= 0; part--) {
        const members = group.filter((_, i) => thrown.groups[i] === part);
        if (members.length > 0) waiting.push(members);
      }
    }
  }
  return groups;
}
