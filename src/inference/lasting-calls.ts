/**
 * What calls gave that make no choices and take long, as the compiler found (`compiler/analyse/lasting-calls.ts`). Every
 * execution of a model makes them again, and mostly with the same arguments: a chain changes one choice at a time, and
 * an enumeration goes its paths again from the start. WebPPL goes on from the choice that is another; here it is
 * the results of what comes before it that are taken up.
 */
import type { Handler } from '../runtime/handler.ts';
import { during, machine, runsDirectly } from '../runtime/machine.ts';
import { OneByOne } from '../runtime/signals.ts';
import { isObject } from '../runtime/values.ts';
import { contents } from './contents.ts';
import { ForObjects, makesFunctions } from './other-objects.ts';

type Callee = (...args: readonly unknown[]) => unknown;

interface Result {
  readonly value: unknown;
  /** If it is an object: what it was found for, and the inference at top level in which it was made. */
  readonly objects: ForObjects | null;
  readonly owner: number;
}

/** Results by arguments, one after the other. */
interface Branch {
  result: Result | undefined;
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
  const around = [callee, ...args];
  if (branch.result !== undefined) {
    const taken = takenUp(branch.result, around);
    if (taken !== none) {
      results.found++;
      return taken;
    }
    const value = callee(...args);
    branch.result = kept(value, around) ?? branch.result;
    return value;
  }
  const before = contents.lookedAt() + contents.comparisons + machine.effects;
  const value = callee(...args);
  if (contents.lookedAt() + contents.comparisons + machine.effects !== before) return value;
  const result = kept(value, around);
  if (result === undefined) return value;
  if (++results.kept > MOST_RESULTS) {
    results.root = newBranch();
    results.kept = 0;
  }
  branch.result = result;
  return value;
}

/** Undefined of a result with functions, each of which is another one than those of any other call. */
function kept(value: unknown, around: readonly unknown[]): Result | undefined {
  if (!isObject(value)) return { value, objects: null, owner: -1 };
  if (makesFunctions(value, around)) return undefined;
  return { value, objects: new ForObjects([value], around), owner: machine.outermost };
}

const none = Symbol('to be made again');

function takenUp({ value, objects, owner }: Result, around: readonly unknown[]): unknown {
  if (objects === null) return value;
  // Objects of two inferences at top level may be compared when both are over.
  if (contents.takesCopies || owner !== machine.outermost) return none;
  const held = objects.heldFor(around);
  if (held === undefined) return none;
  contents.takesObject(objects);
  return held[0];
}

/**
 * The same where executions run side by side, or are recorded: given nothing that differs, the function runs as in one alone. It may
 * make choices all the same, in functions that JavaScript itself calls, such as those of iterators: then each execution makes its own.
 */
export function lastingAlone(callee: Callee, ...args: readonly unknown[]): unknown {
  const { columns } = machine;
  if (columns === null || args.some(isObject)) return callee(...args);
  let chooses = false;
  const refuse = (): never => {
    chooses = true;
    throw new OneByOne('host', 'a function that JavaScript calls makes choices');
  };
  const handler: Handler = { name: 'a call without choices', sample: refuse, factor: refuse };
  try {
    return during({ columns: null, sideBySide: null, handler }, () => lasting(callee, ...args));
  } catch (thrown) {
    if (chooses) return callee(...args);
    throw thrown;
  }
}
