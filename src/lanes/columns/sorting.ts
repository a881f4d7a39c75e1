/** Sorting of lists of numbers that differ: each execution has an order of its own. */
import type { Fn } from '../../algebra/domain.ts';
import { hasHoles } from '../../algebra/parts.ts';
import type { Handler } from '../../runtime/handler.ts';
import { during, machine } from '../../runtime/machine.ts';
import { OneByOne } from '../../runtime/signals.ts';
import { Column, column, fromLanes, isNumeric, isTruth } from './column.ts';
import { currentGroup } from './group.ts';
import { Doubles } from './kernel-memory.ts';
import { meter } from './meter.ts';

function refuse(): never {
  throw new OneByOne('host', 'the function that sort compares by makes choices');
}

/** In force while the program compares values of one execution. */
const comparing: Handler = { name: 'an order', sample: refuse, factor: refuse };

/** Whether a list is one of numbers, of which some differ. */
const isSortable = (list: unknown): list is (number | Column)[] =>
  Array.isArray(list) &&
  list.some((item) => item instanceof Column) &&
  list.every((item) => isNumeric(item) && !isTruth(item)) &&
  !hasHoles(list);

/** Calls `compare` of the program with values of one execution: it may change no variable, which would be changed for all. */
export const comparingAlone = <R>(sort: () => R): R => during({ handler: comparing, execution: --machine.sides }, sort);

/** `list.sort(compare)`, in place; undefined if it is no list of numbers that differ. */
export function sortLanes(list: unknown[], compare: unknown): unknown[] | undefined {
  return isSortable(list) ? sortNumbers(list, compare) : undefined;
}

function sortNumbers(list: (number | Column)[], compare: unknown): unknown[] {
  const { size } = currentGroup();
  const given = list.map((item) => (item instanceof Column ? item.data : item));
  const sorted = list.map(() => new Float64Array(size));
  meter.each(size);
  comparingAlone(() => {
    for (let lane = 0; lane < size; lane++) {
      const values = given.map((numbers) => (typeof numbers === 'number' ? numbers : numbers[lane]));
      values.sort(compare as (a: number, b: number) => number);
      for (let k = 0; k < values.length; k++) sorted[k][lane] = values[k];
    }
  });
  sorted.forEach((numbers, k) => {
    list[k] = column(Doubles.of(numbers));
  });
  return list;
}

/** The same for lists of any values, one of each execution. */
export function sortEach(lists: readonly (readonly unknown[])[], compare: unknown, inPlace: boolean): unknown {
  meter.values(lists.length);
  return comparingAlone(() =>
    fromLanes(lists.map((list) => (inPlace ? (list as unknown[]) : [...list]).sort(compare as never))),
  );
}

/** The method of a list that puts it in order, if that is done here. */
export function sortingMethod(object: unknown, key: PropertyKey): Fn | undefined {
  if ((key !== 'sort' && key !== 'toSorted') || !isSortable(object)) return undefined;
  return (compare) => sortNumbers(key === 'sort' ? object : [...object], compare);
}
