/**
 * Lists of different length that lanes have, where later steps have others, as in minibatches. All are gone through as if they were as
 * long as the longest. What is beyond the end of a list is on a side of a condition that its lane does not take, so that one recording
 * serves lists of any length.
 */
import { Node } from '../tensor/node.ts';
import { gt } from '../tensor/ops.ts';
import { recording } from './recording.ts';
import { derived } from './value.ts';
import { variedOf } from './varied.ts';

type Items = ArrayLike<unknown>;

interface PaddedLists {
  /** The lists, equally long. */
  readonly items: ArrayLike<unknown>;
  /** Whether lists have an item of this index. */
  isThere(index: unknown): Node;
}

/** With more places than this for each item there is, iterations one after the other are fewer. */
const MOST_PLACES = 4;

/** Undefined of lists that are the same for all lanes, or are as long now as later. */
export function paddedLists(data: unknown): PaddedLists | undefined {
  const varied = variedOf(data);
  if (varied === undefined || varied.by !== undefined || recording.current === null) return undefined;
  const all = varied.again?.all?.() as readonly Items[] | undefined;
  if (all === undefined || all.every(({ length }) => length === all[0].length)) return undefined;
  const longest = all.reduce((most, list) => (list.length > most.length ? list : most));
  const items = all.reduce((sum, { length }) => sum + length, 0);
  const length = derived(varied, (list) => (list as Items).length);
  if (longest.length * all.length > MOST_PLACES * items || !(length instanceof Node)) return undefined;
  const padded = (list: unknown): unknown[] =>
    Array.from(longest, (other, i) => (i < (list as Items).length ? (list as Items)[i] : other));
  return {
    items: derived(varied, padded) as Items,
    isThere: (index) => gt(length, index as Node),
  };
}
