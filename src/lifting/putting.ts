/** `object[index] = value` in lifted text, of a list that each lane, or the execution, has for its own. */
import { isPlaceIn } from '../lanes/list-places.ts';
import { recording } from '../lanes/recording.ts';
import { isNumeric, isTruth, Node, shapeOf } from '../tensor/node.ts';
import { eq, select } from '../tensor/ops.ts';
import { plain } from './looking.ts';

const isNumber = (value: unknown): boolean => isNumeric(value) && shapeOf(value).length === 0 && !isTruth(value);

/** Whether all numbers of a list can stay or change, without a look at which of them changes. */
function canChangeAny(list: unknown, index: Node, value: unknown): list is unknown[] {
  if (!Array.isArray(list) || !isPlaceIn(index, list.length)) return false;
  if (index.space === null && recording.current?.obstacle !== null) return false;
  return isNumber(value) && list.every(isNumber);
}

/** Gives the value. An index that differs says for each number of the list whether it is the value from now on. */
export function put(object: unknown, index: unknown, value: unknown): unknown {
  if (index instanceof Node && canChangeAny(object, index, value)) {
    object.forEach((before, place) => {
      object[place] = select(eq(index, place), value as Node, before as Node);
    });
  } else
    (object as Record<PropertyKey, unknown>)[index instanceof Node ? (plain(index) as number) : (index as string)] =
      value;
  return value;
}
