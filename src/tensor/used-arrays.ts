/** Arrays that are no longer needed, for the next who needs one: taking a new one from the host costs more than to fill it. */
import { allocate, type Data, type DType } from './node.ts';

/** Shorter ones are part of the host's own heap, and cheap. */
const LEAST_LENGTH = 9;
/** Longer ones are not kept, nor more than so many elements in all. */
const MOST_LENGTH = 2 ** 12;
const MOST_ELEMENTS = 2 ** 18;

/** By type and length. */
const kept = new Map<number, Data[]>();
let elements = 0;

const keyOf = (array: Data): number =>
  4 * array.length + (array instanceof Float64Array ? 0 : array instanceof Int32Array ? 1 : 2);

/** An array with arbitrary contents. */
export function take(dtype: DType, length: number): Data {
  if (length >= LEAST_LENGTH && length <= MOST_LENGTH) {
    const array = kept.get(4 * length + (dtype === 'f64' ? 0 : dtype === 'i32' ? 1 : 2))?.pop();
    if (array !== undefined) {
      elements -= length;
      return array;
    }
  }
  return allocate(dtype, length);
}

/** Takes an array over, which nobody else may use any more. */
export function giveBack(array: Data): void {
  const { length } = array;
  if (length < LEAST_LENGTH || length > MOST_LENGTH || elements + length > MOST_ELEMENTS) return;
  const key = keyOf(array);
  const list = kept.get(key);
  if (list === undefined) kept.set(key, [array]);
  else list.push(array);
  elements += length;
}
