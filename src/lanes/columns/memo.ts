/**
 * What `mem` remembers while executions run side by side. Each remembers for itself: a value belongs to the executions that
 * have asked for it, and the others compute theirs when they ask.
 */
import type { Memoised, SharedMemory } from '../../runtime/memo.ts';
import { OneByOne } from '../../runtime/signals.ts';
import { branch } from './branch.ts';
import { type Column, differs, fromLanes, lanesOf, truths } from './column.ts';
import { currentGroup, type Group, inGroup } from './group.ts';
import { Doubles } from './kernel-memory.ts';

/** A value that is remembered under a key. */
class Known {
  constructor(
    /** A value of the outermost group, right for the executions in `known`. */
    readonly value: unknown,
    /** The executions that have it; null for all. */
    readonly by: Column | null,
  ) {}
}

/** More different arguments at a time than this do not pay. */
const MOST_KEYS = 64;

export const columnMemory: SharedMemory = {
  differ: (args) => args.some(differs),
  ofEach: forEachKey,
  recalled(found, work) {
    // Remembered before the executions began.
    if (!(found instanceof Known)) return found;
    return found.by === null ? found.value : branch(found.by, () => found.value, work);
  },
  kept(value, found) {
    const group = currentGroup();
    if (group.depth === 0) return new Known(value, null);
    return added(found instanceof Known ? found : null, value, group);
  },
};

/** Executions with different arguments ask one after the other. */
function forEachKey(memo: Memoised, args: readonly unknown[], ask: (own: readonly unknown[]) => unknown): unknown {
  const lanes = args.map((argument) => lanesOf(argument));
  const given = (lane: number): unknown[] => lanes.map((values) => values[lane]);
  const keys = Array.from(lanes[0], (_, lane) => memo.keyOf(given(lane)));
  if (new Set(keys).size > MOST_KEYS)
    throw new OneByOne('limit', 'a function that remembers is given many different things');
  const [first] = keys;
  return branch(
    truths(Doubles.of(Float64Array.from(keys, (key) => (key === first ? 1 : 0)))),
    () => ask(given(0)),
    () => forEachKey(memo, args, ask),
  );
}

/** The value that is remembered, with that of a group inside conditionals added. */
function added(known: Known | null, value: unknown, group: Group): Known {
  let outermost = group;
  while (outermost.outer !== null) outermost = outermost.outer;
  const places = group.placesIn(outermost).array;
  const values = lanesOf(value);
  return inGroup(outermost, () => {
    const { size } = outermost;
    const all = known === null ? new Array<unknown>(size).fill(values[0]) : lanesOf(known.value);
    const by = known === null ? new Float64Array(size) : known.by!.data.slice();
    places.forEach((place, lane) => {
      all[place] = values[lane];
      by[place] = 1;
    });
    return new Known(fromLanes(all), truths(Doubles.of(by)));
  });
}
