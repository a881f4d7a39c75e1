/**
 * Philox4x32-10 (Salmon, Moraes, Dror & Shaw, "Parallel random numbers: as easy as 1, 2, 3", 2011): encrypts a counter with
 * a key. JavaScript has no product of words, so that WebAssembly takes a third of the time; it is made once a program has
 * drawn so much that it pays.
 */

import built from './philox-module.ts?bytes';
import { decode, type Memory, webAssembly } from './wasm/host.ts';

// As signed words: sums and products with larger constants would be worked out as floating-point numbers.
const MULTIPLIER_0 = 0xd2511f53 | 0;
const MULTIPLIER_1 = 0xcd9e8d57 | 0;
const WEYL_0 = 0x9e3779b9 | 0;
const WEYL_1 = 0xbb67ae85 | 0;
const ROUNDS = 10;

type Block = (c0: number, c1: number, c2: number, c3: number, k0: number, k1: number) => void;

/** Calls before WebAssembly is made. */
const PATIENCE = 64;
let patience = PATIENCE;

/** The four words of the last block; overwritten by every call of `philox`. */
let block: Int32Array = new Int32Array(4);
/** Writes a block, in WebAssembly. */
let fast: Block | null = null;

/** One Philox block: encrypts the counter (c0…c3) with the key (k0, k1). The result is valid until the next call. */
export function philox(c0: number, c1: number, c2: number, c3: number, k0: number, k1: number): Int32Array {
  if (fast === null) slow(c0, c1, c2, c3, k0, k1);
  else fast(c0, c1, c2, c3, k0, k1);
  return block;
}

function slow(c0: number, c1: number, c2: number, c3: number, k0: number, k1: number): void {
  if (--patience === 0) accelerate();
  for (let round = 0; round < ROUNDS; round++) {
    const high0 = highWord(c0, 0xd251, 0x1f53);
    const low0 = Math.imul(c0, MULTIPLIER_0);
    const high1 = highWord(c2, 0xcd9e, 0x8d57);
    const low1 = Math.imul(c2, MULTIPLIER_1);
    c0 = high1 ^ c1 ^ k0;
    c1 = low1;
    c2 = high0 ^ c3 ^ k1;
    c3 = low0;
    k0 = (k0 + WEYL_0) | 0;
    k1 = (k1 + WEYL_1) | 0;
  }
  block[0] = c0;
  block[1] = c1;
  block[2] = c2;
  block[3] = c3;
}

/**
 * Upper 32 bits of a product with a constant given as two 16-bit halves; JavaScript's numbers lose them. The partial
 * products are below 2³², so that `imul` keeps all their bits, and all arithmetic stays in 32-bit integers.
 */
function highWord(a: number, constantHigh: number, constantLow: number): number {
  const high = a >>> 16;
  const low = a & 0xffff;
  const middle = (Math.imul(high, constantLow) + (Math.imul(low, constantLow) >>> 16)) | 0;
  const carried = (Math.imul(low, constantHigh) + (middle & 0xffff)) | 0;
  return (((Math.imul(high, constantHigh) + (middle >>> 16)) | 0) + (carried >>> 16)) | 0;
}

/** Changes to WebAssembly, where there is one and a page's security policy lets it be made. */
function accelerate(): void {
  if (webAssembly === undefined) return;
  try {
    const module = new webAssembly.Module(decode(built));
    const { exports } = new webAssembly.Instance(module, {});
    block = new Int32Array((exports.memory as unknown as Memory).buffer, 0, 4);
    fast = exports.philox as Block;
  } catch (thrown) {
    // There is no more memory. The slow way gives the same numbers.
    if (!(thrown instanceof RangeError)) throw thrown;
  }
}
