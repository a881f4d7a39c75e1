export const MOST_UNPACKED = 2 ** 30;

/** Browsers unpack in the background only, and a program cannot wait. */
export function unpacked(_bytes: Uint8Array, _most?: number): Uint8Array {
  throw Object.assign(new Error('gzipped files cannot be unpacked here'), { code: 'NO_UNPACKING' });
}
