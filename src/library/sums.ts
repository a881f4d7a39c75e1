/** Sums, products and averages of lists of numbers. */
import { describe } from '../runtime/describe.ts';
import { WaymarkError } from '../runtime/errors.ts';
import { Tensor } from '../tensor/tensor.ts';
import { itemsOf, type List, numberFor } from './arguments.ts';

/** Numbers, or booleans counted as 0 and 1. */
type Numbers = List<number> | readonly boolean[];

function numbersOf(form: string, list: Numbers): ArrayLike<number> {
  return itemsOf(form, list as List<number>);
}

/** Long lists are added up by a function so small that V8 does not optimise it for one of them, unless it is very long. */
const LONG = 1024;
const VERY_LONG = 12288;
const add = (a: number, b: number): number => a + b;

function totalOf(caller: string, items: ArrayLike<number>): number {
  const { length } = items;
  if (length >= LONG && length < VERY_LONG && Array.isArray(items) && areAdded(items)) {
    const total = items.reduce(add, 0);
    // Whatever is neither a number nor a boolean makes a text or NaN of it.
    if (typeof total === 'number' && !Number.isNaN(total)) return total;
  }
  let total = 0;
  let i = 0;
  // Most lists are of numbers only, for which V8 makes better code.
  for (; i < length; i++) {
    const item = items[i];
    if (typeof item !== 'number') break;
    total += item;
  }
  for (; i < length; i++) total += numberFor(caller, items[i]);
  return total;
}

/** Whether all items are numbers: JavaScript would count null as 0, and skip items that were never assigned. */
const areAdded = (items: readonly unknown[]): boolean =>
  typeof items[0] === 'number' && !items.includes(undefined) && !items.includes(null);

/** The sum of numbers; booleans count as 0 and 1. */
export function sum(list: Numbers): number {
  return totalOf('sum', numbersOf('sum(array)', list));
}

/** The product of numbers; booleans count as 0 and 1. */
export function product(list: Numbers): number {
  const items = numbersOf('product(array)', list);
  let total = 1;
  for (let i = 0; i < items.length; i++) {
    const item = items[i];
    total *= typeof item === 'number' ? item : numberFor('product', item);
  }
  return total;
}

/** log Σ exp(x), without leaving the range of numbers on the way; −∞ for an empty list. */
export function logsumexp(list: List<number>): number {
  const items = itemsOf('logsumexp(array)', list);
  let largest = -Infinity;
  for (let i = 0; i < items.length; i++) {
    const item = numberFor('logsumexp', items[i]);
    if (Number.isNaN(item)) throw new WaymarkError(`logsumexp needs numbers, got NaN at index ${i}.`);
    if (item > largest) largest = item;
  }
  if (!Number.isFinite(largest)) return largest;
  let total = 0;
  for (let i = 0; i < items.length; i++) total += Math.exp(items[i] - largest);
  return largest + Math.log(total);
}

/** Divided by its sum: an array gives an array, a tensor a tensor. */
export function normalize(list: Tensor): Tensor;
export function normalize(list: ArrayLike<number>): number[];
export function normalize(list: Tensor | ArrayLike<number>): Tensor | number[] {
  const items = itemsOf<number>('normalize(array)', list as List<number>);
  // As in WebPPL: an empty list stays one.
  if (items.length === 0 && Array.isArray(list)) return [];
  const total = sum(list as List<number>);
  if (total === 0 || !Number.isFinite(total)) {
    throw new WaymarkError(`normalize needs numbers with a finite sum other than 0; ${describe(list)} has ${total}.`);
  }
  if (list instanceof Tensor)
    return new Tensor(
      list.dims,
      list.data.map((x) => x / total),
    );
  return Array.from(items, (x) => x / total);
}

function mean(form: string, items: ArrayLike<number>): number {
  const name = form.slice(0, form.indexOf('('));
  if (items.length === 0) {
    throw new WaymarkError(`${name} of an empty list is not defined; give it at least one number.`);
  }
  return totalOf(name, items) / items.length;
}

/** The average of the numbers. */
export function listMean(list: Numbers): number {
  return mean('listMean(array)', numbersOf('listMean(array)', list));
}

/** The average squared distance from the mean (given, if it is known): the population variance. */
export function listVar(list: Numbers, knownMean?: number): number {
  const items = numbersOf('listVar(array, mean)', list);
  const centre = knownMean ?? mean('listVar(array, mean)', items);
  let total = 0;
  for (let i = 0; i < items.length; i++) total += (numberFor('listVar', items[i]) - centre) ** 2;
  if (items.length === 0) mean('listVar(array, mean)', items);
  return total / items.length;
}

/** The square root of `listVar`. */
export function listStdev(list: Numbers, knownMean?: number): number {
  return Math.sqrt(listVar(list, knownMean));
}
