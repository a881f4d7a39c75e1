/** Parts of files that are too large to be read whole. */
import { closeSync, openSync, readSync, statSync } from 'node:fs';

export const sizeOfFile = (place: string): number => statSync(place).size;

/** So many bytes from `start` on; fewer at the end of the file. */
export function readRange(place: string, start: number, length: number): Uint8Array {
  const bytes = new Uint8Array(length);
  const descriptor = openSync(place, 'r');
  try {
    let done = 0;
    while (done < length) {
      const read = readSync(descriptor, bytes, done, length - done, start + done);
      if (read === 0) break;
      done += read;
    }
    return bytes.subarray(0, done);
  } finally {
    closeSync(descriptor);
  }
}
