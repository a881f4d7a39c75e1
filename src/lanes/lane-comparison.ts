/** Comparisons of values that differ between lanes and are no numbers. */
import { force } from '../runtime/force.ts';
import { constant, toNode } from '../tensor/leaves.ts';
import { Node } from '../tensor/node.ts';
import { add, mul } from '../tensor/ops.ts';
import { SCALAR } from '../tensor/shape.ts';
import { currentLanes, type Lanes } from './lanes.ts';
import { recording } from './recording.ts';
import { laneAt, laneValue, pick } from './value.ts';
import { agreedValue, itemOf, variedOf } from './varied.ts';

/** A comparison for each of the current lanes. */
export function compareInLanes(a: unknown, b: unknown, holds: (x: unknown, y: unknown) => boolean): unknown {
  return comparePicked(a, b, holds) ?? inEachLane((at) => holds(at(a), at(b)));
}

/** Answers for more pairs of values than this are not worked out in advance. */
const MOST_PAIRS = 4096;

/** Where choices pick one of the values, or both, every answer is known, and choices pick that too. */
function comparePicked(a: unknown, b: unknown, holds: (x: unknown, y: unknown) => boolean): unknown {
  const [one, other] = [placesFor(a), placesFor(b)];
  if (one === undefined || other === undefined) return undefined;
  const pairs = one.table.length * other.table.length;
  if (pairs > MOST_PAIRS) return undefined;
  const answers = one.table.flatMap((x) => other.table.map((y) => holds(x, y)));
  return pick(answers, add(mul(one.place, other.table.length), other.place) as Node);
}

/** The values that a value may be, and which it is; undefined where nobody knows without looking. */
function placesFor(value: unknown): { table: readonly unknown[]; place: Node } | undefined {
  const varied = variedOf(value);
  if (varied === undefined) return value instanceof Node ? undefined : { table: [value], place: toNode(0) };
  if (varied.by !== undefined) return { table: varied.table, place: varied.by };
  if (varied.again !== undefined || recording.current === null) return undefined;
  return { table: varied.table, place: constant(Float64Array.from(varied.index), SCALAR, varied.lanes.space) };
}

/** What is found in each lane; `at` gives the value of that lane, which if it is an object is that very object. */
function inEachLane(find: (at: (value: unknown) => unknown) => unknown): unknown {
  const lanes = currentLanes();
  if (lanes === null) return find((value) => (value instanceof Node ? force(value) : agreedValue(value)));
  const found = Array.from({ length: lanes.size }, (_, lane) => find((value) => itemAt(value, lane, lanes)));
  return laneValue(found, lanes);
}

function itemAt(value: unknown, lane: number, lanes: Lanes): unknown {
  const varied = variedOf(value);
  if (varied !== undefined) return itemOf(varied, lane, lanes);
  return value instanceof Node ? laneAt(value, lane, lanes) : value;
}
