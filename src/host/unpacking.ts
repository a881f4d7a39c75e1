import { gunzipSync } from 'node:zlib';

/** No data file that a program can use is larger: a file that says more is broken, or meant to fill the memory. */
export const MOST_UNPACKED = 2 ** 30;

/** The bytes that gzip packed. Throws with the code `ERR_BUFFER_TOO_LARGE` if there are more than `most`. */
export function unpacked(bytes: Uint8Array, most: number = MOST_UNPACKED): Uint8Array {
  return gunzipSync(bytes, { maxOutputLength: most });
}
