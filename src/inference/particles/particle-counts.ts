/** What is counted for each particle, by its number: one number while it is the same for all. */
import { currentGroup, goOnWith } from '../../lanes/columns/group.ts';
import { Words } from '../../lanes/columns/kernel-memory.ts';

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

/**
 * The places whose parents are among the living, and for each its parent's place among these; the living are given by their
 * numbers.
 */
function livingOf(parents: Int32Array, living: Int32Array): { numbers: Int32Array; map: Int32Array } {
  const places = new Int32Array(parents.length).fill(-1);
  for (let place = 0; place < living.length; place++) places[living[place]] = place;
  const numbers = parents.map((_, number) => number).filter((number) => places[parents[number]] >= 0);
  return { numbers, map: numbers.map((number) => places[parents[number]]) };
}

/** Particles take the places of others, some of which are dead. */
export function fillUp(parents: Int32Array): void {
  const { map, numbers } = livingOf(parents, currentGroup().slots);
  goOnWith(Words.of(map), Words.of(numbers));
}
