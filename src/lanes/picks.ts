/** Several values that choices pick from lists, as places in one list. */
import { constant } from '../tensor/leaves.ts';
import { isNumeric, type Node, type Value } from '../tensor/node.ts';
import { gather } from '../tensor/ops.ts';
import { standsForOthers } from './value.ts';
import { variedOf } from './varied.ts';

interface Picks {
  readonly items: readonly unknown[];
  readonly places: readonly Value[];
}

/** Undefined if no value is picked by choices, or one of them is a number, is missing, or holds a node. */
export function picksOf(values: readonly unknown[]): Picks | undefined {
  if (!values.some((value) => variedOf(value)?.by !== undefined)) return undefined;
  const items: unknown[] = [];
  const placeOf = (item: unknown): number => {
    const place = items.indexOf(item);
    return place < 0 ? items.push(item) - 1 : place;
  };
  const places: Value[] = [];
  for (const value of values) {
    const varied = variedOf(value);
    if (varied !== undefined && varied.by === undefined) return undefined;
    const own = varied?.table ?? [value];
    if (own.some((item) => item === undefined || item === null || isNumeric(item) || standsForOthers(item)))
      return undefined;
    const found = own.map(placeOf);
    places.push(varied === undefined ? found[0] : placeBy(found, varied.by as Node));
  }
  return { items, places };
}

function placeBy(found: readonly number[], by: Node): Node {
  if (found.every((place, i) => place === i)) return by;
  return gather(constant(Float64Array.from(found), [found.length]), by) as Node;
}
