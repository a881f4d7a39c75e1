/**
 * The inputs of a plan: buffers on the device are read where they are, and other numbers are copied to where the
 * plan reads them.
 */
import { bytesPerElement, type Data } from '../node.ts';
import type { DeviceMemory } from '../wasm/memory.ts';
import { ResidentBuffer } from '../wasm/resident.ts';
import type { Value } from './program.ts';

export type PlanInput = number | Data | ResidentBuffer;

/** Where an input is that is not in a buffer of its own. */
interface Place {
  readonly heap: Data;
  readonly at: number;
  readonly single: boolean;
}

/** In place of an address, for inputs that are not on the device. */
const NOWHERE = -1;

export class GivenInputs {
  /** The buffers that the inputs were given in last, by their addresses. */
  readonly bound = new Map<Value, number>();
  private readonly addresses: number[] = [];
  private places: (Place | undefined)[] = [];

  /** `values`: what each input is in the program; undefined if that has no use for it. */
  constructor(private readonly values: readonly (Value | undefined)[]) {}

  /** Notes the buffers. Returns whether some are at other places than before, which needs another layout. */
  bind(given: readonly PlanInput[]): boolean {
    const { values, addresses, bound } = this;
    let moved = false;
    for (let i = 0; i < given.length; i++) {
      const one = given[i];
      const address = typeof one !== 'number' && one instanceof ResidentBuffer ? one.address : NOWHERE;
      if (address === addresses[i]) continue;
      addresses[i] = address;
      const value = values[i];
      if (value === undefined) continue;
      if (address === NOWHERE) bound.delete(value);
      else bound.set(value, address);
      moved = true;
    }
    return moved;
  }

  /** To be called when the layout has changed; `addressOf` finds inputs in the new one. */
  place(memory: DeviceMemory, addressOf: (value: Value) => number): void {
    this.places = this.values.map((value) => {
      if (value === undefined || this.bound.has(value)) return undefined;
      const dtype = value.isScalar ? 'f64' : value.dtype;
      return { heap: memory.view(dtype), at: addressOf(value) / bytesPerElement[dtype], single: value.isScalar };
    });
  }

  /** Copies the numbers to their places. */
  feed(given: readonly PlanInput[]): void {
    const { places } = this;
    for (let i = 0; i < given.length; i++) {
      const place = places[i];
      if (place === undefined) continue;
      const one = given[i] as number | Data;
      if (typeof one === 'number') place.heap[place.at] = one;
      else if (place.single) place.heap[place.at] = one[0];
      else place.heap.set(one, place.at);
    }
  }
}
