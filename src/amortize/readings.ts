/** Data of several inferences that are run as one, as the network reads them, and whose datum each execution has. */
import { NOWHERE } from './feed-attention.ts';
import type { Network } from './network.ts';
import type { Findable, Reading } from './reading.ts';
import type { Key } from './sites.ts';

/** What choices may find in the data of each: tables with a row for each datum, and rows of zeros to fill up. */
interface FindableOfEach extends Findable {
  /** How many rows there are. */
  readonly data: number;
}

export class Readings {
  private found: FindableOfEach | null | undefined;
  private readonly knownPlaceScores = new Map<Key, Float32Array>();

  constructor(readonly all: readonly Reading[]) {}

  get network(): Network {
    return this.all[0].network;
  }

  /** The same data, for executions that each have one of them: which, by their numbers. */
  among(of: Int32Array): ReadingsOfEach {
    return new ReadingsOfEach(this, of);
  }

  get findable(): FindableOfEach | null {
    if (this.found === undefined) this.found = this.toBeFound();
    return this.found;
  }

  private toBeFound(): FindableOfEach | null {
    const places = Math.max(...this.all.map(({ findable }) => findable?.places ?? 0));
    if (places === 0) return null;
    const { heads, width } = this.network.sizes;
    const data = 2 ** Math.ceil(Math.log2(this.all.length));
    const row = places * heads * width;
    const [keys, values] = [new Float32Array(data * row), new Float32Array(data * row)];
    this.all.forEach(({ findable }, d) => {
      if (findable === null) return;
      keys.set(findable.keys, d * row);
      values.set(findable.values, d * row);
    });
    return { places, data, keys, values };
  }

  /** What is added to the scores of all places for a choice at this key: for each datum, a row for each head. */
  placeScores(key: Key): Float32Array {
    let placeScores = this.knownPlaceScores.get(key);
    if (placeScores === undefined) {
      const { heads } = this.network.sizes;
      const { places, data } = this.findable!;
      placeScores = new Float32Array(data * heads * places).fill(NOWHERE);
      this.all.forEach((reading, d) => {
        if (reading.findable === null) return;
        const own = reading.placeScores(key);
        const length = reading.findable.places;
        for (let h = 0; h < heads; h++) {
          placeScores!.set(own.subarray(h * length, (h + 1) * length), (d * heads + h) * places);
        }
      });
      this.knownPlaceScores.set(key, placeScores);
    }
    return placeScores;
  }
}

/** The same for some executions. */
export class ReadingsOfEach {
  constructor(
    readonly readings: Readings,
    /** Whose datum an execution has, by its number; null where there is one for all. */
    private readonly of: Int32Array | null,
  ) {}

  static one(reading: Reading): ReadingsOfEach {
    return new ReadingsOfEach(new Readings([reading]), null);
  }

  get network(): Network {
    return this.readings.network;
  }

  get count(): number {
    return this.readings.all.length;
  }

  /** The number of the datum of an execution. */
  placeOf(slot: number): number {
    return this.of === null ? 0 : this.of[slot];
  }

  at(slot: number): Reading {
    return this.readings.all[this.placeOf(slot)];
  }

  /** The datum that all of these executions have; null if they have different ones. */
  common(slots: ArrayLike<number>): Reading | null {
    const { of } = this;
    if (of !== null) for (let i = 1; i < slots.length; i++) if (of[slots[i]] !== of[slots[0]]) return null;
    return this.at(slots[0]);
  }
}
