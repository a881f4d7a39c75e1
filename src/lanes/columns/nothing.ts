/**
 * The value of a variable for executions that never read it, such as the value that a loop returns for those that go
 * on after it.
 */
import { Column, differs, fromLanes, fromTable, lanesOf, tableBehind } from './column.ts';
import { type Group, inGroup } from './group.ts';
import { Doubles, type Words } from './kernel-memory.ts';
import { scatter } from './kernels.ts';

export const nothing = Symbol('nothing');

/** The value of a group as one for a larger group, in which it has these places. The other executions of that group never read it. */
export function widened(value: unknown, group: Group, places: Words, target: Group): unknown {
  if (!differs(value)) return value;
  if (value instanceof Column) {
    const own = inGroup(group, () => value.numbers);
    const numbers = Doubles.zeros(target.size);
    scatter(own, places, numbers);
    return new Column(numbers, target, value.isTruth);
  }
  const table = inGroup(group, () => tableBehind(value));
  const own = table?.codes ?? inGroup(group, () => lanesOf(value));
  const all = table === undefined ? new Array<unknown>(target.size).fill(own[0]) : new Int32Array(target.size);
  places.array.forEach((place, i) => {
    all[place] = own[i];
  });
  return inGroup(target, () =>
    table === undefined ? fromLanes(all as unknown[]) : fromTable(table.table, all as Int32Array),
  );
}
