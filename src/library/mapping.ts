/** Functions that run a function on every item. Each iteration has its own random stream: see `Iterations`. */
import { SampleField } from '../distributions/sample-columns.ts';
import { Zipped } from '../lanes/zipped.ts';
import { nowhere } from '../runtime/address.ts';
import { machine } from '../runtime/machine.ts';
import { checkCount, checkFunction, checkLengths, checkObject, itemsOf, type List } from './arguments.ts';
import { iterated, oneAfterTheOther } from './iterating.ts';

const MAP = 'map(fn, array)';
const MAP2 = 'map2(fn, array1, array2)';
const MAP_N = 'mapN(fn, n)';
const MAP_INDEXED = 'mapIndexed(fn, array)';
const MAP_OBJECT = 'mapObject(fn, object)';
const MAP_PAIRS = 'mapPairs(fn, array)';
const FILTER = 'filter(predicate, array)';
const REPEAT = 'repeat(n, fn)';

/**
 * `[fn(x) for each x]`.
 *
 *     map((p) => Bernoulli({p}).score(true), [0.1, 0.5, 1])
 */
export function map<A, B>(fn: (item: A) => B, list: List<A>): B[] {
  if (typeof fn !== 'function') checkFunction(MAP, fn, list);
  if (!Array.isArray(list) && list instanceof SampleField) return list.map() as B[];
  const items = itemsOf(MAP, list);
  if (machine.address !== nowhere) return iterated(items, (item) => fn(item));
  const atOnce = machine.lanes === null ? undefined : machine.handler.together?.(items, fn, nowhere, true);
  if (atOnce !== undefined) return atOnce;
  const { length } = items;
  const result = new Array<B>(length);
  for (let i = 0; i < length; i++) result[i] = fn(items[i]);
  return result;
}

/** `fn(x, y)` for each x of the first array with the y in the same place of the second. */
export function map2<A, B, C>(fn: (first: A, second: B) => C, list1: List<A>, list2: List<B>): C[] {
  if (typeof fn !== 'function') checkFunction(MAP2, fn, typeof list1 === 'function' ? list1 : list2);
  const first = itemsOf(MAP2, list1);
  const second = itemsOf(MAP2, list2);
  // In lanes, lists may be of different lengths in each.
  if (machine.lanes === null) checkLengths(MAP2, first, second);
  const atOnce = inPairs(fn, first, second);
  if (atOnce !== undefined) return atOnce;
  if (machine.lanes !== null) checkLengths(MAP2, first, second);
  return oneAfterTheOther(first.length, (i) => fn(first[i], second[i]));
}

/** Goes through two lists side by side, if the handler can do that. */
function inPairs<A, B, C>(fn: (first: A, second: B) => C, first: ArrayLike<A>, second: ArrayLike<B>): C[] | undefined {
  const { handler, address } = machine;
  if (handler.together === undefined) return undefined;
  const { length } = first;
  const isLonger = typeof length === 'number' && typeof second.length === 'number' && length < second.length;
  const lists = new Zipped([first, isLonger ? Array.from(second).slice(0, length) : second]);
  return handler.together<unknown, C>(lists, (pair) => fn(...(pair as [A, B])), address, true);
}

/** `[fn(0), …, fn(n − 1)]`. */
export function mapN<B>(fn: (i: number) => B, n: number): B[] {
  if (typeof fn !== 'function') checkFunction(MAP_N, fn, n);
  checkCount(MAP_N, n);
  return iterated(new Array<undefined>(n), (_, i) => fn(i));
}

/**
 * `fn(i, x)` for each item x with its index i, the index first.
 *
 *     mapIndexed((i, name) => i + ' ' + name, ['a', 'b'])
 */
export function mapIndexed<A, B>(fn: (index: number, item: A) => B, list: List<A>): B[] {
  if (typeof fn !== 'function') checkFunction(MAP_INDEXED, fn, list);
  return iterated(itemsOf(MAP_INDEXED, list), (item, i) => fn(i, item));
}

/** An object with the same keys and the values `fn(key, value)`. */
export function mapObject<A, B, K extends string>(fn: (key: K, value: A) => B, object: Record<K, A>): Record<K, B> {
  if (typeof fn !== 'function') checkFunction(MAP_OBJECT, fn, object);
  checkObject(MAP_OBJECT, object);
  const keys = Object.keys(object) as K[];
  const values =
    inPairs(fn, keys, Object.values(object) as A[]) ??
    oneAfterTheOther(keys.length, (i) => fn(keys[i], object[keys[i]]));
  return Object.fromEntries(keys.map((key, i) => [key, values[i]])) as Record<K, B>;
}

/** `fn(x, y)` for each pair of neighbours. */
export function mapPairs<A, B>(fn: (item: A, next: A) => B, list: List<A>): B[] {
  if (typeof fn !== 'function') checkFunction(MAP_PAIRS, fn, list);
  const items = itemsOf(MAP_PAIRS, list);
  const atOnce = inPairs(fn, neighbours(items, 0, -1), neighbours(items, 1));
  return atOnce ?? oneAfterTheOther(Math.max(0, items.length - 1), (i) => fn(items[i], items[i + 1]));
}

/** All items but one at an end; made only where the handler may run them side by side. */
function neighbours<A>(items: ArrayLike<A>, start: number, end?: number): ArrayLike<A> {
  if (machine.handler.together === undefined) return items;
  return Array.isArray(items) ? items.slice(start, end) : Array.from(items).slice(start, end);
}

/** The items for which the predicate holds. */
export function filter<A>(predicate: (item: A) => boolean, list: List<A>): A[] {
  if (typeof predicate !== 'function') checkFunction(FILTER, predicate, list);
  const items = itemsOf(FILTER, list);
  const holds = oneAfterTheOther(items.length, (i) => Boolean(predicate(items[i])));
  return Array.from(items).filter((_, i) => holds[i]);
}

/**
 * The values of n calls of the function.
 *
 *     Infer(() => sum(repeat(3, () => flip(0.5))))
 */
export function repeat<B>(n: number, fn: () => B): B[] {
  if (typeof fn !== 'function') {
    if (typeof n === 'function') checkCount(REPEAT, n);
    checkFunction(REPEAT, fn);
  }
  checkCount(REPEAT, n);
  return iterated(new Array<undefined>(n), () => fn());
}
