/** Data that stays in device memory between runs: parameters, their gradients, the state of optimisers. */

import { currentDevice } from '../devices.ts';
import type { LaneSpace } from '../lane-space.ts';
import {
  type Attributes,
  allocate,
  bytesPerElement,
  type Data,
  type DType,
  NO_INPUTS,
  Node,
  RESIDENT,
} from '../node.ts';
import { type Shape, sizeOf } from '../shape.ts';
import { type WasmDevice, wasmDevice } from './device.ts';

/** Gives memory back when the buffer cannot be reached any more. */
const abandoned = new FinalizationRegistry<() => void>((release) => release());

export class ResidentBuffer implements Attributes {
  /** Plans do not depend on which buffer it is, only on its shape. */
  readonly key = '';
  /** Where it is in device memory; unused where it is a JavaScript array. */
  readonly address: number;
  /** The elements, where there is no device. */
  private readonly own: Data | null;

  /** Without a device the elements are a JavaScript array. */
  constructor(
    readonly device: WasmDevice | null,
    readonly dtype: DType,
    readonly length: number,
    private readonly within: { readonly buffer: ResidentBuffer; readonly start: number } | null = null,
  ) {
    const bytes = length * bytesPerElement[dtype];
    this.own = device === null && within === null ? allocate(dtype, length) : null;
    if (device === null) {
      this.address = -1;
    } else if (within !== null) {
      this.address = within.buffer.address + within.start * bytesPerElement[dtype];
    } else {
      const { memory } = device;
      const address = memory.allocate(bytes);
      this.address = address;
      this.view().fill(0);
      abandoned.register(this, () => memory.release(address, bytes));
    }
  }

  /** A part of this buffer, from an element on. Keeps the whole alive. */
  part(start: number, length: number): ResidentBuffer {
    const buffer = this.within?.buffer ?? this;
    return new ResidentBuffer(this.device, this.dtype, length, { buffer, start: start + (this.within?.start ?? 0) });
  }

  /** A buffer of the same length, filled with 0. */
  like(): ResidentBuffer {
    return new ResidentBuffer(this.device, this.dtype, this.length);
  }

  /** The elements in place. Valid until device memory grows: take a new view for each use. */
  view(): Data {
    if (this.own !== null) return this.own;
    if (this.device === null) {
      const { buffer, start } = this.within as NonNullable<typeof this.within>;
      return buffer.view().subarray(start, start + this.length);
    }
    const heap = this.device.memory.view(this.dtype);
    const from = this.address / bytesPerElement[this.dtype];
    return heap.subarray(from, from + this.length);
  }

  /** The buffer as a leaf of graphs. */
  node(shape: Shape, space: LaneSpace | null = null): Node {
    const length = sizeOf(shape) * (space?.size ?? 1);
    if (length !== this.length)
      throw new RangeError(`A buffer of ${this.length} elements cannot be ${length} elements.`);
    return new Node(RESIDENT, NO_INPUTS, this, shape, this.dtype, space);
  }
}

/** A buffer of zeros on the current device. */
export function residentBuffer(length: number, dtype: 'f64' | 'f32' = 'f64'): ResidentBuffer {
  return new ResidentBuffer(currentDevice() === 'wasm' ? wasmDevice() : null, dtype, length);
}
