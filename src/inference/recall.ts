/**
 * Recalling what an inner enumeration found. Programs that reason about reasoners make the same inference again and again
 * inside a larger one: a listener asks what a speaker would say of each object, who asks each time what a listener
 * understands. Where the compiler has found that a model does nothing but what follows from the values of some variables
 * around it (`compiler/analyse/closures.ts`), and nothing else was looked at while it ran, the result is kept for the next
 * time that a model of the same text has the same values. What is kept is forgotten with the inference at top level.
 */
import { machine, runsDirectly } from '../runtime/machine.ts';
import { MemoLayer } from '../runtime/memo.ts';
import { ParameterTable } from '../runtime/parameters.ts';
import { programModel } from '../runtime/returning.ts';
import type { Model, Posterior } from './algorithm.ts';

/** Values in the supports of all results kept; beyond, everything is forgotten. */
const MOST_VALUES = 500_000;
/** Results of one text that nobody has asked for again, after which no more of them are kept. */
const PATIENCE = 200;

type Result = Posterior<unknown>;

/** Results by the values of the variables, one after the other. */
interface Branch {
  result: Result | undefined;
  next: Map<unknown, Branch> | undefined;
}

/** What is known of models of one text. */
class Recalled {
  private readonly root: Branch = { result: undefined, next: undefined };
  private kept = 0;
  private used = 0;

  /** False of models that are different every time. */
  get worthwhile(): boolean {
    return this.kept < PATIENCE || this.used > 0;
  }

  find(values: readonly unknown[]): Result | undefined {
    let branch: Branch | undefined = this.root;
    for (let i = 0; i < values.length && branch !== undefined; i++) branch = branch.next?.get(values[i]);
    if (branch?.result !== undefined) this.used++;
    return branch?.result;
  }

  keep(values: readonly unknown[], result: Result): void {
    let branch = this.root;
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
    this.kept++;
  }
}

/** By the text of the model and the kind of search. Values and results are those of one inference at top level. */
let known = new Map<string, Recalled>();
let owner = -1;
let values = 0;

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
  const found = recalled.find(around);
  if (found !== undefined) {
    // As if it had been made: later choices draw the same numbers.
    machine.stream.occurrence();
    return found as Posterior<T>;
  }
  const before = lookedAt();
  const { result, drew } = infer();
  if (typeof result === 'string' || drew || lookedAt() !== before || around.some(isNegativeZero)) return result;
  values += result.support().length + 1;
  if (values > MOST_VALUES) {
    known = new Map();
    values = 0;
  }
  recalled.keep(around, result);
  return result;
}

/** Under gradients and in lanes, values are not what they seem; and at top level everything is made once. */
function mayRecall(): boolean {
  return machine.stateless && !machine.lifted && machine.lanes === null && machine.columns === null && !runsDirectly();
}

/** What was kept for another inference at top level may not hold for this one, since the program has gone on. */
function forgetOthers(): void {
  if (owner === machine.outermost) return;
  owner = machine.outermost;
  known = new Map();
  values = 0;
}

/** How often anything was looked at that is neither a choice nor a variable. */
function lookedAt(): number {
  return MemoLayer.reads + ParameterTable.reads;
}

/** Maps do not tell it from zero. */
const isNegativeZero = (value: unknown): boolean => Object.is(value, -0);
