/**
 * Library functions that decide something by a number they are given, or by what a function answers: under gradients
 * that may be a node, whose value is then looked at.
 */
import { derived } from '../lanes/value.ts';
import { variedOf } from '../lanes/varied.ts';
import * as plain from '../library/index.ts';
import { nowhere } from '../runtime/address.ts';
import { machine } from '../runtime/machine.ts';
import { calls } from './calls.ts';
import { operators } from './operators.ts';

type Any = (...args: never[]) => unknown;

function lookedAt(given: unknown): unknown {
  return typeof given === 'function' ? calls.answering(given) : operators.plain(given);
}

/** The library's function with some of its arguments looked at, and the answers of those that are functions. */
function looking(fn: Any, places: readonly number[]) {
  return (...args: unknown[]): unknown => {
    for (const place of places) {
      if (place < args.length) {
        args[place] = lookedAt(args[place]);
      }
    }
    return fn(...(args as never[]));
  };
}

const filterItems = looking(plain.filter, [0]);

/** Of lists that differ between lanes, each distinct one is filtered, once, if the predicate makes no choices. */
export function filter(predicate: unknown, list: unknown): unknown {
  const varied = machine.address === nowhere ? variedOf(list) : undefined;
  return varied === undefined
    ? filterItems(predicate, list)
    : derived(varied, (items) => filterItems(predicate, items));
}

export const find = looking(plain.find, [0]);
export const all = looking(plain.all, [0]);
export const any = looking(plain.any, [0]);
export const partition = looking(plain.partition, [0]);
export const span = looking(plain.span, [0]);
export const groupBy = looking(plain.groupBy, [0]);
export const countBy = looking(plain.countBy, [0]);
export const mapN = looking(plain.mapN as Any, [1]);
export const repeat = looking(plain.repeat as Any, [0]);
