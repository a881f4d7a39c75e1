/** Lists divided by a function of their items. */
import { machine } from '../runtime/machine.ts';
import { valueKey } from '../runtime/values.ts';
import { arrayOf, checkFunction, itemsOf, type List } from './arguments.ts';

const GROUP_BY = 'groupBy(same, array)';
const PARTITION = 'partition(predicate, array)';
const COUNT_BY = 'countBy(fn, array)';

/** Groups of items that `same(first of the group, item)` holds for, in the order in which groups come first. */
export function groupBy<A>(same: (a: A, b: A) => boolean, list: List<A>): A[][] {
  if (typeof same !== 'function') checkFunction(GROUP_BY, same, list);
  const own = machine.address;
  const groups: A[][] = [];
  let comparison = 0;
  let remaining = arrayOf(GROUP_BY, list);
  while (remaining.length > 0) {
    const group: A[] = [remaining[0]];
    const others: A[] = [];
    for (let i = 1; i < remaining.length; i++) {
      machine.address = own.index(comparison++);
      (same(group[0], remaining[i]) ? group : others).push(remaining[i]);
    }
    groups.push(group);
    remaining = others;
  }
  machine.address = own;
  return groups;
}

export function divided<A>(form: string, predicate: (item: A) => boolean, list: List<A>): [A[], A[]] {
  if (typeof predicate !== 'function') checkFunction(form, predicate, list);
  const items = itemsOf(form, list);
  const own = machine.address;
  const yes: A[] = [];
  const no: A[] = [];
  for (let i = 0; i < items.length; i++) {
    machine.address = own.index(i);
    (predicate(items[i]) ? yes : no).push(items[i]);
  }
  machine.address = own;
  return [yes, no];
}

/** The items for which the predicate holds, and the others. */
export function partition<A>(predicate: (item: A) => boolean, list: List<A>): [A[], A[]] {
  return divided(PARTITION, predicate, list);
}

/** How many items there are of each value of the function; keys are the values as text. */
export function countBy<A>(fn: (item: A) => unknown, list: List<A>): Record<string, number> {
  if (typeof fn !== 'function') checkFunction(COUNT_BY, fn, list);
  const items = itemsOf(COUNT_BY, list);
  const own = machine.address;
  const counts = new Map<string, number>();
  for (let i = 0; i < items.length; i++) {
    machine.address = own.index(i);
    const value = fn(items[i]);
    const key = typeof value === 'object' && value !== null ? keyText(value) : String(value);
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  machine.address = own;
  return Object.fromEntries(counts);
}

/** JSON with sorted fields: the structural key without the mark in front of it. */
const keyText = (value: object): string => String(valueKey(value)).slice(1);
