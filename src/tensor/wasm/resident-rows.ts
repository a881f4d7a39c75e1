/**
 * Tensors that are used again and again, such as the data that minibatches are drawn from, kept on the device:
 * putting some of them side by side is then a copy within memory. There is one copy of each tensor. It is made again
 * for each buffer: a program may have written into a tensor between two optimisations, but not during one.
 */
import { bytesPerElement } from '../node.ts';
import type { Tensor } from '../tensor.ts';
import type { WasmDevice } from './device.ts';
import type { ResidentBuffer } from './resident.ts';

/** Taken at a time, since taking memory makes plans arrange theirs anew. */
const CHUNK_BYTES = 2 ** 20;
/** Kept in all; tensors beyond that are copied from JavaScript's memory every time. */
const MOST_BYTES = 2 ** 26;

interface Chunk {
  readonly at: number;
  readonly bytes: number;
  used: number;
  /** How many of its tensors can still be reached. */
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
    const at = this.places.get(tensor) ?? this.newPlace(tensor);
    if (at !== undefined) this.device.memory.view(this.dtype).set(tensor.data, at / bytesPerElement[this.dtype]);
    return at;
  }

  private newPlace(tensor: Tensor): number | undefined {
    const bytes = tensor.length * bytesPerElement[this.dtype];
    const chunk = this.chunkFor(bytes);
    if (chunk === null) return undefined;
    const at = chunk.at + chunk.used;
    chunk.used += bytes;
    chunk.tensors++;
    this.abandoned.register(tensor, chunk);
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

function rowsOf(device: WasmDevice): Record<'f64' | 'f32', ResidentRows> {
  let rows = kept.get(device);
  if (rows === undefined) {
    rows = { f64: new ResidentRows(device, 'f64'), f32: new ResidentRows(device, 'f32') };
    kept.set(device, rows);
  }
  return rows;
}

/** In place of the address of a tensor that is not on the device. */
const NOWHERE = -1;

/** A buffer in which tensors are put side by side, so many at a time. */
export class RowBuffer {
  private readonly places = new WeakMap<Tensor, number>();
  private readonly addresses: Int32Array;
  private readonly rows: ResidentRows | null;
  private readonly each: number;

  constructor(
    readonly buffer: ResidentBuffer,
    private readonly count: number,
    /** Looks at each tensor before it is used for the first time. */
    private readonly admit: (tensor: Tensor) => void,
  ) {
    const { device, dtype, length } = buffer;
    this.addresses = new Int32Array(count);
    this.each = length / count;
    this.rows = device && rowsOf(device)[dtype === 'f64' ? 'f64' : 'f32'];
  }

  /** Writes the elements of tensors one after the other. */
  write(tensors: readonly Tensor[]): void {
    const { places, addresses, count } = this;
    let least = 0;
    for (let i = 0; i < count; i++) {
      const place = places.get(tensors[i]);
      // All that are new at once, and then from the start: V8 would compile what is done with them into this loop.
      if (place === undefined) {
        this.meet(tensors);
        return;
      }
      if (place < least) least = place;
      addresses[i] = place;
    }
    if (least === NOWHERE) this.copyFromHost(tensors);
    else this.copyThere();
  }

  private meet(tensors: readonly Tensor[]): void {
    for (const tensor of tensors) {
      if (this.places.has(tensor)) continue;
      this.admit(tensor);
      this.places.set(tensor, this.rows?.place(tensor) ?? NOWHERE);
    }
    this.write(tensors);
  }

  private copyThere(): void {
    const { buffer, addresses, count, each } = this;
    const { memory, moves } = buffer.device as WasmDevice;
    const at = memory.scratch(4 * count);
    memory.i32.set(addresses, at / 4);
    moves.rows(at, count, each * bytesPerElement[buffer.dtype], buffer.address);
  }

  private copyFromHost(tensors: readonly Tensor[]): void {
    const view = this.buffer.view();
    tensors.forEach(({ data }, i) => {
      view.set(data, i * this.each);
    });
  }
}
