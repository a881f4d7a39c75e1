/** What library functions accept as arguments, and what they say when given something else. */
import { describe } from '../runtime/describe.ts';
import { WaymarkError } from '../runtime/errors.ts';
import { Tensor } from '../tensor/tensor.ts';

/** What a function over lists takes: arrays, typed arrays, and, for numbers, tensors (their entries in order). */
export type List<A> = ArrayLike<A> | ([number] extends [A] ? Tensor : never);

/** Whether a value can be gone through as a list. */
export function isListLike(value: unknown): boolean {
  return Array.isArray(value) || value instanceof Tensor || ArrayBuffer.isView(value) || typeof value === 'string';
}

/** The items of a list argument. `form` shows how the function is called: `map(fn, array)`. */
export function itemsOf<A>(form: string, list: List<A>): ArrayLike<A> {
  if (Array.isArray(list)) return list;
  if (list instanceof Tensor) return list.data as unknown as ArrayLike<A>;
  if (isListLike(list)) return list as ArrayLike<A>;
  throw new WaymarkError(`${nameOf(form)} needs an array, as in ${form}; got ${describe(list)}.`);
}

/** The items as an array of their own or the array given, for functions that use array methods. */
export function arrayOf<A>(form: string, list: List<A>): readonly A[] {
  return Array.isArray(list) ? list : Array.from(itemsOf(form, list));
}

/** Checks the function of a call such as `map(fn, array)`; the usual slip is to give it after the list. */
export function checkFunction(form: string, fn: unknown, other?: unknown): void {
  if (typeof fn === 'function') return;
  if (typeof other === 'function') {
    throw new WaymarkError(`${nameOf(form)} takes the function first: ${form}.`);
  }
  throw new WaymarkError(`${nameOf(form)} needs a function, as in ${form}; got ${describe(fn)} in its place.`);
}

/** Checks a count such as the first argument of `repeat(n, fn)`. */
export function checkCount(form: string, n: unknown): void {
  if (Number.isInteger(n) && (n as number) >= 0) return;
  throw new WaymarkError(`${nameOf(form)} needs a whole number of at least 0 as n, as in ${form}; got ${describe(n)}.`);
}

/** Checks an object of fields, as `mapObject(fn, object)` takes. */
export function checkObject(form: string, value: unknown): void {
  if (typeof value === 'object' && value !== null && !isListLike(value)) return;
  throw new WaymarkError(`${nameOf(form)} needs an object, as in ${form}; got ${describe(value)}.`);
}

/** Checks that the second list of a pair is as long as the first. */
export function checkLengths(form: string, first: ArrayLike<unknown>, second: ArrayLike<unknown>): void {
  if (second.length >= first.length) return;
  throw new WaymarkError(
    `${nameOf(form)} needs a second array at least as long as the first; got lengths ${first.length} and ${second.length}.`,
  );
}

/** The number a value stands for: itself, or 0 and 1 for booleans. */
export function numberFor(caller: string, value: unknown, what = 'numbers'): number {
  if (typeof value === 'number') return value;
  if (typeof value === 'boolean') return value ? 1 : 0;
  throw new WaymarkError(`${caller} needs ${what}, got ${describe(value)}.`);
}

const nameOf = (form: string): string => form.slice(0, form.indexOf('('));
