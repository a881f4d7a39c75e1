import { laneNoise } from '../lanes/stream-forest.ts';
import type { Address } from '../runtime/address.ts';
import type { RandomStream } from '../runtime/random.ts';

/**
 * Which data each `mapData` looks at in one step: the same for all samples of the step, drawn anew for the next.
 * Drawn without replacement, which has less variance than WebPPL's drawing with it and is unbiased too.
 */
export class Batches {
  private readonly chosen = new Map<Address, { readonly length: number; readonly indices: Int32Array }>();

  constructor(private readonly stream: RandomStream) {}

  /** Undefined means all of them. */
  indices(address: Address, length: number, batchSize: number | undefined): Int32Array | undefined {
    if (batchSize === undefined || batchSize >= length) return undefined;
    const known = this.chosen.get(address);
    // A compiled step may have asked for data of the size it was recorded with.
    if (known?.length === length && known.indices.length === batchSize) return known.indices;
    const indices = draw(this.stream.named(address.toString()), length, batchSize);
    this.chosen.set(address, { length, indices });
    return indices;
  }
}

/** So many of the first whole numbers, in order: data are visited in their own order. */
export function draw(stream: RandomStream, length: number, size: number): Int32Array {
  stream.begin();
  return chosenBy(laneNoise('uniform', [stream], size), length);
}

/** By Floyd’s algorithm, from a uniform number for each. */
function chosenBy(numbers: Float64Array, length: number): Int32Array {
  const size = numbers.length;
  const taken = new Uint8Array(length);
  for (let k = 0; k < size; k++) {
    const j = length - size + k;
    const i = Math.floor(numbers[k] * (j + 1));
    taken[taken[i] === 0 ? i : j] = 1;
  }
  const indices = new Int32Array(size);
  let count = 0;
  for (let i = taken.indexOf(1); i >= 0; i = taken.indexOf(1, i + 1)) indices[count++] = i;
  return indices;
}
