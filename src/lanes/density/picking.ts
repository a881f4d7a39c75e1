/**
 * `object[index]` while an execution is recorded. From a short list of numbers the item is selected in the recording, for
 * any index.
 */
import { pickingOver } from '../../algebra/picking.ts';
import { fromNode, isNumeric, isTruth, type Numeric, nodeOf, Recorded, recordedDomain, tape } from './recorded.ts';

/** In a longer list the index is looked at, so that the recording holds for that index only. */
const MOST_PLACES = 16;

/** Whether all are numbers, or all truth values. */
const areOfOneKind = (list: readonly unknown[]): list is readonly Numeric[] =>
  list.every((item) => isNumeric(item) && isTruth(item) === isTruth(list[0] as Numeric));

export const get = pickingOver({
  ...recordedDomain,
  isNumber: (value) => value instanceof Recorded,
  isTruth: (value) => isTruth(value as Numeric),
  isPlace: (index) => index instanceof Recorded && !index.isTruth,
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
