/** Functions that WebPPL's programs call, and that JavaScript or the library has under another name. */
import { describe } from '../../runtime/describe.ts';
import { WaymarkError } from '../../runtime/errors.ts';
import { machine } from '../../runtime/machine.ts';
import { withoutChoices } from '../../runtime/refusal.ts';
import { arrayOf, checkFunction, type List } from '../arguments.ts';
import { cache } from '../cache.ts';
import { extend } from '../functions.ts';
import { divided } from '../grouping.ts';
import { type Before, sort } from '../sorting.ts';
import { viz } from '../viz/index.ts';
import type { DrawingOptions } from '../viz/options.ts';

const SPAN = 'span(predicate, array)';

/** The function called with the arguments in an array. What is no array is the only argument. */
export function apply<A extends readonly unknown[], B>(fn: (...args: A) => B, args: A): B;
export function apply<A, B>(fn: (arg: A) => B, arg: A): B;
export function apply(fn: (...args: unknown[]) => unknown, args: unknown): unknown {
  checkFunction('apply(fn, args)', fn, args);
  return Array.isArray(args) ? fn(...args) : fn(args);
}

/** `apply` for a function that must not make choices or factors; `label` names it in the error. */
export function applyd<A extends readonly unknown[], B>(
  fn: (...args: A) => B,
  args: A,
  label = 'this function (given to applyd)',
): B {
  checkFunction('applyd(fn, args, label)', fn, args);
  return withoutChoices(label, machine.address, () => apply(fn, args), undefined);
}

/** WebPPL's hint to its incremental Metropolis–Hastings; here it just calls the function. */
export function incrementalize<A extends readonly unknown[], B>(fn: (...args: A) => B, args: A): B {
  checkFunction('incrementalize(fn, args)', fn, args);
  return apply(fn, args);
}

/** Gives its argument. */
export function idF<A>(x: A): A {
  return x;
}

/** A function that always gives x. */
export function constF<A>(x: A): () => A {
  return () => x;
}

/** True, whatever it is called with. */
export function trueF(): true {
  return true;
}

/** False, whatever it is called with. */
export function falseF(): false {
  return false;
}

/** Whether a number is divisible by 2. */
export function isEven(n: number): boolean {
  return n % 2 === 0;
}

/** Whether a number is not divisible by 2. */
export function isOdd(n: number): boolean {
  return n % 2 !== 0;
}

/** WebPPL's name for `extend` of two objects. */
export function mergeObj<A extends object, B extends object>(first: A, second: B): Omit<A, keyof B> & B {
  return extend(first, second);
}

/** WebPPL's inner function of `sort`. */
export function _sort<A, K = A>(list: List<A>, predicate: Before<K>, key?: (item: A) => K): A[] {
  return sort(list, predicate, key);
}

/** Two sorted lists as one. */
export function _merge<A, K = A>(list1: List<A>, list2: List<A>, predicate: Before<K>, key?: (item: A) => K): A[] {
  const form = '_merge(array1, array2, predicate, key)';
  return sort([...arrayOf(form, list1), ...arrayOf(form, list2)], predicate, key);
}

/** WebPPL's name for `partition`: it looks at every item, not only at those up to the first failure. */
export function span<A>(predicate: (item: A) => boolean, list: List<A>): [A[], A[]] {
  return divided(SPAN, predicate, list);
}

/** WebPPL's other way to reach `cache`. */
export const dp: { readonly cache: typeof cache } = { cache };

/** Compiles and runs the text of a program within this one, and returns its value. */
export function webpplEval(code: string): unknown {
  if (typeof code !== 'string') {
    throw new WaymarkError(`webpplEval needs the text of a program, got ${describe(code)}.`);
  }
  const { run } = machine;
  if (run.evaluate === undefined) {
    throw new WaymarkError(
      'webpplEval needs the compiler: run the program with the waymark command, or with runProgram.',
    );
  }
  return run.evaluate(code);
}

/** An older name of `viz.auto`. */
export function vizPrint(data: unknown, options?: DrawingOptions): void {
  viz.auto(data, options);
}
