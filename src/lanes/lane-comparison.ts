/** Comparisons of values that differ between lanes and are no numbers. */
import { Node } from '../tensor/node.ts';
import { currentLanes, type Lanes } from './lanes.ts';
import { itemOf, laneAt, laneValue, variedOf } from './value.ts';

/** A comparison for each of the current lanes. */
export function compareInLanes(a: unknown, b: unknown, holds: (x: unknown, y: unknown) => boolean): unknown {
  return inEachLane((at) => holds(at(a), at(b)));
}

/** What is found in each lane; `at` gives the value of that lane, which if it is an object is that very object. */
export function inEachLane(find: (at: (value: unknown) => unknown, lane: number) => unknown): unknown {
  const lanes = currentLanes()!;
  const found = Array.from({ length: lanes.size }, (_, lane) => find((value) => itemAt(value, lane, lanes), lane));
  return laneValue(found, lanes);
}

function itemAt(value: unknown, lane: number, lanes: Lanes): unknown {
  const varied = variedOf(value);
  if (varied !== undefined) return itemOf(varied, lane, lanes);
  return value instanceof Node ? laneAt(value, lane, lanes) : value;
}
