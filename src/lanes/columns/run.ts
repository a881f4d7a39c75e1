/**
 * Runs executions of a model side by side, as columns, where that can be done.
 *
 * Samples of `forward` and `importance` and the particles of SMC need no gradients, and runs are short, so that loading a
 * graph engine would cost more than it gives. Programs that use these methods have one more text of each function
 * (`compiler/emit/columns.ts`), chosen at entry by `$m.columns`. In it a number that differs between executions is a
 * `Column`, evaluated at once; anything else that differs is a list behind a proxy.
 *
 * ```
 * var step = function(i, state) {                   $C.branch($C.eq(i, n),                 i is plain: no column, no split
 *   if (i === n) { return state; }                    () => state,
 *   var next = gaussian(state, 0.5);                  () => { next = …                     one loop fills the column
 *   observe(Gaussian({mu: next, sigma}), data[i]);      …observe(…)                        weights; perhaps a new group
 *   return step(i + 1, next);                           return step(…, next) })            `next` is gathered when used
 * };
 * ```
 *
 * - **Conditionals.** The sides are functions. Where executions disagree, each side runs for a `Group` of those that take it,
 *   and the results are merged (`branch.ts`). `if` statements that return take what follows them into their sides
 *   (`emit/branches.ts`). Sides that draw from one family, as in `rain ? flip(0.1) : flip(0.5)`, are one choice by numbers
 *   that differ (`alternatives.ts`).
 * - **Loops** that executions leave at different times go on for those that are left (`turns.ts`, `emit/parting-loops.ts`).
 * - Where neither is possible, executions form groups that start again. Where few do the same, or most is done for each
 *   alone, they are executed one by one: that is counted (`meter.ts`).
 * - **Resampling** gives a group a successor whose map is the ancestor index. A column that belongs to a group with a
 *   successor is gathered when it is next used (`column.ts`), so that nothing has to list the values that are still needed.
 *   Where all are resampled together, only those without children move (`moves.ts`). Particles that meet different numbers of
 *   factors are weighed when all have met their n-th one (`inference/particles/column-particles.ts`).
 * - **Rejuvenation** (`inference/particles/column-filter.ts`). Particles keep their choices as columns (`column-traces.ts`).
 *   A step of Metropolis–Hastings executes the program once for all of them, each with another value at a choice of its own
 *   (`column-proposals.ts`). Those that accept take over what they find; then all start again from their choices, up to their
 *   next factor (`column-continuation.ts`).
 * - **WebAssembly.** Loops over columns are made by the build (`kernel-module.ts`), since V8 takes longer to compile a loop
 *   than a short run lasts. They call JavaScript's `Math.log` where programs do: columns hold, to the last bit, what
 *   executions alone compute. A few families have loops of their own (`families.ts`, `special-families.ts`); all others draw and score one value at
 *   a time.
 * - **Memory.** Columns stay in the memory of the loops (`kernel-memory.ts`). Nothing says when a column is no longer needed,
 *   so that room is taken in rounds, and what is in the way is copied out, to come back if it is used again. Results keep
 *   their samples as columns (`distributions/sample-columns.ts`).
 * - **Other values.** Where few are different, as words that were drawn, they are a table with a place for each execution
 *   (`coded.ts`). Others are a list with a value for each. Lists of different lengths are gone through place by place
 *   (`ragged.ts`).
 * - **Objects** that a function makes, changes and keeps to itself are each execution's own (`analyse/own-objects.ts`,
 *   `own-object.ts`), Maps and Sets among them. A variable that is changed on one side of an `if` has the value of either
 *   side afterwards (`assigning` in `branch.ts`).
 * - **`mem`, guides, inner inferences.** Each execution has its own table of `mem` (`memo.ts`). Guides are called once for
 *   all; automatic ones of choices that differ are made for each (`inference/sampling/column-guides.ts`). An inner
 *   enumeration is made once for each combination of values that its model is closed over (`inference/column-inferences.ts`);
 *   other inner inferences are made for each execution, with its own random numbers.
 * - **One by one.** What throws `OneByOne` ends the run in columns: a function of the library whose row does not say what it
 *   does with differing values, or a model that may change what others see (`analyse/side-effects.ts`). The inference then
 *   runs one by one, and `--explain-batching` says why.
 * - **Random numbers.** Each execution draws with the stream that it would have alone. The streams of particles belong to
 *   their place in the population and count anew from each factor on (`RandomStream.enter`), so that it does not matter how
 *   far one is run at a time.
 *
 * The law holds here to the last bit: `test/lanes/columns.test.ts` compares values, scores, weights and evidence of programs,
 * random ones among them (`column-program.ts`), with those of `--sequential`.
 */

