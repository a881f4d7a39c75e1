/**
 * Recalling what an inner enumeration found. Programs that reason about reasoners make the same inference again and again
 * inside a larger one: a listener asks what a speaker would say of each object, who asks each time what a listener
 * understands. Where the compiler has found that a model does nothing but what follows from the values of some variables
 * around it (`compiler/analyse/closures.ts`), and nothing else was looked at while it ran, the result is kept for the next
 * time that a model of the same text has values of the same contents; or the very same, where objects were compared by
 * what they are (`===`). So agents that plan, whose states are new objects all the time, plan for each state once. What is
 * kept is forgotten with the inference at top level, if the program may then see other values of its own variables
 * (`contents.ts`).
 */
import { tell } from '../lanes/obstacles.ts';
import { machine, runsDirectly } from '../runtime/machine.ts';
import { programModel } from '../runtime/returning.ts';
import type { Model, Posterior } from './algorithm.ts';
import { contents, isObject } from './contents.ts';

/** Values in the supports of all results kept; beyond, everything is forgotten. */
const MOST_VALUES = 500_000;
/** Results of one text that were not asked for again, after which no more of them are kept. */
const PATIENCE = 1000;

/** A distribution, or why there is none. */
type Result = Posterior<unknown> | string;

interface Kept {
  readonly result: Result;
  /**
   * The inference at top level that it was found in, if there are objects in it: those of another inference are others, and
   * the program may compare them when both are over. Null if anybody may have it.
   */
  readonly owner: number | null;
}

/** Results by the values of the variables, one after the other. */
interface Branch {
  result: Kept | undefined;
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
      if (result !== undefined) contents.comparisons++;
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
  const kept = branch?.result;
  if (kept === undefined) return undefined;
  if (kept.owner === null) return kept.result;
  if (kept.owner !== machine.outermost || runsDirectly() || !contents.mayTakeObjects) return undefined;
  contents.takesObject();
  return kept.result;
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
  const hasObjects = typeof result !== 'string' && result.support().some(isObject);
  branch.result = { result, owner: hasObjects ? machine.outermost : null };
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
  if (text === undefined || captured === undefined || !contents.mayRecall()) return infer().result;
  const kept = contents.kept();
  if (kept.values > MOST_VALUES) {
    kept.inferences.clear();
    kept.values = 0;
  }
  const name = `${kind} ${text}`;
  let recalled = kept.inferences.get(name) as Recalled | undefined;
  if (recalled === undefined) {
    recalled = new Recalled();
    kept.inferences.set(name, recalled);
  }
  if (!recalled.worthwhile) return infer().result;
  const around = captured();
  const likes = contents.likesOf(around);
  const found = recalled.find(around, likes);
  if (found !== undefined) {
    // As if it had been made: later choices draw the same numbers.
    machine.stream.occurrence();
    contents.takes(around, likes);
    tell(machine, 'enumerate', 'recalled', 'the result of an equal inference was recalled.');
    return found as Posterior<T> | string;
  }
  const before = contents.lookedAt();
  const { comparisons } = contents;
  const { result, drew } = infer();
  if (drew || contents.lookedAt() !== before || around.some(isNegativeZero)) return result;
  kept.values += typeof result === 'string' ? 1 : result.support().length + 1;
  if (comparisons === contents.comparisons) recalled.keepForAlike(likes, result);
  else recalled.keepForSame(around, result);
  return result;
}

/** Maps do not tell it from zero. */
const isNegativeZero = (value: unknown): boolean => Object.is(value, -0);
