/**
 * Standard normals from random words. The two words of one uniform give a layer of the ziggurat and a place in it,
 * which is enough in 99.3 % of cases. WebAssembly draws the very same numbers (`wasm/normals.ts`).
 */
import { philox } from './philox.ts';
import { EDGES, INSIDE, PURPOSE_NORMAL, TAIL } from './ziggurat.ts';

/** Uniform on (0, 1): 52 bits and a half, symmetric about 1/2, so that both ends stay out of reach after rounding. */
export function uniformOf(high: number, low: number): number {
  return ((high >>> 6) * 67108864 + (low >>> 6) + 0.5) / 4503599627370496;
}

/** The same on (−1, 1). */
function symmetricOf(high: number, low: number): number {
  return ((high >>> 6) * 67108864 + (low >>> 6) + 0.5) / 2251799813685248 - 1;
}

/** Eight of the bits that uniforms leave unused. */
function layerOf(high: number, low: number): number {
  return ((high & 15) << 4) | (low & 15);
}

/** The normal that belongs to two random words. The other arguments say to which stream and choice the words belong: see `beyond`. */
export function normalOf(
  high: number,
  low: number,
  key0: number,
  key1: number,
  choice: number,
  epoch: number,
  number: number,
): number {
  const u = symmetricOf(high, low);
  const layer = layerOf(high, low);
  return Math.abs(u) < INSIDE[layer] ? u * EDGES[layer] : beyond(u, layer, key0, key1, choice, epoch, number);
}

/** The normal for a point of a layer that may be above the density; `number` is that of the words within the choice. */
function beyond(
  u: number,
  layer: number,
  key0: number,
  key1: number,
  choice: number,
  epoch: number,
  number: number,
): number {
  for (let attempt = 0; ; attempt++) {
    const [word0, word1, high, low] = philox(number, choice, epoch, PURPOSE_NORMAL + attempt, key0, key1);
    if (layer === 0) {
      // Marsaglia's exponential envelope of the tail.
      const x = -Math.log(uniformOf(word0, word1)) / TAIL;
      if (-2 * Math.log(uniformOf(high, low)) > x * x) return u < 0 ? -(TAIL + x) : TAIL + x;
      continue;
    }
    const x = u * EDGES[layer];
    const bottom = Math.exp(-0.5 * (EDGES[layer] * EDGES[layer] - x * x));
    const top = Math.exp(-0.5 * (EDGES[layer + 1] * EDGES[layer + 1] - x * x));
    if (bottom + uniformOf(word0, word1) * (top - bottom) < 1) return x;
    u = symmetricOf(high, low);
    layer = layerOf(high, low);
    if (Math.abs(u) < INSIDE[layer]) return u * EDGES[layer];
  }
}
