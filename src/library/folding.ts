/** Functions that go through a list item by item, each step with the result of the step before. */
import { machine } from '../runtime/machine.ts';
import { checkFunction, itemsOf, type List } from './arguments.ts';

const REDUCE = 'reduce(fn, init, array)';
const FOLDL = 'foldl(fn, init, array)';
const SCAN = 'scan(fn, init, array)';
const FIND = 'find(predicate, array)';
const ALL = 'all(predicate, array)';
const ANY = 'any(predicate, array)';

/**
 * From the last item to the first: `fn(item, so far)`, starting with `init`.
 *
 *     reduce((word, sentence) => word + ' ' + sentence, '', ['to', 'be', 'or', 'not'])
 */
export function reduce<A, B>(fn: (item: A, soFar: B) => B, init: B, list: List<A>): B {
  if (typeof fn !== 'function') checkFunction(REDUCE, fn, list);
  const items = itemsOf(REDUCE, list);
  const own = machine.address;
  let result = init;
  for (let i = items.length - 1; i >= 0; i--) {
    machine.address = own.index(items.length - 1 - i);
    result = fn(items[i], result);
  }
  machine.address = own;
  return result;
}

/** From the first item to the last: `fn(so far, item)`, starting with `init`. */
export function foldl<A, B>(fn: (soFar: B, item: A) => B, init: B, list: List<A>): B {
  if (typeof fn !== 'function') checkFunction(FOLDL, fn, list);
  const items = itemsOf(FOLDL, list);
  const own = machine.address;
  let result = init;
  for (let i = 0; i < items.length; i++) {
    machine.address = own.index(i);
    result = fn(result, items[i]);
  }
  machine.address = own;
  return result;
}

/** Like `foldl`, keeping every intermediate result: `[init, fn(init, x0), …]`, one longer than the list. */
export function scan<A, B>(fn: (soFar: B, item: A) => B, init: B, list: List<A>): B[] {
  if (typeof fn !== 'function') checkFunction(SCAN, fn, list);
  const items = itemsOf(SCAN, list);
  const own = machine.address;
  const result: B[] = [init];
  for (let i = 0; i < items.length; i++) {
    machine.address = own.index(i);
    result.push(fn(result[i], items[i]));
  }
  machine.address = own;
  return result;
}

/** The first item for which the predicate holds, or undefined. */
export function find<A>(predicate: (item: A) => boolean, list: List<A>): A | undefined {
  if (typeof predicate !== 'function') checkFunction(FIND, predicate, list);
  const items = itemsOf(FIND, list);
  const place = firstWhere(predicate, items, true);
  return place === -1 ? undefined : items[place];
}

/** Whether the predicate holds for every item; it is not asked beyond the first for which it does not. */
export function all<A>(predicate: (item: A) => boolean, list: List<A>): boolean {
  if (typeof predicate !== 'function') checkFunction(ALL, predicate, list);
  return firstWhere(predicate, itemsOf(ALL, list), false) === -1;
}

/** Whether the predicate holds for some item; it is not asked beyond the first for which it does. */
export function any<A>(predicate: (item: A) => boolean, list: List<A>): boolean {
  if (typeof predicate !== 'function') checkFunction(ANY, predicate, list);
  return firstWhere(predicate, itemsOf(ANY, list), true) !== -1;
}

/** The index of the first item for which the predicate holds, or fails; −1 if there is none. */
function firstWhere<A>(predicate: (item: A) => boolean, items: ArrayLike<A>, holds: boolean): number {
  const own = machine.address;
  let place = -1;
  for (let i = 0; i < items.length && place === -1; i++) {
    machine.address = own.index(i);
    if (Boolean(predicate(items[i])) === holds) place = i;
  }
  machine.address = own;
  return place;
}
