/**
 * Library functions that sort lists, or find the best of a list, by numbers that may be nodes: comparisons use plain
 * values.
 */
import { differs, holdsNode } from '../lanes/value.ts';
import { agreedValue } from '../lanes/varied.ts';
import * as plain from '../library/index.ts';
import * as webppl from '../library/webppl/index.ts';
import { settled } from '../runtime/force.ts';
import { machine } from '../runtime/machine.ts';
import { calls } from './calls.ts';
import { truth } from './conditions.ts';
import { operators } from './operators.ts';

type Fn = (...args: unknown[]) => unknown;

export const lt = operators.lt;
export const gt = operators.gt;

const isLifted = (value: unknown): boolean => holdsNode(value) || differs(value);

/** The function, with plain values for the answers of the predicate at this place. */
const inOrder =
  (fn: unknown, place: number): Fn =>
  (...args) => {
    const predicate = args[place] ?? lt;
    const usual = predicate === lt ? plain.lt : predicate === gt ? plain.gt : undefined;
    const isPlain = !args.some((argument, i) => i !== place && (typeof argument === 'function' || isLifted(argument)));
    const all = Array.from({ length: Math.max(args.length, place + 1) }, (_, i) => args[i]);
    // Sorting is faster with a predicate that it knows.
    all[place] = usual !== undefined && isPlain ? usual : calls.answering(predicate);
    return (fn as Fn)(...all);
  };

export const sort = inOrder(plain.sort, 1);
export const sortOn = inOrder(plain.sortOn, 2);
export const _sort = inOrder(webppl._sort, 1);
export const _merge = inOrder(webppl._merge, 2);

/** The place of the best of some values, the first of them on a tie; −1 if there is none. */
function bestPlace(values: readonly unknown[], better: Fn): number {
  let best = values.length === 0 ? -1 : 0;
  for (let i = 1; i < values.length; i++) if (truth(better(values[i], values[best]))) best = i;
  return best;
}

/** The results of the function for the items, at addresses of their own. */
function valuesOf(fn: Fn, items: readonly unknown[]): unknown[] {
  const own = machine.address;
  const values = items.map((item, i) => {
    machine.address = own.index(i);
    return fn(item);
  });
  machine.address = own;
  return values;
}

const extreme =
  (native: unknown, better: Fn): Fn =>
  (fn, list) => {
    const items = agreedValue(list);
    if (typeof fn !== 'function' || !Array.isArray(items) || items.length === 0) return (native as Fn)(fn, items);
    const values = valuesOf(fn as Fn, Array.from(items));
    const place = bestPlace(values, better);
    return [items[place], values[place]];
  };

export const minWith = extreme(plain.minWith, operators.lt as Fn);
export const maxWith = extreme(plain.maxWith, operators.gt as Fn);

export function argMax(first: unknown, second?: unknown): unknown {
  const list = agreedValue(typeof first === 'function' ? second : first);
  if (!Array.isArray(list)) return (plain.argMax as Fn)(typeof first === 'function' ? first : settled(list), second);
  const values = typeof first === 'function' ? valuesOf(first as Fn, Array.from(list)) : Array.from(list);
  return bestPlace(values, operators.gt as Fn);
}
