/** Comparisons of values that differ between lanes and are not numbers. */
import { isLooselyEqual } from '../algebra/identity.ts';
import { constant, toNode } from '../tensor/leaves.ts';
import { Node } from '../tensor/node.ts';
import { add, mul } from '../tensor/ops.ts';
import { SCALAR } from '../tensor/shape.ts';
import { currentLanes } from './lanes.ts';
import { recording } from './recording.ts';
import { laneValue, pick, standsForOthers } from './value.ts';
import { itemOf, variedOf } from './varied.ts';

/** Answers for more pairs of values than this are not computed in advance. */
const MOST_PAIRS = 4096;

/**
 * Where choices pick one of the values, or both, the answers for all pairs are a table that choices pick from; undefined
 * elsewhere.
 */
export function comparePicked(holds: (x: unknown, y: unknown) => boolean, a: unknown, b: unknown): unknown {
  const [one, other] = [placesFor(a), placesFor(b)];
  if (one === undefined || other === undefined) return undefined;
  const pairs = one.table.length * other.table.length;
  if (pairs > MOST_PAIRS) return undefined;
  const answers = one.table.flatMap((x) => other.table.map((y) => holds(x, y)));
  return pick(answers, add(mul(one.place, other.table.length), other.place) as Node);
}

const isPrimitive = (value: unknown): boolean => typeof value !== 'object' && typeof value !== 'function';

/**
 * Where objects differ between lanes that have something in them which does, the answer for each lane, from its very object: what is in
 * it may belong to the lanes of one side of a conditional. Undefined where what is in objects has to be looked at.
 */
export function compareObjects(holds: (x: unknown, y: unknown) => boolean, a: unknown, b: unknown): unknown {
  const lanes = currentLanes();
  const operands = [a, b].map((value) => ({ value, varied: variedOf(value) }));
  if (lanes === null || operands.some(({ value, varied }) => value instanceof Node || varied?.by !== undefined))
    return undefined;
  const tables = operands.map(({ value, varied }) => varied?.table ?? [value]);
  if (!tables.some((table) => table.some(standsForOthers))) return undefined;
  if (holds === isLooselyEqual && tables.some((table) => table.some((one) => one !== undefined && isPrimitive(one))))
    return undefined;
  const answers = Array.from({ length: lanes.size }, (_, lane) => {
    const [x, y] = operands.map(({ value, varied }) => (varied === undefined ? value : itemOf(varied, lane, lanes)));
    return holds(x, y);
  });
  return laneValue(answers, lanes);
}

/** The values that a value may be, and which it is; undefined where that is not known without looking. */
function placesFor(value: unknown): { table: readonly unknown[]; place: Node } | undefined {
  const varied = variedOf(value);
  if (varied === undefined) return value instanceof Node ? undefined : { table: [value], place: toNode(0) };
  if (varied.by !== undefined) return { table: varied.table, place: varied.by };
  if (varied.again !== undefined || recording.current === null) return undefined;
  return { table: varied.table, place: constant(Float64Array.from(varied.index), SCALAR, varied.lanes.space) };
}
