/** Building lists and taking them apart. Nothing here changes a list: results are new ones. */
import { describe } from '../runtime/describe.ts';
import { WaymarkError } from '../runtime/errors.ts';
import { sameValue, valueKey } from '../runtime/values.ts';
import { arrayOf, checkLengths, itemsOf, type List } from './arguments.ts';

/** The items of the first list, then those of the second. What is not a list counts as its only item. */
export function append<A, B>(list1: List<A>, list2: List<B> | B): (A | B)[] {
  return [...arrayOf('append(array1, array2)', list1), ...listOrItem<B>(list2)];
}

/** The item, then the list. What is not a list counts as its only item. */
export function cons<A, B>(item: A, list: List<B> | B): (A | B)[] {
  return [item, ...listOrItem<B>(list)];
}

const listOrItem = <A>(value: List<A> | A): readonly A[] =>
  Array.isArray(value)
    ? value
    : ArrayBuffer.isView(value)
      ? Array.from(value as unknown as ArrayLike<A>)
      : [value as A];

/** The list, then the item. */
export function snoc<A, B>(list: List<A>, item: B): (A | B)[] {
  return [...arrayOf('snoc(array, item)', list), item];
}

/** The first item; undefined if there is none. */
export function first<A>(list: List<A>): A {
  return itemsOf('first(array)', list)[0];
}

/** The second item. */
export function second<A>(list: List<A>): A {
  return itemsOf('second(array)', list)[1];
}

/** The third item. */
export function third<A>(list: List<A>): A {
  return itemsOf('third(array)', list)[2];
}

/** The fourth item. */
export function fourth<A>(list: List<A>): A {
  return itemsOf('fourth(array)', list)[3];
}

/** The last item. */
export function last<A>(list: List<A>): A {
  const items = itemsOf('last(array)', list);
  return items[items.length - 1];
}

/** The item before the last. */
export function secondLast<A>(list: List<A>): A {
  const items = itemsOf('secondLast(array)', list);
  return items[items.length - 2];
}

/** All but the first; of a text, the rest of the text. */
export function rest(text: string): string;
export function rest<A>(list: List<A>): A[];
export function rest<A>(list: List<A> | string): A[] | string {
  return typeof list === 'string' ? list.slice(1) : arrayOf('rest(array)', list).slice(1);
}

/** All but the last. */
export function most(text: string): string;
export function most<A>(list: List<A>): A[];
export function most<A>(list: List<A> | string): A[] | string {
  return typeof list === 'string' ? list.slice(0, -1) : arrayOf('most(array)', list).slice(0, -1);
}

/** The first, the third, the fifth … */
export function everyOther<A>(list: List<A>): A[] {
  return arrayOf('everyOther(array)', list).filter((_, i) => i % 2 === 0);
}

/** Pairs of items in the same place. */
export function zip<A, B>(list1: List<A>, list2: List<B>): [A, B][] {
  const form = 'zip(array1, array2)';
  const items2 = itemsOf(form, list2);
  const items1 = arrayOf(form, list1);
  checkLengths(form, items1, items2);
  return items1.map((item, i) => [item, items2[i]]);
}

/**
 * The list without the items equal to the given one. Objects are equal if their contents are, anything else as for `==`:
 * without null there is no undefined either, and without 0 no '0'.
 */
export function remove<A>(item: A, list: List<A>): A[] {
  // biome-ignore lint/suspicious/noDoubleEquals: as in WebPPL
  const alike = (other: A): boolean => (isObject(item) && isObject(other) ? sameValue(item, other) : item == other);
  return arrayOf('remove(item, array)', list).filter((other) => !alike(other));
}

const isObject = (value: unknown): boolean => typeof value === 'object' && value !== null;

/** The items of lists within the list, one level deep. */
export function flatten<A>(list: List<A | readonly A[]>): A[] {
  return (arrayOf('flatten(array)', list) as readonly (A | readonly A[])[]).flat() as A[];
}

/** The distinct items, in the order in which they come first. */
export function unique<A>(list: List<A>): A[] {
  const seen = new Set<unknown>();
  return arrayOf('unique(array)', list).filter((item) => {
    const key = valueKey(item);
    if (seen.has(key)) return false;
    seen.add(key);
    return true;
  });
}

/** `[0, …, n − 1]`, or the numbers from a up to but not including b in steps. */
export function range(n: number): number[];
export function range(from: number, to: number, step?: number): number[];
export function range(a: number, b?: number, step = 1): number[] {
  const [from, to] = b === undefined ? [0, a] : [a, b];
  for (const bound of [from, to, step]) {
    if (typeof bound !== 'number' || !Number.isFinite(bound)) {
      throw new WaymarkError(
        `range needs finite numbers, as in range(n) or range(from, to, step); got ${describe(bound)}.`,
      );
    }
  }
  if (step === 0) throw new WaymarkError('range needs a step other than 0.');
  const length = Math.max(0, Math.ceil((to - from) / step));
  return Array.from({ length }, (_, i) => from + i * step);
}

/** Word counts as the list of words they stand for: `[2, 0, 1]` is `[0, 0, 2]`. */
export function countsToIndices(counts: List<number>): number[] {
  const items = itemsOf('countsToIndices(counts)', counts);
  const indices: number[] = [];
  for (let word = 0; word < items.length; word++) {
    if (!Number.isInteger(items[word]) || items[word] < 0) {
      throw new WaymarkError(
        `countsToIndices needs whole numbers of at least 0; got ${describe(items[word])} at index ${word}.`,
      );
    }
    for (let i = 0; i < items[word]; i++) indices.push(word);
  }
  return indices;
}
