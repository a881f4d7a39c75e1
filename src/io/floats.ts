/** Files of 32-bit numbers, one after the other, little-endian: large tables of draws are kept so. */
import { WaymarkError } from '../runtime/errors.ts';

const BYTES = 4;

export function parseFloats(caller: string, name: string, bytes: Uint8Array): number[] {
  if (bytes.byteLength % BYTES !== 0) {
    throw new WaymarkError(
      `${caller}: '${name}' should hold numbers of ${BYTES} bytes each, but has ${bytes.byteLength} bytes: it may be cut short.`,
    );
  }
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return Array.from({ length: bytes.byteLength / BYTES }, (_, i) => view.getFloat32(i * BYTES, true));
}
