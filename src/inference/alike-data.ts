/** Data that are made alike, so that a program is likely to do the same with them. */
import { isRecord } from '../runtime/values.ts';
import { Tensor } from '../tensor/tensor.ts';

/** So deep, and so many fields, are looked at. */
const DEPTH = 4;
const FIELDS = 32;

/** The structure of a datum as text. Of a list, its length and the structure of its first item. */
function makeOf(datum: unknown, depth: number): string {
  if (typeof datum !== 'object' || datum === null) return typeof datum === 'object' ? 'null' : typeof datum;
  if (datum instanceof Tensor) return `tensor ${datum.dims.join(' ')}`;
  if (depth === 0) return 'object';
  if (Array.isArray(datum)) return `${datum.length} of ${makeOf(datum[0], depth - 1)}`;
  if (!isRecord(datum)) return 'object';
  const fields = Object.entries(datum as Record<string, unknown>).slice(0, FIELDS);
  return `{${fields.map(([name, field]) => `${name}: ${makeOf(field, depth - 1)}`).join(', ')}}`;
}

/** The indices of data, those that are made alike in one list. */
export function ordered(data: ArrayLike<unknown>): number[][] {
  const groups = new Map<string, number[]>();
  for (let i = 0; i < data.length; i++) {
    const make = makeOf(data[i], DEPTH);
    const group = groups.get(make);
    if (group === undefined) groups.set(make, [i]);
    else group.push(i);
  }
  return [...groups.values()];
}
