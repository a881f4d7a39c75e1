/**
 * Recalling what an inner enumeration found. Programs that reason about reasoners make the same inference again and again
 * inside a larger one: a listener asks what a speaker would say of each object, who asks each time what a listener
 * understands. Where the compiler has found that a model does nothing but what follows from the values of some variables
 * around it (`compiler/analyse/closures.ts`), and nothing else was looked at while it ran, the result is kept for the next
 * time that a model of the same text has values of the same contents; or the very same, where objects were compared by
 * what they are (`===`). So agents that plan, whose states are new objects all the time, plan for each state once. What is
 * kept is forgotten with the inference at top level, if the program may then see other values of its own variables.
 *
 * A result that was found for an object of the same contents may hold that other object. That matters to programs that
 * compare such objects with `===`, which are few: the first time one does, the inference at top level begins again, and
 * from then on values are the same only if they are the same object.
 */
import { Likeness } from '../runtime/likeness.ts';
import { machine, runsDirectly } from '../runtime/machine.ts';
import { MemoLayer } from '../runtime/memo.ts';
import { ParameterTable } from '../runtime/parameters.ts';
import { programModel } from '../runtime/returning.ts';
import { beginAgain } from '../runtime/signals.ts';
import type { Model, Posterior } from './algorithm.ts';

/** Values in the supports of all results kept; beyond, everything is forgotten. */
const MOST_VALUES = 500_000;
/** Results of one text that nobody has asked for again, after which no more of them are kept. */
const PATIENCE = 1000;

/** A distribution, or why there is none. */
type Result = Posterior<unknown> | string;

/** Results by the values of the variables, one after the other. */
interface Branch {
  result: Result | undefined;
  next: Map<unknown, Branch> | undefined;
}

/** What is known of models of one text. */
class Recalled {
  /** By values of the same contents, and by the very same. */
  private readonly alike: Branch = { result: undefined, next: undefined };
  private same: Branch | null = null;
  private kept = 0;
  private used = 0;

  /** False of models that are different every time. */
  get worthwhile(): boolean {
    return this.kept < PATIENCE || this.used > 0;
  }

  find(values: readonly unknown[], likes: readonly unknown[]): Result | undefined {
    let result = resultIn(this.alike, likes);
    if (result === undefined && this.same !== null) {
      result = resultIn(this.same, values);
      // What is made of it depends on these objects too.
      if (result !== undefined) comparisons++;
    }
    if (result !== undefined) this.used++;
    return result;
  }

  keepForAlike(likes: readonly unknown[], result: Result): void {
    this.kept++;
    keepIn(this.alike, likes, result);
  }

  keepForSame(values: readonly unknown[], result: Result): void {
    this.kept++;
    this.same ??= { result: undefined, next: undefined };
    keepIn(this.same, values, result);
  }
}

function resultIn(root: Branch, values: readonly unknown[]): Result | undefined {
  let branch: Branch | undefined = root;
  for (let i = 0; i < values.length && branch !== undefined; i++) branch = branch.next?.get(values[i]);
  return branch?.result;
}

function keepIn(root: Branch, values: readonly unknown[], result: Result): void {
  let branch = root;
  for (const value of values) {
    branch.next ??= new Map();
    let next = branch.next.get(value);
    if (next === undefined) {
      next = { result: undefined, next: undefined };
      branch.next.set(value, next);
    }
    branch = next;
  }
  branch.result = result;
}

/** By the text of the model and the kind of search. Values and results are those of one run, or one inference at top level. */
let known = new Map<string, Recalled>();
let likeness = new Likeness();
let owner: unknown = null;
let outermost = -1;
let values = 0;
/** How often objects of the same contents were compared. */
let comparisons = 0;
/** Whether a result was taken that was found for other objects. */
let tookOthers = false;
/** Whether there is an inference at top level that can begin again. */
let canBeginAgain = false;

/** The program compares two values by `===` or the like. */
export function compared(a: unknown, b: unknown): void {
  if (a === null || b === null || (a !== b && likeness.of(a) !== likeness.of(b))) return;
  comparisons++;
  if (tookOthers && canBeginAgain && machine.comparesContents) throw beginAgain;
}

/** Runs an inference, and if it is the one at top level runs it again where contents are not enough to compare. */
export function beginningAgain<R>(infer: () => R): R {
  if (canBeginAgain || !machine.comparesContents || !runsDirectly()) return infer();
  const { stream, address } = machine;
  const { position } = stream;
  canBeginAgain = true;
  try {
    return infer();
  } catch (thrown) {
    if (thrown !== beginAgain) throw thrown;
    machine.comparesContents = false;
    forget();
    stream.goTo(position);
    machine.address = address;
    return infer();
  } finally {
    canBeginAgain = false;
  }
}

/**
 * The result of `infer`, or of an earlier call for the same model. `infer` also tells whether it drew random numbers.
 * `kind` tells apart searches that give different results.
 */
export function recalled<T>(
  kind: string,
  model: Model<T>,
  infer: () => { result: Posterior<T> | string; drew: boolean },
): Posterior<T> | string {
  const { text, captured } = programModel(model) ?? {};
  if (text === undefined || captured === undefined || !mayRecall()) return infer().result;
  forgetOthers();
  const name = `${kind} ${text}`;
  let recalled = known.get(name);
  if (recalled === undefined) {
    recalled = new Recalled();
    known.set(name, recalled);
  }
  if (!recalled.worthwhile) return infer().result;
  const around = captured();
  const likes = machine.comparesContents && canBeginAgain ? around.map(likeOf) : around;
  const found = recalled.find(around, likes);
  if (found !== undefined) {
    // As if it had been made: later choices draw the same numbers.
    machine.stream.occurrence();
    if (!tookOthers && likes !== around) tookOthers = around.some((value, i) => isObject(value) && value !== likes[i]);
    return found as Posterior<T> | string;
  }
  const before = lookedAt();
  const compared = comparisons;
  const { result, drew } = infer();
  if (drew || lookedAt() !== before || around.some(isNegativeZero)) return result;
  values += typeof result === 'string' ? 1 : result.support().length + 1;
  if (values > MOST_VALUES) {
    forget();
    return result;
  }
  if (comparisons === compared) recalled.keepForAlike(likes, result);
  else recalled.keepForSame(around, result);
  return result;
}

const likeOf = (value: unknown): unknown => likeness.of(value);

/** Under gradients and in lanes, values are not what they seem. */
function mayRecall(): boolean {
  if (machine.settled === 'never' || (machine.settled === 'inference' && runsDirectly())) return false;
  return machine.stateless && !machine.lifted && machine.lanes === null && machine.columns === null;
}

/** What was kept may not hold for another run, nor for another inference at top level if the program has gone on. */
function forgetOthers(): void {
  const isAnother = machine.settled === 'inference' && outermost !== machine.outermost;
  if (owner === machine.run && !isAnother) return;
  owner = machine.run;
  outermost = machine.outermost;
  forget();
}

function forget(): void {
  known = new Map();
  likeness = new Likeness();
  values = 0;
  tookOthers = false;
}

/** How often anything was looked at that is neither a choice nor a variable. */
function lookedAt(): number {
  return MemoLayer.reads + ParameterTable.reads;
}

const isObject = (value: unknown): boolean =>
  (typeof value === 'object' && value !== null) || typeof value === 'function';

/** Maps do not tell it from zero. */
const isNegativeZero = (value: unknown): boolean => Object.is(value, -0);
