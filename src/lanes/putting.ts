/**
 * `arms[k].wins++` where choices name the object, or it is another one for each lane: all that it may be have for this field a number that
 * depends on which of them it is. Nothing is looked at.
 */
import { machine } from '../runtime/machine.ts';
import { isRecord } from '../runtime/values.ts';
import { constant } from '../tensor/leaves.ts';
import { eq, select } from '../tensor/ops.ts';
import { SCALAR } from '../tensor/shape.ts';
import { alikeNodes } from './lane-numbers.ts';
import { mayChangeRoaming } from './own-objects.ts';
import { recording } from './recording.ts';
import type { Varied } from './varied.ts';

/** Whether an assignment to a field of the object may be made for all that it may be. An execution that is not recorded looks at which it is. */
export const mayPut = ({ table, again }: Varied): boolean =>
  again === undefined &&
  (machine.lanes !== null || recording.current?.obstacle === null) &&
  table.every((one) => isRecord(one) && mayChangeRoaming(one));

/** Assigns to the field of each lane's own object; false if that cannot be done without looking. */
export function putInPicked(varied: Varied, key: PropertyKey, value: unknown): boolean {
  if (!mayPut(varied)) return false;
  const objects = varied.table as readonly Record<PropertyKey, unknown>[];
  if (!objects.every((object) => Object.hasOwn(object, key))) return false;
  const fields = alikeNodes([value, ...objects.map((object) => object[key])]);
  if (fields === undefined) return false;
  const [now, ...before] = fields;
  const place = varied.by ?? constant(Float64Array.from(varied.index), SCALAR, varied.lanes.space);
  objects.forEach((object, i) => {
    object[key] = select(eq(place, i), now, before[i]);
  });
  return true;
}
