/**
 * A self-describing container for named arrays of numbers: parameter files and checkpoints. Layout, little-endian:
 *
 *   8 bytes   magic: the text "WAYMARK" and a zero
 *   4 bytes   CRC-32 of everything after these twelve bytes
 *   4 bytes   length of the header
 *   header    JSON: {version, kind, meta, arrays: [{name, dims, type, offset, length}]}, padded with spaces to a
 *             multiple of eight
 *   data      the arrays one after another, each starting at a multiple of eight; offsets count from here
 *
 * Bytes in, bytes out: the same in Node and in the browser.
 */

import { sizeOf } from '../tensor/shape.ts';
import { crc32 } from './crc32.ts';

export type Numbers = Float64Array | Float32Array;

export interface NamedArray {
  readonly name: string;
  readonly dims: readonly number[];
  readonly data: Numbers;
}

export interface Contents {
  /** What the file is for: 'parameters', 'checkpoint'. */
  readonly kind: string;
  readonly meta: unknown;
  readonly arrays: readonly NamedArray[];
}

interface ArrayEntry {
  name: string;
  dims: number[];
  type: 'float64' | 'float32';
  offset: number;
  length: number;
}

interface Header {
  version: number;
  kind: string;
  meta: unknown;
  arrays: ArrayEntry[];
}

const MAGIC = new TextEncoder().encode('WAYMARK\0');
const CHECKED = 12;
const PREFIX = 16;
const VERSION = 1;
const WIDTH = { float64: 8, float32: 4 } as const;

const padded = (length: number): number => Math.ceil(length / 8) * 8;

export function encodeContainer({ kind, meta, arrays }: Contents): Uint8Array {
  let offset = 0;
  const entries = arrays.map(({ name, dims, data }): ArrayEntry => {
    const entry: ArrayEntry = {
      name,
      dims: [...dims],
      type: data instanceof Float64Array ? 'float64' : 'float32',
      offset,
      length: data.length,
    };
    offset += padded(data.byteLength);
    return entry;
  });
  const header: Header = { version: VERSION, kind, meta, arrays: entries };
  const text = new TextEncoder().encode(JSON.stringify(header));
  const headerLength = padded(text.length);
  const bytes = new Uint8Array(PREFIX + headerLength + offset);
  bytes.set(MAGIC);
  bytes.fill(0x20, PREFIX, PREFIX + headerLength);
  bytes.set(text, PREFIX);
  arrays.forEach(({ data }, i) => {
    bytes.set(new Uint8Array(data.buffer, data.byteOffset, data.byteLength), PREFIX + headerLength + entries[i].offset);
  });
  const view = new DataView(bytes.buffer);
  view.setUint32(12, headerLength, true);
  view.setUint32(8, crc32(bytes.subarray(CHECKED)), true);
  return bytes;
}

/** Thrown for bytes that are no container, or a damaged one. The message completes "… cannot be read:". */
export class DamagedContainer extends Error {
  override name = 'DamagedContainer';
}

export function decodeContainer(bytes: Uint8Array): Contents {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (bytes.length < PREFIX || MAGIC.some((byte, i) => bytes[i] !== byte)) {
    throw new DamagedContainer('it does not begin as a Waymark file does');
  }
  if (crc32(bytes.subarray(CHECKED)) !== view.getUint32(8, true)) {
    throw new DamagedContainer('its checksum does not match: it was cut short or changed after it was written');
  }
  const start = PREFIX + view.getUint32(12, true);
  const { kind, meta, arrays } = headerIn(bytes, start);
  const contents = { kind, meta, arrays: arrays.map((entry) => arrayIn(bytes, start, entry)) };
  checkPlaces(arrays, bytes.length - start);
  return contents;
}

/** Array follows array, and nothing else is there: numbers that are read from another place would be taken for good ones. */
function checkPlaces(arrays: readonly ArrayEntry[], size: number): void {
  let place = 0;
  for (const { name, type, offset, length } of arrays) {
    if (offset !== place) throw new DamagedContainer(`the array '${name}' is not where the one before it ends`);
    place += padded(length * WIDTH[type]);
  }
  if (place !== size) throw new DamagedContainer(`its arrays take ${place} bytes, and it has ${size}`);
}

/** The checksum is right, so what is wrong here was written so: by a later version, or by another program. */
function headerIn(bytes: Uint8Array, end: number): Header {
  let header: Partial<Header> | null;
  try {
    header = JSON.parse(new TextDecoder().decode(bytes.subarray(PREFIX, end))) as Partial<Header> | null;
  } catch {
    throw new DamagedContainer('its header is not valid JSON');
  }
  if (header?.version !== VERSION) {
    throw new DamagedContainer(`it has format version ${header?.version}, and this Waymark reads version ${VERSION}`);
  }
  if (typeof header.kind !== 'string' || !Array.isArray(header.arrays)) {
    throw new DamagedContainer('its header does not say what it holds');
  }
  return header as Header;
}

function arrayIn(bytes: Uint8Array, start: number, entry: ArrayEntry): NamedArray {
  const { name, dims, type, offset, length } = entry;
  const isCount = (n: unknown): boolean => Number.isInteger(n) && (n as number) >= 0;
  if (!(Object.hasOwn(WIDTH, type) && Array.isArray(dims) && [offset, length, ...dims].every(isCount))) {
    throw new DamagedContainer(`its header does not say what the array '${name}' is`);
  }
  if (sizeOf(dims) !== length) {
    throw new DamagedContainer(`the array '${name}' has dims [${dims.join(', ')}] and ${length} numbers`);
  }
  const from = start + offset;
  const to = from + length * WIDTH[type];
  if (to > bytes.length) throw new DamagedContainer(`the array '${name}' goes beyond its end`);
  // Copied, because the bytes may start anywhere in a larger buffer and typed arrays need alignment. Node's Buffer
  // has a slice of its own that does not copy.
  const copy = Uint8Array.prototype.slice.call(bytes, from, to).buffer;
  return { name, dims, data: type === 'float64' ? new Float64Array(copy) : new Float32Array(copy) };
}
