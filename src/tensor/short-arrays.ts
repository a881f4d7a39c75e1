/**
 * Short arrays, many to a piece of memory. V8 takes half a microsecond and more to make an array that has memory of
 * its own, and less than a tenth of that for one that is part of another. A kept array keeps its
 * whole piece: what is handed to programs is copied (`Node.value`).
 */
import { allocate, bytesPerElement, type Data, type DType } from './node.ts';

const PIECE_BYTES = 2 ** 14;
/** Longer arrays have memory of their own, and so have the very short ones, which V8 keeps in its heap. */
const MOST_BYTES = 2 ** 11;
const LEAST_BYTES = 64;

let piece = new ArrayBuffer(PIECE_BYTES);
let used = 0;

/** An array of zeros. */
export function shortArray(dtype: DType, length: number): Data {
  const bytes = length * bytesPerElement[dtype];
  if (bytes <= LEAST_BYTES || bytes > MOST_BYTES) return allocate(dtype, length);
  if (used + bytes > PIECE_BYTES) {
    piece = new ArrayBuffer(PIECE_BYTES);
    used = 0;
  }
  const at = used;
  used += (bytes + 7) & ~7;
  if (dtype === 'f64') return new Float64Array(piece, at, length);
  return dtype === 'i32' ? new Int32Array(piece, at, length) : new Float32Array(piece, at, length);
}
