/** `object[index]` where the index differs between lanes: gathered, not branched upon. */
import { keepOriginToFind } from '../algebra/identity.ts';
import { force } from '../runtime/force.ts';
import type { Distribution } from '../runtime/handler.ts';
import { machine } from '../runtime/machine.ts';
import { isDistribution } from '../runtime/primitives.ts';
import { isRecord } from '../runtime/values.ts';
import { Node, type Value } from '../tensor/node.ts';
import { and, eq, floor, gather, ge, lt, select, stack } from '../tensor/ops.ts';
import { Tensor } from '../tensor/tensor.ts';
import { currentLanes, laneNumbers } from './lanes.ts';
import { isPlaceIn } from './list-places.ts';
import { mergedFamily } from './merged-distribution.ts';
import { isRoaming } from './own-objects.ts';
import { recording } from './recording.ts';
import { laneValue, makeVaried, pick, sourceAt } from './value.ts';
import { variedOf } from './varied.ts';

const isNumeric = (value: unknown): value is Value =>
  typeof value === 'number' || value instanceof Node || value instanceof Tensor;

/** For numbers that were gathered, by which index and from how many. */
const gathered = new WeakMap<Node, { readonly index: Node; readonly length: number }>();

/** True in those lanes whose index names an item. */
function within(index: Node, length: number): Node {
  return and(and(ge(index, 0), lt(index, length)), eq(floor(index), index)) as Node;
}

/** For a number that was gathered from a list: whether each lane had an item. Undefined of other values. */
export function presence(value: Node): Node | undefined {
  const from = gathered.get(value);
  return from && within(from.index, from.length);
}

const isRecorded = (): boolean => recording.current?.obstacle === null;

/**
 * For each lane the item that its index names. Lanes whose index lies outside the list have no item, and part from the others. That
 * is rare, so that it is only looked for (`machine.careful`) once a step has failed because of it.
 */
export function gatherItems(items: readonly unknown[], index: Node): unknown {
  if (isPlaceIn(index, items.length)) return itemsAt(items, index);
  // Gathering field by field gives an object, even where there is no item.
  const fails = items.every(isNumeric) || !(isRecorded() || areRecordsOfNodes(items));
  if (!machine.careful && fails && currentLanes() !== null) return itemsAt(items, index);
  const isWithin = within(index, items.length);
  // (In a later step, the item is gathered before the guard finds that lanes have none.)
  return force(isWithin) ? itemsAt(items, select(isWithin, index, 0) as Node) : undefined;
}

function itemsAt(items: readonly unknown[], index: Node): unknown {
  const distribution = distributionAt(items, index);
  if (distribution !== undefined) return distribution;
  // In a recorded step the index is not looked at. (Nodes beside other values have no place in a table of what lanes have, and
  // what is picked from objects that may change is to see that.)
  if (!items.every(isNumeric) && (isRecorded() || items.some((item) => item instanceof Node || isRoaming(item))))
    return pick(items, index);
  if (items.length > 0 && items.every(isNumeric)) {
    const found = gather(stack(items as Node[]) as Node, index);
    gathered.set(found, { index, length: items.length });
    return found;
  }
  if (areRecordsOfNodes(items)) return recordAt(items, index);
  const lanes = currentLanes();
  if (lanes === null) return items[force(index) as number];
  return laneValue(
    Array.from(laneNumbers(index, lanes), (i) => items[i]),
    lanes,
  );
}

/** True of objects with the same fields, something in which is in the graph. */
function areRecordsOfNodes(items: readonly unknown[]): items is readonly Record<string, unknown>[] {
  const [first] = items;
  if (!isRecord(first)) return false;
  const keys = Object.keys(first).join();
  return (
    items.every((item) => isRecord(item) && Object.keys(item).join() === keys) &&
    items.some((item) => Object.values(item as object).some((field) => field instanceof Node))
  );
}

/** An object for all lanes, field by field, so that what is in the fields stays in the graph. */
function recordAt(items: readonly Record<string, unknown>[], index: Node): object {
  const columnOf = (key: string): unknown[] => items.map((item) => item[key]);
  const fields = Object.keys(items[0]).map((key) => [key, itemsAt(columnOf(key), index)]);
  return pickedFrom(items, index, Object.fromEntries(fields) as object);
}

/** Of distributions of one family, the one with each lane's own parameters; undefined of all other items. */
function distributionAt(items: readonly unknown[], index: Node): object | undefined {
  if (items.length < 2 || !items.every((item) => isDistribution(item) && variedOf(item) === undefined))
    return undefined;
  const made = mergedFamily(items as readonly Distribution<unknown>[], (params) => pick(params, index));
  return made && pickedFrom(items as readonly object[], index, made);
}

/** Notes that an object made for all lanes is, for each, the item that it picks. */
function pickedFrom(items: readonly object[], index: Node, made: object): object {
  const lanes = currentLanes();
  return keepOriginToFind(made, () => {
    if (lanes === null) return items[force(index) as number];
    const own = Array.from(laneNumbers(index, lanes), (i, lane) => sourceAt(items[i], lane, lanes));
    return own.every((item) => item === own[0]) ? own[0] : makeVaried(own, lanes);
  });
}
