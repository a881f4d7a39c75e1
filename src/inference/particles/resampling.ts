/** From weights to numbers of children: each particle gets, on average, as many as its share of the weight. */
import type { Random } from '../../runtime/random.ts';
import { webAssembly } from '../../tensor/wasm/host.ts';

/** Writes the normalised weights into `shares`; returns the log of the sum of the weights, −∞ if all are zero. */
export function normalise(logWeights: Float64Array, shares: Float64Array): number {
  let top = -Infinity;
  for (let i = 0; i < logWeights.length; i++) if (logWeights[i] > top) top = logWeights[i];
  if (top === -Infinity) return top;
  let total = 0;
  for (let i = 0; i < logWeights.length; i++) {
    const weight = Math.exp(logWeights[i] - top);
    shares[i] = weight;
    total += weight;
  }
  for (let i = 0; i < shares.length; i++) shares[i] /= total;
  return top + Math.log(total);
}

/** The sum of the squares of shares: with weights alike, one over their number. */
export function sumOfSquares(shares: Float64Array): number {
  let squares = 0;
  for (let i = 0; i < shares.length; i++) squares += shares[i] * shares[i];
  return squares;
}

/** Whether a kernel pays for so many weights. */
export const areMany = (size: number): boolean => size >= 64 && webAssembly !== undefined;

/** Particles are resampled when their effective size is below this share of their number. */
export const WORTH_KEEPING = 0.5;

/** Particles that go on while others have ended should carry at least this share of the weight. */
const WORTH_WAITING_FOR = 0.1;

/**
 * Whether resampling is due: the effective sample size is small, or those that all others wait for carry so
 * little of the weight (they might go on for ever). `shares` need not be given if no particle has ended.
 */
export function isDue(
  effectiveSize: number,
  size: number,
  shares: Float64Array | null,
  hasEnded: ((i: number) => boolean) | null,
): boolean {
  if (effectiveSize < WORTH_KEEPING * size) return true;
  if (hasEnded === null || shares === null) return false;
  let running = 0;
  for (let i = 0; i < size; i++) if (!hasEnded(i)) running += shares[i];
  return running > 0 && running < WORTH_WAITING_FOR;
}

/**
 * From numbers of children to the parent of each place: a particle with children stays where it is, and its other
 * children go to places of those that have none.
 */
export function parentsOf(children: Int32Array): Int32Array {
  const parents = new Int32Array(children.length);
  let free = 0;
  for (let i = 0; i < children.length; i++) {
    if (children[i] > 0) parents[i] = i;
    for (let k = 1; k < children[i]; k++) {
      while (children[free] !== 0) free++;
      parents[free++] = i;
    }
  }
  return parents;
}

/**
 * Systematic resampling: one random number places a comb of `size` teeth over the shares. A particle with share s
 * gets ⌊size·s⌋ or ⌈size·s⌉ children, so equal weights are left alone.
 */
export function systematic(shares: Float64Array, size: number, random: Random): Int32Array {
  const offset = random.uniform();
  const children = new Int32Array(shares.length);
  let sum = 0;
  let placed = 0;
  let last = 0;
  for (let i = 0; i < shares.length; i++) {
    if (shares[i] === 0) continue;
    last = i;
    sum += shares[i] * size;
    // Rounding may lead beyond the last tooth, or not as far.
    const teeth = Math.min(size, Math.ceil(sum - offset));
    children[i] = teeth - placed;
    placed = teeth;
  }
  children[last] += size - placed;
  return children;
}

/** Multinomial resampling: independent draws, as conditional SMC needs them. */
export function multinomial(shares: Float64Array, size: number, random: Random): Int32Array {
  const children = new Int32Array(shares.length);
  for (let k = 0; k < size; k++) children[pick(shares, random)]++;
  return children;
}

/** One place, with the probability of its share. */
export function pick(shares: Float64Array, random: Random): number {
  let remaining = random.uniform();
  let last = 0;
  for (let i = 0; i < shares.length; i++) {
    if (shares[i] === 0) continue;
    last = i;
    remaining -= shares[i];
    if (remaining < 0) return i;
  }
  return last;
}
