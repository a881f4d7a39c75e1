/**
 * Branches: where lanes disagree on a condition, each side of it is run for those that take it, and what they give is
 * merged. Nothing before the condition is run again, so that recursion runs once for each point that any lane comes to.
 */
import type { Address } from '../runtime/address.ts';
import { machine } from '../runtime/machine.ts';
import { OneByOne } from '../runtime/signals.ts';
import { gatherTo } from '../tensor/lane-gather.ts';
import type { Node } from '../tensor/node.ts';
import { placesWhere } from '../tensor/partition.ts';
import { currentLanes, diverge, type Lanes, lanesOfSide, openLanesOfSide } from './lanes.ts';
import { Merge, unmergeable } from './merging.ts';
import { howManyInRow } from './once-each.ts';
import { mergeChanges } from './own-changes.ts';
import { beginSide, type Changes, endSide } from './own-objects.ts';
import { printAll } from './printing.ts';
import type { Rerun } from './rerun.ts';
import type { LaneStore } from './store.ts';
import type { LaneStreams } from './streams.ts';
import { Surroundings } from './surroundings.ts';
import { type Following, mostExecutions, type Piece, partsOf, TooManyGroups } from './together.ts';

/** A conditional on which the current lanes disagree. */
interface Fork {
  /** For each lane, 1 if the condition holds. */
  readonly taken: Uint8Array;
  readonly then: () => unknown;
  readonly otherwise: () => unknown;
  /** Whether the value is used. */
  readonly valued: boolean;
}

/** The results of a group of lanes, with what it wrote to the store and left in objects of the lanes around. */
interface Run {
  readonly piece: Piece;
  readonly store: LaneStore;
  readonly changes: Changes;
}

/** Runs the sides, and gives the value for all lanes. If the results cannot be merged, lanes part instead. */
export function runSides(fork: Fork, following: Pick<Following, 'enter' | 'leave'>): unknown {
  const around = currentLanes()!;
  const streams = machine.stream as unknown as LaneStreams;
  for (let at: Lanes | null = around; at !== null && !at.branched; at = at.outer) at.branched = true;
  const runs = [...runSide(fork, 1, fork.then, following), ...runSide(fork, 0, fork.otherwise, following)];
  const pieces = runs.map(({ piece }) => piece);
  if (pieces.every(({ lanes }) => lanes.streams.isSettled)) streams.rejoined();
  else
    streams.rejoinedUnsettled(
      pieces.map(({ lanes }) => lanes),
      around.space,
    );
  printAll(pieces);
  try {
    const merge = new Merge(pieces, around);
    mergeWritten(runs, merge);
    return fork.valued ? merge.of(pieces.map(({ value }) => value)) : undefined;
  } catch (thrown) {
    if (thrown !== unmergeable) throw thrown;
    return diverge(fork.taken);
  }
}

/** A conditional recorded with open lanes. A side that no lane has taken so far is null. */
interface OpenFork {
  readonly condition: Node;
  /** If it does not hold, and if it does. */
  readonly sides: readonly [(() => unknown) | null, (() => unknown) | null];
  readonly valued: boolean;
}

/** Records the sides that were ever taken. Where no lane takes one now, it is recorded with a lane that does not take it. */
export function recordSides(
  { condition, sides, valued }: OpenFork,
  following: Pick<Following, 'enter' | 'leave'>,
  rerun: Rerun,
): unknown {
  const around = currentLanes()!;
  const streams = machine.stream as unknown as LaneStreams;
  const { address } = machine;
  const surroundings = new Surroundings();
  const truth = gatherTo(condition, around.space);
  const [no, yes] = sides;
  if (no === null || yes === null) {
    const side = yes ?? no;
    if (side === null) throw new OneByOne('courses', 'a conditional is met for the first time');
    rerun.notTaken(truth, yes === null);
    return side();
  }
  const runs: Run[] = [];
  for (const which of [1, 0]) {
    const side = which === 1 ? yes : no;
    const now = new Int32Array(around.size);
    const count = placesWhere(truth.elements(), around.size, which === 1, now);
    const places = count === 0 ? Int32Array.of(0) : now.slice(0, count);
    const lanes = openLanesOfSide(around, truth, which === 1, places, streams);
    runs.push(runFor(lanes, places, side, following, surroundings, address));
  }
  streams.rejoinedOpen(
    runs.map(({ piece }) => piece.lanes.streams),
    around.space,
  );
  const pieces = runs.map(({ piece }) => piece);
  const merge = new Merge(pieces, around);
  mergeWritten(runs, merge);
  return valued ? merge.of(pieces.map(({ value }) => value)) : undefined;
}