import { hasOrigin } from '../../algebra/identity.ts';
import { abandoned, type Entry } from '../../runtime/execution.ts';
import { reasonOf } from '../../runtime/faults.ts';
import type { Handler } from '../../runtime/handler.ts';
import { during, machine } from '../../runtime/machine.ts';
import { Reason } from '../../runtime/reasons.ts';
import { Diverged, OneByOne } from '../../runtime/signals.ts';
import { isRecord } from '../../runtime/values.ts';
import { webAssembly } from '../../tensor/wasm/host.ts';
import { optimising } from '../../v8/optimising.ts';
import { ASKED, fail, failureOf, NO_WEBASSEMBLY } from '../obstacles.ts';
import { Column, kindOf, laneAt, lanesOf, ownObjects, variousOf } from './column.ts';
import { type Group, SideBySide } from './group.ts';
import { Doubles } from './kernel-memory.ts';
import { areEqual, gather } from './kernels.ts';
import { columnMemory } from './memo.ts';
import { meter } from './meter.ts';
import { asStream, type ColumnStreams } from './streams.ts';

/** With fewer executions than this, side by side does not pay. */
const WORTH_IT = 16;

const NO_TEXT = new Reason('text', 'the program was not compiled for it');
const OPTIMISED = new Reason('inside', 'they are part of an optimisation');
const FEW = new Reason('few', 'they are few');

/** Why executions of a model cannot run side by side, if that is known before it runs; null if they may. */
export function obstacle(entry: Pick<Entry, 'address'>, size: number): Reason | null {
  if (machine.run.engine?.sequential) return ASKED;
  if (!machine.program.hasColumnText) return NO_TEXT;
  if (webAssembly === undefined) return NO_WEBASSEMBLY;
  if (machine.lifted || machine.lanes !== null) return OPTIMISED;
  const { sideEffect, lasting = sideEffect } = machine.program;
  if (lasting !== null) return lasting;
  if (size < WORTH_IT) return FEW;
  return failureOf(entry) ?? null;
}

/** The results of executions side by side: for each that came to its end, its number and value. */
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

  /** Whether all executions that came to their end have this value among the numbers of all. */
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
  { ended, callsApart }: { readonly ended?: () => void; readonly callsApart?: number } = {},
): Ends {
  return entry.many(handler, () => {
    const columns = new SideBySide(size, columnMemory, callsApart);
    machine.program.readAs?.('columns');
    return during({ columns, sideBySide: columns }, () => {
      const value = meter.run(() => entry.again(handler, model, asStream(streams(columns))));
      if (value === abandoned) return new Ends(null, []);
      ended?.();
      const { group } = columns;
      return new Ends(group, valuesOf(value, group.size));
    });
  });
}

function valuesOf(value: unknown, size: number): Doubles | readonly unknown[] {
  if (value instanceof Column && !value.isTruth) return value.numbers;
  if (value instanceof Column || variousOf(value) !== undefined) return lanesOf(value);
  const records = recordsOf(value, size);
  if (records !== null) return records;
  return Array.from({ length: size }, (_, i) => laneAt(value, i));
}

/**
 * Objects whose fields are numbers or text, as most results are: these hold no object that two results could share; null for
 * others.
 */
