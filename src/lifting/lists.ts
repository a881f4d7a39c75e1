/** Library functions that take lists apart: of lists that differ between lanes, each distinct one is, once. */
import { derived, differs } from '../lanes/value.ts';
import { variedOf } from '../lanes/varied.ts';
import * as plain from '../library/index.ts';

type Any = (...args: never[]) => unknown;

/** The function, called for each distinct value of an argument that differs between lanes. */
export function ofEach(fn: Any) {
  return (...args: unknown[]): unknown => {
    const place = args.findIndex((argument) => variedOf(argument) !== undefined);
    // What another argument holds may differ too; then the list is looked at as it is, item by item.
    if (place < 0 || args.some((argument, i) => i !== place && differs(argument))) return fn(...(args as never[]));
    return derived(variedOf(args[place])!, (list) => fn(...(args.with(place, list) as never[])));
  };
}

export const append = ofEach(plain.append);
export const cons = ofEach(plain.cons);
export const snoc = ofEach(plain.snoc);
export const rest = ofEach(plain.rest);
export const most = ofEach(plain.most);
export const everyOther = ofEach(plain.everyOther);
export const zip = ofEach(plain.zip);
export const flatten = ofEach(plain.flatten);
