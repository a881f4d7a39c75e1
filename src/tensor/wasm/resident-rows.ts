/**
 * Tensors that are looked at again and again, such as the data that minibatches are drawn from, kept on the device: putting
 * some of them side by side is then a matter of copying memory. Tensors never change, so one copy of each will do.
 */
import { bytesPerElement } from '../node.ts';
import type { Tensor } from '../tensor.ts';
import type { WasmDevice } from './device.ts';
import type { ResidentBuffer } from './resident.ts';

/** Taken at a time, since taking memory makes plans arrange theirs anew. */
const CHUNK_BYTES = 2 ** 20;
/** Kept in all; tensors beyond that are copied from the host every time. */
const MOST_BYTES = 2 ** 26;

interface Chunk {
  readonly at: number;
  readonly bytes: number;
  used: number;
  /** How many of its tensors somebody can still reach. */
  tensors: number;
}

class ResidentRows {
  private readonly places = new WeakMap<Tensor, number>();
  private current: Chunk | null = null;
  private taken = 0;
  private readonly abandoned = new FinalizationRegistry<Chunk>((chunk) => {
    chunk.tensors--;
    this.releaseIfUnused(chunk);
  });

  constructor(
    private readonly device: WasmDevice,
    private readonly dtype: 'f64' | 'f32',
  ) {}

  /** Where the elements of a tensor are; undefined if there is no room for them. */
  place(tensor: Tensor): number | undefined {
    const known = this.places.get(tensor);
    if (known !== undefined) return known;
    const bytes = tensor.length * bytesPerElement[this.dtype];
    const chunk = this.chunkFor(bytes);
    if (chunk === null) return undefined;
    const at = chunk.at + chunk.used;
    chunk.used += bytes;
    chunk.tensors++;
    this.abandoned.register(tensor, chunk);
    this.device.memory.view(this.dtype).set(tensor.data, at / bytesPerElement[this.dtype]);
    this.places.set(tensor, at);
    return at;
  }

  private chunkFor(bytes: number): Chunk | null {
    const { current } = this;
    if (current !== null && current.used + bytes <= current.bytes) return current;
    const wanted = Math.max(CHUNK_BYTES, bytes);
    if (this.taken + wanted > MOST_BYTES) return null;
    this.current = { at: this.device.memory.allocate(wanted), bytes: wanted, used: 0, tensors: 0 };
    this.taken += wanted;
    if (current !== null) this.releaseIfUnused(current);
    return this.current;
  }

  private releaseIfUnused(chunk: Chunk): void {
    if (chunk.tensors > 0 || chunk === this.current) return;
    this.device.memory.release(chunk.at, chunk.bytes);
    this.taken -= chunk.bytes;
  }
}

const kept = new WeakMap<WasmDevice, Record<'f64' | 'f32', ResidentRows>>();

/** Writes the elements of tensors, which have as many each, one after the other into a buffer. */
export function writeRows(tensors: readonly Tensor[], into: ResidentBuffer): void {
  const { device, dtype, length, address } = into;
  const count = tensors.length;
  const each = length / count;
  const rows = device && rowsOf(device)[dtype === 'f64' ? 'f64' : 'f32'];
  const places = new Int32Array(count);
  let kept = device !== null;
  for (let i = 0; i < count && kept; i++) {
    const place = rows?.place(tensors[i]);
    if (place === undefined) kept = false;
    else places[i] = place;
  }
  if (device === null || !kept) {
    const view = into.view();
    for (let i = 0; i < count; i++) view.set(tensors[i].data, i * each);
    return;
  }
  const at = device.memory.scratch(4 * count);
  device.memory.i32.set(places, at / 4);
  device.moves.rows(at, count, each * bytesPerElement[dtype], address);
}

function rowsOf(device: WasmDevice): Record<'f64' | 'f32', ResidentRows> {
  let rows = kept.get(device);
  if (rows === undefined) {
    rows = { f64: new ResidentRows(device, 'f64'), f32: new ResidentRows(device, 'f32') };
    kept.set(device, rows);
  }
  return rows;
}
