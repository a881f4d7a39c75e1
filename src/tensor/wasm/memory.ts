/**
 * The memory WebAssembly kernels work in. Blocks that live on (parameters, the tables of plans) are handed out from
 * the bottom; above them, one scratch area serves whichever plan is running. Growing replaces every view, so views
 * are taken from here for each use, or kept together with `version`.
 */

import type { Data, DType } from '../node.ts';
import { MOST_PAGES } from './assembler.ts';
import { type Memory, webAssembly } from './host.ts';

/** Bytes of a page of memory. */
export const PAGE = 65536;
const FIRST = 64;
/** Blocks start at multiples of this, so that vectors are aligned. */
const ALIGNMENT = 64;
/** 16 MiB to begin with: more makes V8 collect garbage at once. */
export const INITIAL_PAGES = 256;

const owned = new FinalizationRegistry<{ memory: DeviceMemory; at: number; bytes: number }>(({ memory, at, bytes }) =>
  memory.release(at, bytes),
);

export class DeviceMemory {
  readonly memory: Memory;
  f64!: Float64Array;
  f32!: Float32Array;
  i32!: Int32Array;
  /** Changes whenever views become invalid. */
  version = 0;
  private top = FIRST;
  /** Freed blocks by size. */
  private readonly free = new Map<number, number[]>();
  /** Bytes in blocks that are in use. */
  allocated = 0;

  constructor(
    initialPages: number,
    /** Whether other threads can work in it. */
    readonly shared = false,
  ) {
    if (webAssembly === undefined) throw new Error('This host has no WebAssembly.');
    this.memory = new webAssembly.Memory({ initial: initialPages, maximum: MOST_PAGES, shared });
    this.refresh();
  }

  private refresh(): void {
    this.f64 = new Float64Array(this.memory.buffer);
    this.f32 = new Float32Array(this.memory.buffer);
    this.i32 = new Int32Array(this.memory.buffer);
    this.version++;
  }

  /** All of memory as elements of a type. */
  view(dtype: DType): Data {
    return dtype === 'f64' ? this.f64 : dtype === 'i32' ? this.i32 : this.f32;
  }

  private require(bytes: number): void {
    const have = this.memory.buffer.byteLength;
    if (bytes <= have) return;
    const pages = Math.min(MOST_PAGES, Math.max(Math.ceil(bytes / PAGE), (2 * have) / PAGE));
    if (bytes > MOST_PAGES * PAGE) {
      throw new RangeError(
        `The computation needs ${(bytes / 2 ** 30).toFixed(1)} GiB at once, more than the 4 GiB that WebAssembly can address. ` +
          'Use smaller batches.',
      );
    }
    this.memory.grow(pages - have / PAGE);
    this.refresh();
  }

  /** Where the scratch area starts. Valid until the next `allocate`. */
  scratch(bytes: number): number {
    this.require(this.top + bytes);
    return this.top;
  }

  /** A block that stays until released. */
  allocate(bytes: number): number {
    const size = Math.max(ALIGNMENT, Math.ceil(bytes / ALIGNMENT) * ALIGNMENT);
    this.allocated += size;
    const reusable = this.free.get(size);
    if (reusable !== undefined && reusable.length > 0) return reusable.pop() as number;
    const at = this.top;
    this.require(at + size);
    this.top = at + size;
    return at;
  }

  /** A block that is released with its owner. */
  allocateFor(owner: object, bytes: number): number {
    const at = this.allocate(bytes);
    owned.register(owner, { memory: this, at, bytes });
    return at;
  }

  release(at: number, bytes: number): void {
    const size = Math.max(ALIGNMENT, Math.ceil(bytes / ALIGNMENT) * ALIGNMENT);
    this.allocated -= size;
    const list = this.free.get(size);
    if (list === undefined) this.free.set(size, [at]);
    else list.push(at);
  }
}
