/** `object[index]` for executions side by side: a loop over the places of all. */
import { pickingOver } from '../../algebra/picking.ts';
import { element } from '../../algebra/plain-arithmetic.ts';
import { isVectorShape } from '../../tensor/broadcast.ts';
import { isWithin } from '../../tensor/rows.ts';
import { inUse } from './coded.ts';
import {
  Column,
  column,
  differs,
  fromLanes,
  fromTable,
  isDiffering,
  isNumeric,
  isTruth,
  lanesOf,
  ownObjects,
  truths,
} from './column.ts';
import { columnDomain, inEachLane } from './each-lane.ts';
import { Doubles } from './kernel-memory.ts';
import { isRoaming } from './roaming-objects.ts';
import { TensorColumn } from './tensor-column.ts';

export const get = pickingOver({
  ...columnDomain,
  isNumber: (value) => value instanceof Column,
  isTruth,
  isPlace: (index) => index instanceof Column && !index.isTruth,
  gathers: () => true,
  gather: (list, index) => elements(list, (index as Column).data),
  tensors: {
    has: (object) => object instanceof TensorColumn,
    entry(given, index) {
      const tensor = given as TensorColumn;
      const isPlace = typeof index === 'number' && isWithin(index, tensor.dims);
      return isPlace && isVectorShape(tensor.dims) ? tensor.entry(index) : inEachLane(element, [tensor, index]);
    },
  },
  ofEach: (object, index) => ({ value: inEachLane(element, [object, index], undefined, isRoaming(object)) }),
});

/** The elements of one array at the places of each execution. */
function elements(items: readonly unknown[], places: Float64Array): unknown {
  // Which of each execution's own objects is picked is remembered: each may change it.
  const areOwn = items.length > 0 && items.every(isRoaming);
  const differing = !areOwn && items.some((item) => typeof item === 'object' && differs(item));
  if (!differing && items.length > 0) {
    const codes = new Int32Array(places.length);
    let i = 0;
    for (; i < places.length; i++) {
      const place = places[i];
      if (!(place >= 0 && place < items.length) || (place | 0) !== place) break;
      codes[i] = place;
    }
    // (What is picked is what a list that the program changes holds now.)
    if (i === places.length) return ofItems(ownObjects.has(items) ? [...items] : items, codes);
  }
  const numbers = numbersOf(items, places);
  if (numbers !== undefined) return numbers;
  const values = new Array<unknown>(places.length);
  const each = items.map((item) => (isDiffering(item) || differs(item) ? lanesOf(item) : undefined));
  for (let i = 0; i < places.length; i++) {
    const lanes = each[places[i]];
    values[i] = lanes === undefined ? items[places[i]] : lanes[i];
  }
  return fromLanes(values);
}

/** Of numbers, or truth values, each one's at its place; undefined if they are not, or some have another place. */
function numbersOf(items: readonly unknown[], places: Float64Array): Column | number | boolean | undefined {
  if (items.length === 0 || !items.every(isNumeric)) return undefined;
  const asTruth = isTruth(items[0] as number);
  if (items.some((item) => isTruth(item as number) !== asTruth)) return undefined;
  const given = items.map((item) => (item instanceof Column ? item.data : Number(item)));
  const data = new Float64Array(places.length);
  for (let i = 0; i < data.length; i++) {
    const numbers = given[places[i]];
    if (numbers === undefined) return undefined;
    data[i] = typeof numbers === 'number' ? numbers : numbers[i];
  }
  return asTruth ? truths(Doubles.of(data)) : column(Doubles.of(data));
}

/** Items in which nothing differs, at places that there are. */
function ofItems(items: readonly unknown[], codes: Int32Array): unknown {
  if (!items.every((item) => typeof item === 'number')) {
    const { table, codes: places } = inUse(items, codes);
    return fromTable(table, places);
  }
  const data = new Float64Array(codes.length);
  for (let i = 0; i < codes.length; i++) data[i] = items[codes[i]] as number;
  return column(Doubles.of(data));
}