function recordsOf(value: unknown, size: number): unknown[] | null {
  if (!isRecord(value) || kindOf(value) !== undefined || ownObjects.has(value) || hasOrigin(value)) return null;
  const names = Object.keys(value);
  // (Assigning to `__proto__` would set the prototype.)
  if (names.includes('__proto__')) return null;
  const fields = names.map((name) => (value as Record<string, unknown>)[name]);
  if (!fields.every((field) => field instanceof Column || Object(field) !== field)) return null;
  const columns = fields.map((field) => (field instanceof Column ? lanesOf(field) : null));
  return Array.from({ length: size }, (_, lane) => {
    const record: Record<string, unknown> = {};
    for (let k = 0; k < names.length; k++) {
      const own = columns[k];
      record[names[k]] = own === null ? fields[k] : own[lane];
    }
    return record;
  });
}

/**
 * Runs `work`; if it cannot be done side by side, remembers the reason and gives it. `ahead`: see `reasonOf`; `times`: how
 * often one execution alone does everything.
 */
export function attempt<R>(entry: Pick<Entry, 'address'>, work: () => R, ahead = false, times = 1): R | Reason {
  try {
    return optimising.learning(() => meter.anew(times, work));
  } catch (thrown) {
    const reason = reasonOf(thrown, ahead);
    if (thrown === reason) reason.timesAlone = meter.reached;
    fail(entry, reason);
    return reason;
  }
}

/** More groups than this do not pay. */
const MOST_GROUPS = 64;
/** After so many groups, a rough guess of their final number is made. */
const ENOUGH_GROUPS = 16;
const CERTAINLY = 4;
/** Where executions part, or many calls are made once for each, a vanguard of so many groups goes first. */
const VANGUARD = 32;
const GROUPS_OF_VANGUARD = 10;
const CALLS_APART = 8;

/** Whether there will be too many groups, guessed from those that came to their ends. */
function areTooMany(groups: number, ended: number, size: number): boolean {
  if (groups > MOST_GROUPS) return true;
  return groups > ENOUGH_GROUPS && groups * size > CERTAINLY * MOST_GROUPS * ended;
}

/**
 * Runs `execute` for the executions with these numbers; where they part, for each group by itself. Every group starts again
 * from the beginning. `callsApart`: after so many calls made once for each execution, they part, too.
 */
export function inGroups(indices: Int32Array, execute: (indices: Int32Array, callsApart: number) => void): number {
  const waiting = [indices];
  let groups = 0;
  let ended = 0;
  let ahead = 0;
  /** So many groups wait for the vanguard to come to its end; Infinity when it has. */
  let vanguard: number | null = null;
  for (let group = waiting.pop(); group !== undefined; group = waiting.pop()) {
    if (vanguard !== null && waiting.length < vanguard) vanguard = Infinity;
    const isAhead = vanguard !== null && vanguard < Infinity;
    const tooMany = isAhead ? ++ahead > GROUPS_OF_VANGUARD : areTooMany(++groups, ended, indices.length);
    if (tooMany) throw new OneByOne('courses', 'they part into too many groups');
    const sendsAhead = vanguard === null && group.length > CERTAINLY * VANGUARD;
    try {
      execute(group, sendsAhead ? CALLS_APART : Infinity);
      ended += group.length;
    } catch (thrown) {
      if (!(thrown instanceof Diverged)) throw thrown;
      const first = sendsAhead ? VANGUARD : 0;
      waiting.push(...partsOf(group, thrown, first, group.length));
      if (first === 0) continue;
      vanguard = waiting.length;
      waiting.push(...partsOf(group, thrown, 0, first));
    }
  }
  return groups;
}

/** The groups that executions at these places part into, the first of them at the end: what is met first one by one is met first here. */
function partsOf(group: Int32Array, { groups, count }: Diverged, from: number, to: number): Int32Array[] {
  const sizes = new Int32Array(count);
  for (let i = from; i < to; i++) sizes[groups[i]]++;
  const parts = Array.from(sizes, (size) => new Int32Array(size));
  sizes.fill(0);
  for (let i = from; i < to; i++) parts[groups[i]][sizes[groups[i]]++] = group[i];
  return parts.filter((members) => members.length > 0).reverse();
}
