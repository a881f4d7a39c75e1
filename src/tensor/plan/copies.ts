import type { Data } from '../node.ts';

/** A few numbers, without making an array for them. */
export function copied(from: Data, to: Data, count: number): Data {
  if (from instanceof Float64Array) copyDoubles(from, to as Float64Array, count);
  else if (from instanceof Int32Array) copyWords(from, to as Int32Array, count);
  else to.set(from.subarray(0, count));
  return to;
}

// (One function for each kind of array: V8 is slow where a loop has met several.)
function copyDoubles(from: Float64Array, to: Float64Array, count: number): void {
  for (let i = 0; i < count; i++) to[i] = from[i];
}

function copyWords(from: Int32Array, to: Int32Array, count: number): void {
  for (let i = 0; i < count; i++) to[i] = from[i];
}