/** Runs a side for the lanes that take it; where that fails, nothing has happened. */
function runFor(
  lanes: Lanes,
  places: Int32Array,
  side: () => unknown,
  following: Pick<Following, 'enter' | 'leave'>,
  surroundings: Surroundings,
  address: Address,
): Run {
  const takeBack = following.enter(lanes, places);
  const store = surroundings.enter(lanes, address);
  countSide(lanes);
  beginSide(lanes);
  try {
    const value = side();
    surroundings.leave();
    following.leave();
    return { piece: { lanes, places, value }, store, changes: endSide(lanes) };
  } catch (thrown) {
    endSide(lanes);
    surroundings.leave();
    takeBack();
    throw thrown;
  }
}

/** The iterations that lanes on a side belong to. */
function iterationsAround(lanes: Lanes): Lanes {
  let at = lanes;
  while (at.kind === 'side') at = at.outer!;
  return at;
}

/** Counts the run of a side for the iterations around the lanes. */
function countSide(lanes: Lanes): void {
  const at = iterationsAround(lanes);
  at.sides++;
  if (at.iterations !== null) at.sidesApart += howManyInRow(lanes.indices);
}

/** Runs one side. Where those that take it do not agree, and cannot branch, they start the side again in groups. */
function runSide(
  { taken }: Fork,
  which: number,
  side: () => unknown,
  following: Pick<Following, 'enter' | 'leave'>,
): Run[] {
  const around = currentLanes()!;
  const { address } = machine;
  const streams = machine.stream as unknown as LaneStreams;
  const surroundings = new Surroundings();
  const waiting = [placesOf(taken, which)];
  const most = mostExecutions(waiting[0].length);
  const runs: Run[] = [];
  let executions = 0;
  while (waiting.length > 0) {
    const places = waiting.pop()!;
    if (++executions > most) throw new TooManyGroups();
    const lanes = lanesOfSide(around, places, streams);
    const { positions } = lanes.streams;
    try {
      runs.push(runFor(lanes, places, side, following, surroundings, address));
    } catch (thrown) {
      waiting.push(...partsOf(thrown, places));
      iterationsAround(around).parted = true;
      lanes.streams.back(positions);
    }
  }
  return runs;
}

function placesOf(taken: Uint8Array, which: number): Int32Array {
  let count = 0;
  for (let lane = 0; lane < taken.length; lane++) if (taken[lane] === which) count++;
  const places = new Int32Array(count);
  let at = 0;
  for (let lane = 0; lane < taken.length; lane++) if (taken[lane] === which) places[at++] = lane;
  return places;
}

/** Merges what the sides wrote to the store and changed, for the lanes around. */
function mergeWritten(runs: readonly Run[], merge: Merge): void {
  mergeChanges(
    runs.map(({ changes }) => changes),
    merge,
  );
  const keys = new Set(runs.flatMap(({ store }) => store.keysWritten));
  for (const key of keys) {
    const values = runs.map(({ store, piece: { lanes } }) => {
      if (!(key in store.store)) throw unmergeable;
      return merge.within(lanes, () => store.store[key as string]);
    });
    machine.store[key as string] = merge.of(values);
  }
}
