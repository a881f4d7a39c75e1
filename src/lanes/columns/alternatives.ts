/** Conditionals whose sides draw from one family, as in `rain ? flip(0.1) : flip(0.5)`. */
import { failsWhereNotTaken } from '../../algebra/conditions.ts';
import { machine } from '../../runtime/machine.ts';
import { branch, choose } from './branch.ts';
import { isDiffering, isNumeric, isTruth } from './column.ts';

type Fn = (...args: unknown[]) => unknown;

/** Functions that make one choice from numbers that may differ, and do nothing else. */
const samplers = new WeakSet<Fn>();

/** Marks a function as one of these. */
export function isSampler(fn: Fn): Fn {
  samplers.add(fn);
  return fn;
}

/**
 * A conditional both sides of which call `fn` with arguments that may be evaluated in any case. An execution makes one choice
 * on either side, so that choices are made for all at once where only the numbers they depend on differ.
 */
export function alternatives(
  condition: unknown,
  then: () => unknown,
  otherwise: () => unknown,
  fn: Fn,
  first: () => readonly unknown[],
  second: () => readonly unknown[],
): unknown {
  if (!isDiffering(condition)) return condition ? then() : otherwise();
  if (!samplers.has(fn) || machine.handler.usesAddresses) return branch(condition, then, otherwise);
  let yes: readonly unknown[];
  let no: readonly unknown[];
  try {
    [yes, no] = [first(), second()];
  } catch (thrown) {
    if (!failsWhereNotTaken(thrown)) throw thrown;
    return branch(condition, then, otherwise);
  }
  const areNumbers = [...yes, ...no].every((value) => isNumeric(value) && !isTruth(value));
  if (yes.length !== no.length || !areNumbers) {
    return branch(condition, then, otherwise);
  }
  const args = yes.map((value, i) =>
    value === no[i]
      ? value
      : choose(
          condition,
          () => value,
          () => no[i],
        ),
  );
  return fn(...args);
}
