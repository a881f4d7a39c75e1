/**
 * `object[index]` while an execution is recorded. From a short list of numbers the item is selected in the recording, for
 * any index; of other items it makes a table.
 */
import { pickingOver } from '../../algebra/picking.ts';
import { fieldOf } from '../../runtime/throwing.ts';
import {
  fromNode,
  isNumeric,
  isTruth,
  laterOf,
  type Numeric,
  nodeOf,
  Recorded,
  recordedDomain,
  tableOf,
  tape,
} from './recorded.ts';
import { itemAt, MOST_PLACES } from './tables.ts';

/** Whether all are numbers, or all truth values. */
const areOfOneKind = (list: readonly unknown[]): list is readonly Numeric[] =>
  list.every((item) => isNumeric(item) && isTruth(item) === isTruth(list[0] as Numeric));

export const get: (object: unknown, index: unknown) => unknown = pickingOver({
  ...recordedDomain,
  isNumber: (value) => value instanceof Recorded,
  isTruth: (value) => isTruth(value as Numeric),
  isPlace: (index) => index instanceof Recorded && !index.isTruth,
  ofEach(object, index) {
    const [lists, keys] = [tableOf(object), tableOf(index)];
    if (keys !== undefined) return { value: keys.derive((key) => get(object, key)) };
    if (laterOf(object) !== undefined) return { value: recordedDomain.each(fieldOf, [object, index]) };
    if (!(index instanceof Recorded) || index.isTruth) return undefined;
    if (lists !== undefined) return { value: lists.derive((list) => get(list, index)) };
    return Array.isArray(object) ? itemAt(object, index.node) : undefined;
  },
  gathers: (list) => list.length <= MOST_PLACES && areOfOneKind(list),
  gather(list, index) {
    const items = list as readonly Numeric[];
    const recorder = tape();
    const places = items.map((_, i) => recorder.operate('eq', (index as Recorded).node, recorder.constant(i)));
    let found = recorder.constant(0);
    let inside = recorder.constant(0);
    for (let i = items.length - 1; i >= 0; i--) {
      found = recorder.operate('select', places[i], nodeOf(items[i]), found);
      inside = recorder.operate('max', places[i], inside);
    }
    recorder.check(inside);
    return fromNode(found, items.length > 0 && isTruth(items[0]));
  },
});
