import { Iterations } from '../runtime/iteration.ts';
import { machine } from '../runtime/machine.ts';
import { checkFunction, itemsOf, type List } from './arguments.ts';

const FOR_EACH = 'forEach(array, fn)';

/**
 * Runs `fn(item, index)` on every item, for its effects. The array may come first, as in the paper's programs, or the function, as
 * everywhere else.
 */
export function forEach<A>(list: List<A>, fn: (item: A, index: number) => unknown): void;
export function forEach<A>(fn: (item: A, index: number) => unknown, list: List<A>): void;
export function forEach<A>(
  first: List<A> | ((item: A, index: number) => unknown),
  second: List<A> | ((item: A, index: number) => unknown),
): void {
  const functionFirst = typeof first === 'function';
  const fn = (functionFirst ? first : second) as (item: A, index: number) => unknown;
  if (typeof fn !== 'function') checkFunction(FOR_EACH, fn);
  const items = itemsOf<A>(FOR_EACH, (functionFirst ? second : first) as List<A>);
  const { handler, address } = machine;
  if (handler.together?.(items, fn, address, false) !== undefined) return;
  const iterations = new Iterations();
  try {
    for (let i = 0; i < items.length; i++) {
      iterations.enter(i);
      fn(items[i], i);
    }
  } finally {
    iterations.leave();
  }
}
