/**
 * What conditions mean on values that stand for others, written once. Each one may take another side. A domain says how one
 * of two numbers is selected, and how a side is run for those that take it.
 */
import { Diverged, isSignal, OneByOne } from '../runtime/signals.ts';
import { isOwnThrow, isProgramError } from '../runtime/throwing.ts';
import type { Domain } from './domain.ts';

type Side = () => unknown;

export interface ConditionDomain extends Domain {
  /** A condition that stands for others, as truth values of the domain; undefined if it must be looked at. */
  asTruth(condition: unknown): unknown;
  /** `!` of truth values of the domain. */
  not(truth: unknown): unknown;
  /** Whether a value counts as true, looked at: those for which it does not part from the others. */
  truth(condition: unknown): boolean;
  /** One of two values for each, by truth values; undefined unless both are numbers, or both truth values. */
  select(truth: unknown, a: unknown, b: unknown): unknown;
  /** Runs a conditional: one side, or each side for those that take it; `valued` if its value is used. */
  decide(condition: unknown, then: Side, otherwise: Side, valued: boolean): unknown;
  /** Told that the program catches an error of host code, which may have happened to some only. */
  caught(): void;
}

/**
 * A side on which the program fails can be evaluated only where it is taken: fields are read there that others do not have. Errors
 * of the engine, and signals that do not lead to another way of running, say nothing of that.
 */
export const failsWhereNotTaken = (thrown: unknown): boolean =>
  thrown instanceof OneByOne || thrown instanceof Diverged || (!isSignal(thrown) && isProgramError(thrown));

export type Conditions = ReturnType<typeof conditionsOver>;

export function conditionsOver(domain: ConditionDomain) {
  function decided(condition: unknown, then: Side, otherwise: Side, valued: boolean): unknown {
    if (!domain.isMine(condition)) return condition ? then() : otherwise();
    return domain.decide(condition, then, otherwise, valued);
  }

  /** A conditional with a value. */
  const branch = (condition: unknown, then: Side, otherwise: Side): unknown =>
    decided(condition, then, otherwise, true);

  /** A conditional whose sides are cheap, total and free of choices: both are evaluated, for all, and one is selected. */
  function choose(condition: unknown, then: Side, otherwise: Side): unknown {
    if (!domain.isMine(condition)) return condition ? then() : otherwise();
    const truth = domain.asTruth(condition);
    if (truth === undefined) return branch(condition, then, otherwise);
    let a: unknown;
    let b: unknown;
    try {
      a = then();
      b = otherwise();
    } catch (thrown) {
      if (!failsWhereNotTaken(thrown)) throw thrown;
      return branch(condition, then, otherwise);
    }
    return (
      domain.select(truth, a, b) ??
      branch(
        condition,
        () => a,
        () => b,
      )
    );
  }

  return {
    branch,
    choose,
    /** A conditional of which only the effects are wanted. */
    either(condition: unknown, then: () => void, otherwise: () => void): void {
      decided(condition, then, otherwise, false);
    },
    truth: (condition: unknown): boolean => (domain.isMine(condition) ? domain.truth(condition) : Boolean(condition)),
    not(condition: unknown): unknown {
      if (!domain.isMine(condition)) return !condition;
      const truth = domain.asTruth(condition);
      return truth === undefined ? domain.each((one) => !one, [condition]) : domain.not(truth);
    },
    /** `a && b`, where b may be evaluated in any case. */
    and: (a: unknown, b: Side): unknown => choose(a, b, () => a),
    /** `a || b`, where b may be evaluated in any case. */
    or: (a: unknown, b: Side): unknown => choose(a, () => a, b),
    /** `a && b`, where b is evaluated only if a is true. */
    andThen: (a: unknown, b: Side): unknown => branch(a, b, () => a),
    /** `a || b`, where b is evaluated only if a is false. */
    orThen: (a: unknown, b: Side): unknown => branch(a, () => a, b),
    /** Called where the program catches something. */
    caught(thrown: unknown): void {
      if (!isOwnThrow(thrown)) domain.caught();
    },
  };
}
