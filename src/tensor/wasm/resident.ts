/** Data that stays in device memory between runs: parameters, their gradients, the state of optimisers. */
import type { LaneSpace } from '../lane-space.ts';
import { type Attributes, bytesPerElement, type Data, type DType, NO_INPUTS, Node, RESIDENT } from '../node.ts';
import { type Shape, sizeOf } from '../shape.ts';
import type { WasmDevice } from './device.ts';

let count = 0;

/** Gives memory back when nobody can reach the buffer any more. */
const abandoned = new FinalizationRegistry<() => void>((release) => release());

export class ResidentBuffer implements Attributes {
  /** Plans do not depend on which buffer it is, only on its shape. */
  readonly key = '';
  readonly id = count++;
  readonly address: number;

  constructor(
    readonly device: WasmDevice,
    readonly dtype: DType,
    readonly length: number,
    private readonly within: { readonly buffer: ResidentBuffer; readonly start: number } | null = null,
  ) {
    const bytes = length * bytesPerElement[dtype];
    const { memory } = device;
    if (within !== null) {
      this.address = within.buffer.address + within.start * bytesPerElement[dtype];
      return;
    }
    const address = memory.allocate(bytes);
    this.address = address;
    this.view().fill(0);
    abandoned.register(this, () => memory.release(address, bytes));
  }

  /** A part of this buffer, from an element on. Keeps the whole alive. */
  part(start: number, length: number): ResidentBuffer {
    return new ResidentBuffer(this.device, this.dtype, length, {
      buffer: this.within?.buffer ?? this,
      start: start + (this.within?.start ?? 0),
    });
  }

  /** The elements in place. Valid until device memory grows: take a new view for each use. */
  view(): Data {
    const { memory } = this.device;
    const heap = this.dtype === 'f64' ? memory.f64 : this.dtype === 'i32' ? memory.i32 : memory.f32;
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
