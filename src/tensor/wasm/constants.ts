import type { Constants } from './assembler.ts';
import type { DeviceMemory } from './memory.ts';

/** Room for this many constants; the functions there are need some hundred. */
const MOST = 256;
const BYTES = 16;

/**
 * Constant vectors in device memory. Compilers put a constant together from pieces at every use, which takes longer than
 * much of the arithmetic it is used in; a load is one instruction.
 */
export class ConstantPool implements Constants {
  private readonly start: number;
  private readonly places = new Map<string, number>();

  constructor(private readonly memory: DeviceMemory) {
    this.start = memory.allocate(MOST * BYTES);
  }

  at(bytes: Uint8Array): number | null {
    // Nothing is quicker than clearing a register.
    if (bytes.every((byte) => byte === 0)) return null;
    const key = String(bytes);
    let place = this.places.get(key);
    if (place === undefined) {
      if (this.places.size === MOST) return null;
      place = this.start + this.places.size * BYTES;
      new Uint8Array(this.memory.memory.buffer, place, BYTES).set(bytes);
      this.places.set(key, place);
    }
    return place;
  }
}
