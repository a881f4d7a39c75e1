/** Executions at a choice, and what they tell the network. */
import type { ReadingsOfEach } from './readings.ts';
import type { Key } from './sites.ts';

/** Executions at a choice. */
export interface Asking {
  readonly readings: ReadingsOfEach;
  /** The numbers of the executions. */
  readonly slots: ArrayLike<number>;
  readonly key: Key;
  readonly count: number;
  /** What each tells the first layer, a row each; there may be more rows. */
  readonly told: Float32Array;
  /** Whether earlier choices of their iterations are told, and may be pointed to. */
  readonly isPointed: boolean;
  /** Whether each looks for data: 1 or 0. */
  readonly attends: Float32Array;
}

/** In steps of an eighth of the next power of two, so that few lanes are computed in vain and there are few plans. */
export function roomFor(count: number): number {
  const step = Math.max(4, 2 ** (Math.ceil(Math.log2(count)) - 3));
  return step * Math.ceil(count / step);
}

/** The number of the datum of each execution. */
export function placesOf({ readings, slots, count }: Asking, room: number): Int32Array {
  const places = new Int32Array(room);
  for (let i = 0; i < count; i++) places[i] = readings.placeOf(slots[i]);
  return places;
}

/** The places of executions here, those of one datum together. */
export function rowsByDatum({ readings, slots, count }: Asking): Int32Array[] {
  const rows = new Map<number, number[]>();
  for (let i = 0; i < count; i++) {
    const datum = readings.placeOf(slots[i]);
    const known = rows.get(datum);
    if (known === undefined) rows.set(datum, [i]);
    else known.push(i);
  }
  return Array.from(rows.values(), (own) => Int32Array.from(own));
}

/** The same for some of the executions. */
export function askingOf(asking: Asking, rows: Int32Array, width: number): Asking {
  const { slots, told, attends } = asking;
  return {
    ...asking,
    slots: rows.map((row) => slots[row]),
    count: rows.length,
    told: rowsOf(told, rows, width),
    attends: rowsOf(attends, rows, 1),
  };
}

/** The random numbers of the executions. */
export const ownOf = (more: readonly Float64Array[], rows: Int32Array): Float64Array[] =>
  more.map((numbers) => rowsOf(numbers, rows, 1));

/** Some rows of a table, with room for as many as plans compute: what fills it up is not read. */
function rowsOf<A extends Float32Array | Float64Array>(table: A, rows: Int32Array, width: number): A {
  const room = roomFor(rows.length);
  const [first, last] = [rows[0], rows[rows.length - 1]];
  // Executions of one datum mostly come one after the other.
  if (last - first === rows.length - 1 && (first + room) * width <= table.length) {
    return table.subarray(first * width, (first + room) * width) as A;
  }
  const own = new (table.constructor as new (length: number) => A)(room * width);
  rows.forEach((row, i) => {
    own.set(table.subarray(row * width, (row + 1) * width), i * width);
  });
  return own;
}
