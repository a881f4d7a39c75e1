import type { Constants } from './assembler.ts';
import type { DeviceMemory } from './memory.ts';

const BYTES = 16;

/**
 * Constant vectors in memory. Compilers put a constant together from pieces at every use, which takes longer than much of the
 * arithmetic it is used in; a load is one instruction.
 */
abstract class Pool implements Constants {
  private readonly places = new Map<string, number>();

  constructor(
    protected readonly start: number,
    private readonly most: number,
  ) {}

  protected abstract put(place: number, bytes: Uint8Array): void;

  at(bytes: Uint8Array): number | null {
    // Clearing a register is quicker than any load.
    if (bytes.every((byte) => byte === 0)) return null;
    const key = String(bytes);
    let place = this.places.get(key);
    if (place === undefined) {
      if (this.places.size === this.most) return null;
      place = this.start + this.places.size * BYTES;
      this.put(place, bytes);
      this.places.set(key, place);
    }
    return place;
  }
}

/** Room for this many constants; the functions there are need some hundred. */
const MOST = 256;

/** Constants in device memory. */
export class ConstantPool extends Pool {
  constructor(private readonly memory: DeviceMemory) {
    super(memory.allocate(MOST * BYTES), MOST);
  }

  protected put(place: number, bytes: Uint8Array): void {
    new Uint8Array(this.memory.memory.buffer, place, BYTES).set(bytes);
  }
}

/** Constants that a module brings with it, for a place that has no other use. */
export class OwnConstants extends Pool {
  private readonly all: number[] = [];

  constructor(start: number, bytes: number) {
    super(start, bytes / BYTES);
  }

  protected put(_place: number, bytes: Uint8Array): void {
    this.all.push(...bytes);
  }

  get content(): { at: number; bytes: Uint8Array } {
    return { at: this.start, bytes: Uint8Array.from(this.all) };
  }
}
