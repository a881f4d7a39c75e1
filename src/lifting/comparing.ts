/** Library functions that compare, count or measure values. Each takes the plain value of a node. */

import * as plain from '../library/index.ts';
import { settled } from '../runtime/force.ts';
import { valueKey } from '../runtime/values.ts';
import { Node, type Value } from '../tensor/node.ts';
import * as ops from '../tensor/ops.ts';
import { calls } from './calls.ts';
import { ofEach } from './each.ts';
import { plain as looked } from './looking.ts';
import { operators } from './operators.ts';

type Fn = (...args: unknown[]) => unknown;

/** A function of a count or a size. */
const counting =
  (fn: unknown): Fn =>
  (...args) =>
    (fn as Fn)(...args.map(settled));

export const zeros = counting(plain.zeros);
export const ones = counting(plain.ones);
export const idMatrix = counting(plain.idMatrix);
export const countsToIndices = ofEach(counting(plain.countsToIndices) as never);
export const show = calls.pure(plain.show as Fn);

/** The bounds are taken as plain numbers; the items are numbers of the graph. */
export function range(...args: unknown[]): unknown {
  const numbers = (plain.range as Fn)(...args.map(looked)) as number[];
  const [from, step] = args.length > 1 ? [args[0], args[2] ?? 1] : [0, 1];
  if (!(from instanceof Node) && !(step instanceof Node)) return numbers;
  return numbers.map((_, i) => ops.add(from as Value, ops.mul(i, step as Value)));
}

/**
 * The items of a list that differ from the given one. They are compared by their plain values, and passed on as they
 * are.
 */
function withoutItem(item: unknown, list: unknown): unknown {
  if (!Array.isArray(list)) return (plain.remove as Fn)(settled(item), settled(list));
  const other = settled(item);
  return Array.from(list).filter((one) => ((plain.remove as Fn)(other, [settled(one)]) as unknown[]).length > 0);
}

function distinct(list: unknown): unknown {
  if (!Array.isArray(list)) return (plain.unique as Fn)(settled(list));
  const seen = new Set<unknown>();
  return Array.from(list).filter((item) => {
    const { size } = seen;
    return seen.add(valueKey(settled(item))).size > size;
  });
}

export const remove = ofEach(withoutItem as never);
export const unique = ofEach(distinct as never);

export const isEven = (n: unknown): unknown => operators.eq(operators.mod(n, 2), 0);
export const isOdd = (n: unknown): unknown => operators.ne(operators.mod(n, 2), 0);
