/** Sorting, and the best of a list. Predicates and keys may be functions of the program, so they get addresses. */
import { machine } from '../runtime/machine.ts';
import { arrayOf, checkFunction, itemsOf, type List } from './arguments.ts';
import { gt, lt } from './functions.ts';

const SORT = 'sort(array, predicate, key)';
const SORT_ON = 'sortOn(array, key, predicate)';
const MIN_WITH = 'minWith(fn, array)';
const MAX_WITH = 'maxWith(fn, array)';
const ARG_MAX = 'argMax(fn, array)';

/** Whether the first of two keys must come before the second. */
export type Before<K> = (a: K, b: K) => boolean;

/**
 * The list in order: a comes before b if `predicate(key(a), key(b))`. Items on a par keep their order.
 *
 *     [sort([3, 1, 2]), sort([3, 1, 2], gt), sort(['bb', 'a'], lt, (s) => s.length)]
 */
export function sort<A, K = A>(list: List<A>, predicate?: Before<K>, key?: (item: A) => K): A[] {
  const items = arrayOf(SORT, list);
  if (predicate !== undefined && typeof predicate !== 'function') checkFunction(SORT, predicate);
  if (key !== undefined && typeof key !== 'function') checkFunction(SORT, key);
  return sorted(items, predicate ?? lt, key);
}

/** The list in the order of a key of its items, smallest first unless a predicate says otherwise. */
export function sortOn<A, K = A>(list: List<A>, key?: (item: A) => K, predicate?: Before<K>): A[] {
  const items = arrayOf(SORT_ON, list);
  if (key !== undefined && typeof key !== 'function') checkFunction(SORT_ON, key);
  if (predicate !== undefined && typeof predicate !== 'function') checkFunction(SORT_ON, predicate);
  return sorted(items, predicate ?? lt, key);
}

function sorted<A, K>(items: readonly A[], before: Before<K>, key: ((item: A) => K) | undefined): A[] {
  const own = machine.address;
  const keys: K[] = key === undefined ? (items as unknown as K[]) : [];
  if (key !== undefined) {
    const keysAddress = own.at('key');
    for (let i = 0; i < items.length; i++) {
      machine.address = keysAddress.index(i);
      keys.push(key(items[i]));
    }
  }
  machine.address = own;
  return places(keys, before).map((place) => items[place]);
}

/** The places of the keys in sorted order. */
function places<K>(keys: readonly K[], before: Before<K>): number[] {
  const order = keys.map((_, i) => i);
  if ((before as unknown) === lt) return order.sort((i, j) => compare(keys[i], keys[j]));
  if ((before as unknown) === gt) return order.sort((i, j) => compare(keys[j], keys[i]));
  return mergeSort(keys, order, before);
}

function compare(a: unknown, b: unknown): number {
  const [x, y] = [a as number, b as number];
  return x < y ? -1 : x > y ? 1 : 0;
}

/**
 * Bottom-up, because a host sort would call the program's predicate an unknown number of times in an unknown order:
 * here it is called the same way on every machine, at an address by the number of the comparison.
 */
function mergeSort<K>(keys: readonly K[], places: number[], before: Before<K>): number[] {
  const own = machine.address;
  let comparison = 0;
  let from = places;
  let to = new Array<number>(places.length);
  for (let width = 1; width < places.length; width *= 2) {
    for (let start = 0; start < places.length; start += 2 * width) {
      const middle = Math.min(start + width, places.length);
      const end = Math.min(start + 2 * width, places.length);
      let left = start;
      let right = middle;
      for (let k = start; k < end; k++) {
        let takeRight = left === middle;
        if (!takeRight && right < end) {
          machine.address = own.index(comparison++);
          takeRight = before(keys[from[right]], keys[from[left]]);
        }
        to[k] = takeRight ? from[right++] : from[left++];
      }
    }
    [from, to] = [to, from];
  }
  machine.address = own;
  return from;
}

/** The item for which the function is smallest, and that value; the first of them on a tie. */
export function minWith<A>(fn: (item: A) => number, list: List<A>): [A, number] {
  return extreme(MIN_WITH, fn, list, Infinity, (value, best) => value < best);
}

/** The item for which the function is largest, and that value; the first of them on a tie. */
export function maxWith<A>(fn: (item: A) => number, list: List<A>): [A, number] {
  return extreme(MAX_WITH, fn, list, -Infinity, (value, best) => value > best);
}

/** The index of the item for which the function (or the item itself) is largest; −1 for an empty list. */
export function argMax(list: List<number>): number;
export function argMax<A>(fn: (item: A) => number, list: List<A>): number;
export function argMax<A>(first: List<number> | ((item: A) => number), second?: List<A>): number {
  if (typeof first === 'function') {
    const items = itemsOf<A>(ARG_MAX, second as List<A>);
    return indexOfLargest(items.length, (i) => first(items[i]));
  }
  if (typeof second === 'function') checkFunction(ARG_MAX, first, second);
  const numbers = itemsOf<number>('argMax(array)', first);
  return indexOfLargest(numbers.length, (i) => numbers[i]);
}

function indexOfLargest(length: number, value: (i: number) => number): number {
  const own = machine.address;
  let best = -1;
  let largest = -Infinity;
  for (let i = 0; i < length; i++) {
    machine.address = own.index(i);
    const candidate = value(i);
    if (best === -1 || candidate > largest) {
      best = i;
      largest = candidate;
    }
  }
  machine.address = own;
  return best;
}

function extreme<A>(
  form: string,
  fn: (item: A) => number,
  list: List<A>,
  start: number,
  better: (value: number, best: number) => boolean,
): [A, number] {
  if (typeof fn !== 'function') checkFunction(form, fn, list);
  const items = itemsOf(form, list);
  const own = machine.address;
  // WebPPL's answer for an empty list is the worst value twice.
  let result: [A, number] = [start as A, start];
  for (let i = 0; i < items.length; i++) {
    machine.address = own.index(i);
    const value = fn(items[i]);
    if (i === 0 || better(value, result[1])) result = [items[i], value];
  }
  machine.address = own;
  return result;
}
