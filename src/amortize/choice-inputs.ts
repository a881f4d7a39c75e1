/** The inputs of the network for the executions that have come to one choice. */
import type { ReadingsOfEach } from './readings.ts';
import type { Key } from './sites.ts';

/** The executions that are at one choice. */
export interface ChoiceInputs {
  readonly readings: ReadingsOfEach;
  /** The numbers of the executions. */
  readonly slots: ArrayLike<number>;
  readonly key: Key;
  readonly count: number;
  /** The inputs of the first layer, a row for each execution; there may be more rows than executions. */
  readonly features: Float32Array;
  /** Whether the inputs hold earlier choices of the same iteration, to which lists may point. */
  readonly isPointed: boolean;
  /** 1 for an execution that searches the data, 0 for one that does not. */
  readonly attends: Float32Array;
}

/**
 * Rounds a number of executions up to an eighth of the next power of two: few rows are computed in vain, and there
 * are few plans.
 */
export function roomFor(count: number): number {
  const step = Math.max(4, 2 ** (Math.ceil(Math.log2(count)) - 3));
  return step * Math.ceil(count / step);
}

/** The number of the datum of each execution. */
export function placesOf({ readings, slots, count }: ChoiceInputs, room: number): Int32Array {
  const places = new Int32Array(room);
  for (let i = 0; i < count; i++) places[i] = readings.placeOf(slots[i]);
  return places;
}

/** The rows of the executions, a list for each datum. */
export function rowsByDatum({ readings, slots, count }: ChoiceInputs): Int32Array[] {
  const rows = new Map<number, number[]>();
  for (let i = 0; i < count; i++) {
    const datum = readings.placeOf(slots[i]);
    const known = rows.get(datum);
    if (known === undefined) rows.set(datum, [i]);
    else known.push(i);
  }
  return Array.from(rows.values(), (own) => Int32Array.from(own));
}

/** The inputs of some of the executions. */
export function inputsOf(inputs: ChoiceInputs, rows: Int32Array, width: number): ChoiceInputs {
  const { slots, features, attends } = inputs;
  return {
    ...inputs,
    slots: rows.map((row) => slots[row]),
    count: rows.length,
    features: rowsOf(features, rows, width),
    attends: rowsOf(attends, rows, 1),
  };
}

/** The random numbers of the executions. */
export const ownOf = (more: readonly Float64Array[], rows: Int32Array): Float64Array[] =>
  more.map((numbers) => rowsOf(numbers, rows, 1));

/** Some rows of a table, with as many rows as plans compute. Rows beyond the last execution are not read. */
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
