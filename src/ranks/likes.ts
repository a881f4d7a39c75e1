/**
 * Lists of many values that are alike, such as the samples of a chain, taken apart into columns: a list for each number in them. Sending them one by one would take
 * longer than many chains do. A value that follows itself, as where a chain stays, is there once.
 */
import { isRecord } from '../runtime/values.ts';
import { Tensor } from '../tensor/tensor.ts';

/** Numbers; truth values, as 0 and 1; the fields of objects; the elements of lists of one length; the numbers of tensors of one shape. */
type Column =
  | Float64Array
  | Uint8Array
  | { readonly names: readonly string[]; readonly fields: readonly Column[] }
  | { readonly elements: readonly Column[] }
  | { readonly dims: readonly number[]; readonly numbers: Float64Array };

export interface Likes {
  readonly count: number;
  readonly column: Column;
  /** For each value which one of those in the column it is; null if all are different. */
  readonly places: Uint32Array | null;
}

/** Fewer are sent as they are. */
const MANY = 32;
/** Deeper and wider values are rare, and no faster in columns. */
const MOST_COLUMNS = 256;

/** The values in columns; undefined where they are few, or are not alike. */
export function likesOf(values: readonly unknown[]): Likes | undefined {
  const count = values.length;
  if (count < MANY || typeof values[0] !== 'object') return undefined;
  const different: unknown[] = [];
  const places = new Uint32Array(count);
  for (let i = 0; i < count; i++) {
    if (i === 0 || values[i] !== values[i - 1]) different.push(values[i]);
    places[i] = different.length - 1;
  }
  const column = columnOf(different, { left: MOST_COLUMNS });
  return column && { count, column, places: different.length === count ? null : places };
}

export function valuesOf({ count, column, places }: Likes): unknown[] {
  const different = listOf(column, places === null ? count : places[count - 1] + 1);
  return places === null ? different : Array.from(places, (place) => different[place]);
}

function columnOf(values: readonly unknown[], room: { left: number }): Column | undefined {
  const [first] = values;
  if (--room.left < 0) return undefined;
  if (typeof first === 'number') return numbersOf(values);
  if (typeof first === 'boolean') {
    return values.every((value) => typeof value === 'boolean') ? Uint8Array.from(values as never, Number) : undefined;
  }
  if (first instanceof Tensor) return tensorsOf(values, first);
  if (Array.isArray(first)) {
    const { length } = first;
    if (!values.every((value) => Array.isArray(value) && value.length === length)) return undefined;
    const elements = allOf(
      first.map((_, i) => values.map((value) => (value as unknown[])[i])),
      room,
    );
    return elements && { elements };
  }
  if (!isPlain(first)) return undefined;
  const names = Object.keys(first);
  // Given to an object, it would be no field.
  if (names.includes('__proto__')) return undefined;
  if (!values.every((value) => isPlain(value) && hasNames(value, names))) return undefined;
  const fields = allOf(
    names.map((name) => values.map((value) => (value as Record<string, unknown>)[name])),
    room,
  );
  return fields && { names, fields };
}

function allOf(lists: readonly (readonly unknown[])[], room: { left: number }): Column[] | undefined {
  const columns: Column[] = [];
  for (const list of lists) {
    const column = columnOf(list, room);
    if (column === undefined) return undefined;
    columns.push(column);
  }
  return columns;
}

function numbersOf(values: readonly unknown[]): Float64Array | undefined {
  const numbers = new Float64Array(values.length);
  for (let i = 0; i < values.length; i++) {
    const value = values[i];
    if (typeof value !== 'number') return undefined;
    numbers[i] = value;
  }
  return numbers;
}

function tensorsOf(values: readonly unknown[], { dims, data }: Tensor): Column | undefined {
  const numbers = new Float64Array(values.length * data.length);
  for (let i = 0; i < values.length; i++) {
    const value = values[i];
    const isLike =
      value instanceof Tensor &&
      value.data instanceof Float64Array &&
      value.dims.length === dims.length &&
      value.dims.every((size, k) => size === dims[k]);
    if (!isLike) return undefined;
    numbers.set(value.data, i * data.length);
  }
  return { dims, numbers };
}

const isPlain = (value: unknown): value is Record<string, unknown> =>
  isRecord(value) && Object.getOwnPropertySymbols(value).length === 0;

/** In this order, too: it is that in which they are printed. */
function hasNames(value: object, names: readonly string[]): boolean {
  let at = 0;
  for (const name in value) if (name !== names[at++]) return false;
  return at === names.length;
}

function listOf(column: Column, count: number): unknown[] {
  if (column instanceof Float64Array) return Array.from(column);
  if (column instanceof Uint8Array) return Array.from(column, (bit) => bit === 1);
  if ('numbers' in column) {
    const { dims, numbers } = column;
    const size = numbers.length / count;
    return Array.from({ length: count }, (_, i) => new Tensor([...dims], numbers.slice(i * size, (i + 1) * size)));
  }
  if ('elements' in column) {
    const lists = column.elements.map((one) => listOf(one, count));
    return Array.from({ length: count }, (_, i) => lists.map((list) => list[i]));
  }
  const { names } = column;
  const lists = column.fields.map((one) => listOf(one, count));
  return Array.from({ length: count }, (_, i) => {
    const value: Record<string, unknown> = {};
    for (let k = 0; k < names.length; k++) value[names[k]] = lists[k][i];
    return value;
  });
}
