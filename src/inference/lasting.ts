/**
 * What calls gave that make no choices and take long, as the compiler found (`compiler/analyse/lasting-calls.ts`). Every
 * execution of a model makes them again, and mostly with the same arguments: a chain changes one choice at a time, and
 * an enumeration goes its paths again from the start. WebPPL goes on from the choice that is another; here it is
 * the results of what comes before it that are taken up.
 */
import { during, machine, runsDirectly } from '../runtime/machine.ts';
import { contents, isObject } from './contents.ts';
import type { Taken } from './recalled-objects.ts';

type Callee = (...args: readonly unknown[]) => unknown;

/** Results by arguments, one after the other. */
interface Branch {
  result: { readonly value: unknown; readonly taken: Taken } | undefined;
  next: Map<unknown, Branch> | undefined;
}

const newBranch = (): Branch => ({ result: undefined, next: undefined });

/** Calls after which it is clear whether the same come again, and which part of them must have. */
const TRIAL = 50;
const WORTH = 4;
/** Results kept of one function. */
const MOST_RESULTS = 20_000;

class Results {
  root = newBranch();
  calls = 0;
  found = 0;
  kept = 0;

  get worthwhile(): boolean {
    return this.calls < TRIAL || this.found * WORTH > this.calls;
  }
}

export function lasting(callee: Callee, ...args: readonly unknown[]): unknown {
  if (runsDirectly() || !contents.areCompared || !contents.mayRecall()) return callee(...args);
  const { calls } = contents.kept();
  const like = contents.likeOf(callee);
  let results = calls.get(like) as Results | undefined;
  if (results === undefined) {
    results = new Results();
    calls.set(like, results);
  }
  if (!results.worthwhile) return callee(...args);
  results.calls++;
  let branch = results.root;
  for (const arg of args) {
    branch.next ??= new Map();
    const key = contents.likeOf(arg);
    let next = branch.next.get(key);
    if (next === undefined) {
      next = newBranch();
      branch.next.set(key, next);
    }
    branch = next;
  }
  if (branch.result !== undefined) {
    results.found++;
    const { value, taken } = branch.result;
    if (isObject(value)) {
      if (contents.takesCopies) return callee(...args);
      contents.takesObject(taken);
    }
    return value;
  }
  const before = contents.lookedAt() + contents.comparisons + machine.effects;
  const value = callee(...args);
  if (contents.lookedAt() + contents.comparisons + machine.effects !== before) return value;
  if (++results.kept > MOST_RESULTS) {
    results.root = newBranch();
    results.kept = 0;
  }
  branch.result = { value, taken: { held: [value], around: args } };
  return value;
}

/** The same where executions run side by side, or are recorded: given nothing that differs, the function runs as in one alone. */
export function lastingAlone(callee: Callee, ...args: readonly unknown[]): unknown {
  const { columns } = machine;
  if (columns === null || args.some(isObject)) return callee(...args);
  return during({ columns: null, sideBySide: null }, () => lasting(callee, ...args));
}
