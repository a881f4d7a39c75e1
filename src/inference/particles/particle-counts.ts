/** What is counted for each particle, by its number: one number while it is the same for all. */
import { currentGroup, goOnWith } from '../../lanes/columns/group.ts';
import { Words } from '../../lanes/columns/kernel-memory.ts';
import { OutOfStep } from './other-ways.ts';

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
  return typeof counts === 'number' ? counts : Int32Array.from(parents.array, (parent) => counts[parent]);
}

/**
 * The places whose parents are among the living, and for each its parent's place among these; the living are given by their
 * numbers.
 */
function livingOf(parents: Int32Array, living: Int32Array): { numbers: Int32Array; map: Int32Array } {
  const places = new Int32Array(1 + mostOf(living)).fill(-1);
  for (let place = 0; place < living.length; place++) places[living[place]] = place;
  const numbers = parents.map((_, number) => number).filter((number) => places[parents[number]] >= 0);
  return { numbers, map: numbers.map((number) => places[parents[number]]) };
}

/** Particles take the places of others, some of which are dead. */
export function fillUp(parents: Int32Array): void {
  const { map, numbers } = livingOf(parents, currentGroup().slots);
  goOnWith(Words.of(map), Words.of(numbers));
}

/** Of particles with so many children each, none that is to be copied may have made choices since it met the factor. */
export function checkSettled(children: Int32Array, drawnAt: Counts, factor: number): void {
  if (typeof drawnAt === 'number' && drawnAt <= factor) return;
  for (let i = 0; i < children.length; i++) {
    if (children[i] <= 1 || countOf(drawnAt, i) <= factor) continue;
    throw new OutOfStep('courses', 'they meet different numbers of factors, with choices in between');
  }
}
