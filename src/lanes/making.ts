/**
 * Which objects came to be in lanes. An object literal in an iteration stands for as many objects as there are iterations;
 * any other object is the same for all.
 */

import { somePart } from '../algebra/parts.ts';
import { isRecord } from '../runtime/values.ts';
import type { LaneSpace } from '../tensor/lane-space.ts';
import { Node } from '../tensor/node.ts';
import { currentLanes } from './lanes.ts';
import { variedOf } from './varied.ts';

const makers = new WeakMap<object, LaneSpace>();

/** Notes an object that a literal has made. */
export function made<T extends object>(written: T): T {
  const lanes = currentLanes();
  if (lanes !== null) makers.set(written, lanes.space);
  return written;
}

/** The same with all objects in it: a literal of nothing but literals. */
export function allMade<T extends object>(written: T): T {
  if (currentLanes() === null) return written;
  const visit = (part: unknown): void => {
    if (typeof part !== 'object' || part === null) return;
    made(part);
    Object.values(part).forEach(visit);
  };
  visit(written);
  return written;
}

/** Whether something in the value differs between these lanes, or came to be on a side of a conditional that some took. */
function holdsOf(value: unknown, space: LaneSpace): boolean {
  if (value instanceof Node) return value.space?.descendsFrom(space) ?? false;
  const varied = variedOf(value);
  if (varied !== undefined) {
    const own = varied.by === undefined ? varied.lanes.space : varied.by.space;
    return own?.descendsFrom(space) === true || varied.table.some((item) => holdsOf(item, space));
  }
  return typeof value === 'object' && value !== null && somePart(value, (part) => holdsOf(part, space));
}

/** True of an object that was there before these lanes: it is one for all of them. */
export function isOneForAll(value: unknown, space: LaneSpace): boolean {
  return isRecord(value) && makers.get(value)?.descendsFrom(space) !== true && !holdsOf(value, space);
}
