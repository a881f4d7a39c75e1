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
import { Marginal } from '../distributions/marginal.ts';
import { tell } from '../lanes/obstacles.ts';
import { machine, runsDirectly } from '../runtime/machine.ts';
import { programModel } from '../runtime/returning.ts';
import { isObject } from '../runtime/values.ts';
import type { Model, Posterior } from './algorithm.ts';
import { contents } from './contents.ts';
import { ForObjects, makesFunctions } from './other-objects.ts';
import { common, copyOf } from './recalled-objects.ts';

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
   * the program may compare them when both are over. Null if any inference may use it.
   */
  readonly owner: number | null;
  /** What it holds and the values it was made from, if there are objects in it. */
  readonly objects: ForObjects | null;
  /** Which of the objects in it were there before: known once it has been made a second time. */
  outside: ReadonlySet<object> | null;
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

  find(values: readonly unknown[], likes: readonly unknown[]): Kept | undefined {
    let kept = keptIn(this.alike, likes);
    if (kept === undefined && this.same !== null) {
      kept = keptIn(this.same, values);
      // It was found by the identity of these objects.
      if (kept !== undefined) contents.comparisons++;
    }
    if (kept !== undefined) this.used++;
    return kept;
  }

  keepForAlike(likes: readonly unknown[], result: Result, around: readonly unknown[]): void {
    this.kept++;
    keepIn(this.alike, likes, result, around);
  }

  keepForSame(values: readonly unknown[], result: Result): void {
    this.kept++;
    this.same ??= { result: undefined, next: undefined };
    keepIn(this.same, values, result, values);
  }
}

function keptIn(root: Branch, values: readonly unknown[]): Kept | undefined {
  let branch: Branch | undefined = root;
  for (let i = 0; i < values.length && branch !== undefined; i++) branch = branch.next?.get(values[i]);
  const kept = branch?.result;
  if (kept === undefined || kept.owner === null) return kept;
  return kept.owner === machine.outermost && !runsDirectly() && contents.mayTakeObjects ? kept : undefined;
}

/** What is known of models of this text. (Not by one name for both: to put it together, texts would be copied and compared.) */
function recalledOf(inferences: Map<string, Map<string, unknown>>, kind: string, text: string): Recalled {
  let texts = inferences.get(kind);
  if (texts === undefined) {
    texts = new Map();
    inferences.set(kind, texts);
  }
  let known = texts.get(text) as Recalled | undefined;
  if (known === undefined) {
    known = new Recalled();
    texts.set(text, known);
  }
  return known;
}

/** The kept result for values of the same contents; undefined if it has to be made again. */
function takenUp({ result, objects, outside }: Kept, around: readonly unknown[]): Result | undefined {
  if (typeof result === 'string') return result;
  const marginal = result as Marginal<unknown>;
  if (objects === null) return marginal.withValues(marginal.support());
  if (contents.takesCopies) {
    const copied = outside !== null && (objects.isApart || objects.areThose(around));
    return copied ? copyOf(marginal, outside, objects.areThose(around) ? around : []) : undefined;
  }
  const held = objects.heldFor(around);
  if (held === undefined) return undefined;
  contents.takesObject(objects);
  return marginal.withValues(held);
}

function keepIn(root: Branch, values: readonly unknown[], result: Result, around: readonly unknown[]): void {
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
  const held = typeof result === 'string' ? [] : result.support();
  const hasObjects = held.some(isObject);
  branch.result = {
    result,
    owner: hasObjects ? machine.outermost : null,
    objects: hasObjects ? new ForObjects(held, around) : null,
    outside: null,
  };
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
  const recalled = recalledOf(kept.inferences, kind, text);
  if (!recalled.worthwhile) return infer().result;
  const around = captured();
  const likes = contents.likesOf(around);
  const earlier = recalled.find(around, likes);
  const found = earlier && takenUp(earlier, around);
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
  if (earlier !== undefined) {
    if (earlier.result instanceof Marginal && result instanceof Marginal)
      earlier.outside = common(earlier.result, result);
    return result;
  }
  if (drew || contents.lookedAt() !== before || around.some(isNegativeZero)) return result;
  if (typeof result !== 'string' && result.support().some((value) => makesFunctions(value, around))) return result;
  kept.values += typeof result === 'string' ? 1 : result.support().length + 1;
  if (comparisons === contents.comparisons) recalled.keepForAlike(likes, result, around);
  else recalled.keepForSame(around, result);
  return result;
}

/** Maps do not tell it from zero. */
const isNegativeZero = (value: unknown): boolean => Object.is(value, -0);
