/** IDX, the format of the MNIST files: a type, dimensions, and numbers, all big-endian. */
import { WaymarkError } from '../runtime/errors.ts';
import { sizeOf } from '../tensor/shape.ts';
import { Tensor } from '../tensor/tensor.ts';

interface ElementType {
  readonly size: number;
  /** Bytes are grey levels; they are divided by this where they make up images. */
  readonly scale: number;
  read(view: DataView, at: number): number;
}

const TYPES: Readonly<Record<number, ElementType>> = {
  8: { size: 1, scale: 255, read: (view, at) => view.getUint8(at) },
  9: { size: 1, scale: 1, read: (view, at) => view.getInt8(at) },
  11: { size: 2, scale: 1, read: (view, at) => view.getInt16(at) },
  12: { size: 4, scale: 1, read: (view, at) => view.getInt32(at) },
  13: { size: 4, scale: 1, read: (view, at) => view.getFloat32(at) },
  14: { size: 8, scale: 1, read: (view, at) => view.getFloat64(at) },
};

/** Whether the bytes begin as IDX files do. */
export function isIdx(bytes: Uint8Array): boolean {
  return bytes.length >= 4 && bytes[0] === 0 && bytes[1] === 0 && TYPES[bytes[2]] !== undefined && bytes[3] > 0;
}

/** One dimension (labels) gives numbers; more (images) a vector per item, with bytes scaled to 0 … 1. */
export function parseIdx(caller: string, name: string, bytes: Uint8Array): number[] | Tensor[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const type = TYPES[bytes[2]];
  const rank = bytes[3];
  const start = 4 + 4 * rank;
  if (bytes.length < start)
    throw new WaymarkError(`${caller}: '${name}' ends within its header, at byte ${bytes.length}.`);
  const dims = Array.from({ length: rank }, (_, i) => view.getUint32(4 + 4 * i));
  const size = sizeOf(dims);
  const end = start + size * type.size;
  if (bytes.length !== end) {
    throw new WaymarkError(
      `${caller}: '${name}' has ${bytes.length} bytes, but its header (${dims.join(' × ')} numbers of ${type.size} ` +
        `${type.size === 1 ? 'byte' : 'bytes'}) promises ${end}.`,
    );
  }
  if (size === 0 && dims[0] > 0) {
    throw new WaymarkError(
      `${caller}: the header of '${name}' promises ${dims[0]} items without a number in them (${dims.join(' × ')}).`,
    );
  }
  const scale = rank === 1 ? 1 : type.scale;
  const numbers = new Float64Array(size);
  for (let i = 0; i < size; i++) numbers[i] = type.read(view, start + i * type.size) / scale;
  if (rank === 1) return Array.from(numbers);
  const each = dims[0] === 0 ? 0 : size / dims[0];
  return Array.from({ length: dims[0] }, (_, i) => new Tensor([each, 1], numbers.subarray(i * each, (i + 1) * each)));
}
