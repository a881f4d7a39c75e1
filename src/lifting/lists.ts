/** Library functions that take lists apart. Of lists that differ between lanes, each distinct one is taken apart once. */
import { derived } from '../lanes/value.ts';
import { variedOf } from '../lanes/varied.ts';
import * as plain from '../library/index.ts';
import { nowhere } from '../runtime/address.ts';
import { machine } from '../runtime/machine.ts';
import { calls } from './calls.ts';
import { ofEach } from './each.ts';

export const flatten = ofEach(plain.flatten);

const filterItems = (predicate: unknown, list: unknown): unknown =>
  (plain.filter as (...args: unknown[]) => unknown)(calls.answering(predicate), list);

/** Of lists that differ between lanes, each distinct one is filtered, once, if the predicate makes no choices. */
export function filter(predicate: unknown, list: unknown): unknown {
  const varied = machine.address === nowhere ? variedOf(list) : undefined;
  return varied === undefined
    ? filterItems(predicate, list)
    : derived(varied, (items) => filterItems(predicate, items));
}
