/** What is counted for each particle, by its number: one number while it is the same for all. */
import type { Words } from '../lanes/columns/kernel-memory.ts';

export type Counts = Int32Array | number;

/** As one for each. */
export function spread(counts: Counts, size: number): Int32Array {
  return typeof counts === 'number' ? new Int32Array(size).fill(counts) : counts;
}

/** That of one particle. */
export const countOf = (counts: Counts, i: number): number => (typeof counts === 'number' ? counts : counts[i]);

/** The largest. */
export function mostOf(counts: Counts): number {
  if (typeof counts === 'number') return counts;
  let most = 0;
  for (const count of counts) most = Math.max(most, count);
  return most;
}

/** Those of particles that go on as copies of others. */
export function copied(counts: Counts, parents: Words): Counts {
  return typeof counts === 'number' ? counts : counts.map((_, slot) => counts[parents.array[slot]]);
}
