/**
 * Executions side by side each of which has one datum of `mapData`: the executions for several data run as one. Numbers of
 * data are columns, and anything else is a table with a place for each execution, so that what the program computes from a
 * datum is computed once. Where parameters are named by datum, what uses them is computed datum by datum.
 */
import { nowhere } from '../../runtime/address.ts';
import { during, type Machine, machine } from '../../runtime/machine.ts';
import { OneByOne } from '../../runtime/signals.ts';
import { fromTable, isDiffering } from './column.ts';
import type { Counts } from './draws.ts';
import { current, currentGroup } from './group.ts';
import { Words } from './kernel-memory.ts';
import type { ColumnStreams } from './streams.ts';

/**
 * For each execution of the current group, the place of its datum among the different data of the group, and the list of
 * these.
 */
function placesOfData(indices: Int32Array): { readonly present: number[]; readonly codes: Int32Array } {
  const { slots } = currentGroup();
  const places = new Map<number, number>();
  const codes = new Int32Array(slots.length);
  for (let lane = 0; lane < slots.length; lane++) {
    const index = indices[slots[lane]];
    let place = places.get(index);
    if (place === undefined) {
      place = places.size;
      places.set(index, place);
    }
    codes[lane] = place;
  }
  return { present: [...places.keys()], codes };
}

/** One value for all executions, each with the datum of this index, by its number. */
export function datumOfEach(data: ArrayLike<unknown>, indices: Int32Array): unknown {
  const { present, codes } = placesOfData(indices);
  const table = present.map((index) => data[index]);
  return table.length === 1 ? table[0] : fromTable(table, codes);
}

/** Calls the function that `mapData` was given, for all executions; `indices` are those of their data, by number. */
export function callWithData(
  data: ArrayLike<unknown>,
  indices: Int32Array,
  body: (datum: unknown, index: number) => unknown,
): unknown {
  if (isDiffering(data)) throw new OneByOne('value', 'data differ between executions');
  const columns = current.columns!;
  const { address, stream } = machine;
  const { present, codes } = placesOfData(indices);
  const ofEach = (table: readonly unknown[]): unknown => (table.length === 1 ? table[0] : fromTable(table, codes));
  const datum = ofEach(present.map((index) => data[index]));
  columns.data = { data, indices };
  try {
    if (address !== nowhere) {
      const streams = stream as unknown as ColumnStreams;
      machine.address = address.lanes();
      machine.stream = streams.child(streams.occurrence(), Words.of(indices) as Counts) as unknown as Machine['stream'];
    }
    return body(datum, ofEach(present) as number);
  } finally {
    columns.data = null;
    machine.address = address;
    machine.stream = stream;
  }
}

/** Whether executions have a datum each, so that parameters at a place in the program belong to one datum. */
export const haveOwnData = (): boolean => (current.columns?.data ?? null) !== null;

/** The index of the datum of each execution of the current group. */
export function indicesOfData(): Int32Array {
  const { indices } = current.columns!.data!;
  return currentGroup().slots.map((slot) => indices[slot]);
}

/** Runs `work` for one datum, at the address that it has when it is alone. */
export function atDatum<R>(index: number, work: () => R): R {
  const { address, datum } = machine;
  const own = address.inLane([index]);
  if (datum === null) return during({ address: own }, work);
  const view = { ...(datum as object), datum: current.columns!.data!.data[index], hidden: null };
  return during({ address: own, datum: view as Machine['datum'] }, work);
}

/** The results of `of` for all data, as one value for the executions of the current group. */
export function ofEachDatum(of: (index: number) => unknown): unknown {
  const { present, codes } = placesOfData(current.columns!.data!.indices);
  return fromTable(
    present.map((index) => of(index)),
    codes,
  );
}
