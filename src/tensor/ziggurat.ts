/**
 * The ziggurat of the standard normal (Marsaglia & Tsang, 2000, in the form of Doornik, 2005): layers of equal area that
 * cover the density. A point of a layer that lies under the density is a normal.
 */

const LAYERS = 256;

/** Where the tail begins. With that many layers, the topmost ends at the top of the density. */
export const TAIL = 3.654152885361009;
/** The area of each layer. */
const AREA = 0.004928673233974655;

const density = (x: number): number => Math.exp(-0.5 * x * x);

/** How far each layer reaches. The lowest, which holds the tail, is as wide as a rectangle of its area would be. */
export const EDGES = new Float64Array(LAYERS + 1);
/** What part of each layer is under the density all the way up. */
export const INSIDE = new Float64Array(LAYERS);

EDGES[0] = AREA / density(TAIL);
EDGES[1] = TAIL;
for (let i = 1; i < LAYERS - 1; i++) EDGES[i + 1] = Math.sqrt(-2 * Math.log(AREA / EDGES[i] + density(EDGES[i])));
for (let i = 0; i < LAYERS; i++) INSIDE[i] = EDGES[i + 1] / EDGES[i];

/** Numbers in `normalTable`. */
export const TABLE_LENGTH = 2 * (LAYERS + 1);
/** Bytes that loops in WebAssembly need for it: behind it they keep the layers and places of four lanes. */
export const TABLE_BYTES = 8 * TABLE_LENGTH + 48;

/** `INSIDE` and `EDGES` in turn, as the loops in WebAssembly have them. */
export function normalTable(): Float64Array {
  const table = new Float64Array(TABLE_LENGTH);
  for (let i = 0; i < LAYERS; i++) {
    table[2 * i] = INSIDE[i];
    table[2 * i + 1] = EDGES[i];
  }
  return table;
}

/** Counter word 3 of the blocks that `beyond` draws, for its first attempt; see `runtime/random.ts` for others. */
export const PURPOSE_NORMAL = 4;
