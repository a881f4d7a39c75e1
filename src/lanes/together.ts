/**
 * Runs the iterations of a construct side by side. Where the lanes cannot agree (`Diverged`), what they did so far is
 * taken back and each group starts again on its own: a condition that differed is then the same for all of a group.
 * Any control flow is handled this way, since nothing is ever resumed half way. If that makes too many groups, they are
 * run again with branches (`sides.ts`), which part them for no longer than a side of a conditional lasts.
 */

import { machine } from '../runtime/machine.ts';
import { MemoLayer } from '../runtime/memo.ts';
import type { RandomStream } from '../runtime/random.ts';
import { Diverged, OneByOne } from '../runtime/signals.ts';
import { asLanes } from '../tensor/lane-gather.ts';
import { LaneSpace } from '../tensor/lane-space.ts';
import { constant } from '../tensor/leaves.ts';
import type { Node } from '../tensor/node.ts';
import { gather, gt } from '../tensor/ops.ts';
import { SCALAR } from '../tensor/shape.ts';
import { againFrom } from './lane-numbers.ts';
import { currentLanes, Lanes, subspace } from './lanes.ts';
import { areWhole, howManyInRow, onceEach } from './once-each.ts';
import { printAll, prints, runInLanes } from './printing.ts';
import { recording } from './recording.ts';
import { Outcome } from './results.ts';
import { type LaneStore, leaveStores } from './store.ts';
import { LaneStreams } from './streams.ts';
import { Surroundings } from './surroundings.ts';
import { laneValue, pick } from './value.ts';

/** The iterations to run: for each, its datum, its index, and the lane of the outer lanes it belongs to. */
export interface Iteration {
  /** Where a later step will look at other data: those, and, if they change too, their indices. */
  readonly again?: {
    data(): readonly unknown[];
    readonly indices?: () => ArrayLike<number>;
    /** All data that there are, if they are some of these in each step. */
    readonly all?: () => readonly unknown[];
  };
  readonly data: readonly unknown[];
  /** The data as rows of a table, where they are numbers or tensors of the graph. */
  readonly rows?: {
    readonly table: Node;
    readonly isTruth: boolean;
    /** Where the numbers are places of values that choices have picked: the list of these. */
    readonly items?: readonly unknown[];
  };
  /** Where there are several lists to go through: the same iterations for each, in place of data and rows. */
  readonly parts?: readonly Iteration[];
  readonly indices: Int32Array;
  readonly outerLanes: Int32Array;
  /**
   * Whether several lanes stand for one iteration (values that are tried): then they must leave nothing behind, neither
   * output nor values in the store.
   */
  readonly alone?: boolean;
  /** How many lanes stand for one iteration, one after the other, if several do. */
  readonly times?: number;
  /**
   * True if they may come into as many groups as there are lanes: where all of them stand for one iteration, there is no other that many groups
   * could keep from running with it, and where they cannot run one by one, there is no other way.
   */
  readonly sole?: true;
  /** If they are whole executions and no iterations: the stream that one of them draws from, from its beginning. */
  readonly executions?: (place: number) => RandomStream;
  /** True if they are, likewise, states that one iteration may be in. */
  readonly states?: true;
}

/** What the handler does around each group of lanes. */
export interface Following {
  /** Lanes begin; the function returned takes back whatever they do. */
  enter(lanes: Lanes, places: Int32Array): () => void;
  leave(): void;
  /** The program looks at a value that exists only when iterations run one by one. */
  look(reason: string): never;
}

/** What a group of lanes returned. */
export interface Piece {
  readonly lanes: Lanes;
  /** The places of the lanes among all iterations. */
  readonly places: Int32Array;
  readonly value: unknown;
}

/** How iterations are run that do not agree on a condition. */
export type Disagreement =
  /** In groups, each from the start: if there are only a few. */
  | 'few groups'
  /** Each side of the condition by those that take it, where the sides are functions; otherwise in groups. */
  | 'branches'
  /** In groups, even many of them. */
  | 'groups';

/** More executions than this do not pay: the iterations run one by one. Few iterations may part a few times. */
const MOST_EXECUTIONS = 64;
const LEAST_EXECUTIONS = 8;

/** Up to so many executions, groups are better than branches; tests lower it to have branches everywhere. */
export const fewGroups = { most: 16 };

/** Thrown where there are more than a few groups. */
export class TooManyGroups extends OneByOne {
  constructor() {
    super('courses', 'the iterations part into too many groups');
  }
}

/** The most groups that so many lanes may part into. */
export function mostExecutions(lanes: number): number {
  return Math.min(MOST_EXECUTIONS, Math.max(LEAST_EXECUTIONS, lanes));
}

export function runTogether(
  iterations: Iteration,
  body: (datum: unknown, index: unknown) => unknown,
  following: Following,
  disagreement: Disagreement,
): Outcome {
  const outer = currentLanes();
  const { stream, address, store, memo, run } = machine;
  const surroundings = new Surroundings();
  const { executions: wholeStream } = iterations;
  const occurrence = wholeStream === undefined ? stream.occurrence() : 0;
  const pieces: Piece[] = [];
  const stores: LaneStore[] = [];
  const waiting: Int32Array[] = [Int32Array.from(iterations.indices, (_, i) => i)];
  const iterationStream = (place: number): RandomStream =>
    outer === null
      ? stream.child(occurrence, iterations.indices[place])
      : (stream as unknown as LaneStreams).laneChild(
          iterations.outerLanes[place],
          occurrence,
          iterations.indices[place],
        );
  const streamOf = wholeStream ?? iterationStream;
  const { length } = iterations.indices;
  // (As many as lanes, and before each parting an execution that ended there.)
  const bound = iterations.sole ? 2 * length : mostExecutions(length);
  const most = disagreement === 'few groups' ? Math.min(bound, fewGroups.most) : bound;
  let executions = 0;
  let sides = 0;
  const apart = { executions: 0, sides: 0 };
  while (waiting.length > 0) {
    const places = waiting.pop()!;
    if (++executions > most) throw new TooManyGroups();
    const lanes = lanesAt(iterations, places, outer, streamOf, disagreement === 'branches');
    const takeBack = following.enter(lanes, places);
    const { again } = iterations;
    const laterIndices = again?.indices;
    if (laterIndices !== undefined) {
      lanes.changing = true;
      recording.current?.reindexed(lanes, () => Int32Array.from(picked(laterIndices(), places)));
    }
    const laneStore = surroundings.enter(lanes, wholeStream === undefined ? address.lanes() : address);
    machine.run = runInLanes(run);
    lanes.before = memo;
    machine.memo = new MemoLayer(memo);
    try {
      const datum = datumOf(iterations, places, lanes);
      const index = laneValue([...lanes.indices], lanes, laterIndices && (() => picked(laterIndices(), places)));
      const value = body(datum, index);
      if (wholeStream === undefined && laneStore.communicates) {
        throw new OneByOne('state', 'an iteration reads from globalStore what another wrote');
      }
      surroundings.leave();
      stores.push(laneStore);
      following.leave();
      pieces.push({ lanes, places, value });
    } catch (thrown) {
      surroundings.leave();
      takeBack();
      waiting.push(...partsOf(thrown, places));
      // Each group would be executed just to part again.
      if (executions + waiting.length > most) throw new TooManyGroups();
    }
    sides += lanes.sides;
    apart.executions += howManyInRow(lanes.indices);
    apart.sides += lanes.sidesApart;
  }
  if (iterations.alone) checkAlone(pieces, stores);
  printAll(pieces);
  const outcome = new Outcome(pieces, iterations, following.look, { executions, sides, apart });
  // The store of an execution ends with it.
  if (wholeStream === undefined) leaveStores(store, stores, (values) => outcome.last(values));
  return outcome;
}

/** Values of choices are tried side by side: what each of them leaves behind would be left several times. */
function checkAlone(pieces: readonly Piece[], stores: readonly LaneStore[]): void {
  if (pieces.some(({ lanes }) => prints(lanes))) throw new OneByOne('output', 'the program prints');
  if (stores.some(({ keysWritten }) => keysWritten.length > 0)) {
    throw new OneByOne('state', 'something is left in globalStore');
  }
}

/** The groups into which lanes part, the first of them last; whatever else was thrown is thrown on. */
export function partsOf(thrown: unknown, places: Int32Array): Int32Array[] {
  if (!(thrown instanceof Diverged) || thrown.groups.length !== places.length) throw thrown;
  const { groups, count } = thrown;
  // (There may be as many groups as lanes: each lane is looked at once.)
  const sizes = new Int32Array(count);
  for (const group of groups) sizes[group]++;
  const parts = Array.from(sizes, (size) => new Int32Array(size));
  const filled = new Int32Array(count);
  for (let i = 0; i < groups.length; i++) parts[groups[i]][filled[groups[i]]++] = places[i];
  return parts.reverse();
}

/** The data of some of the iterations. */
function datumOf({ data, rows, again, parts }: Iteration, places: Int32Array, lanes: Lanes): unknown {
  if (parts !== undefined) return parts.map((part) => datumOf(part, places, lanes));
  if (rows !== undefined) {
    const all = places.length === rows.table.shape[0];
    const own = all ? asLanes(rows.table, lanes.space) : gather(rows.table, constant(places, SCALAR, lanes.space));
    if (rows.items !== undefined) return pick(rows.items, own as Node);
    return rows.isTruth ? gt(own as Node, 0) : own;
  }
  const own = pickedBy(places);
  return laneValue(
    Array.from(places, (place) => data[place]),
    lanes,
    again &&
      againFrom(
        again,
        () => own(again.data()),
        (datum) => datum,
      ),
  );
}

function lanesAt(
  { indices, outerLanes, executions, states, times }: Iteration,
  places: Int32Array,
  outer: Lanes | null,
  streamOf: (place: number) => RandomStream,
  branches: boolean,
): Lanes {
  const around = places.map((place) => outerLanes[place]);
  const each = times !== undefined && executions === undefined && areWhole(places, times) ? times : 1;
  const iterations = each === 1 ? null : subspace(around.length / each, Int32Array.from(onceEach(around, each)), outer);
  const space =
    iterations === null
      ? subspace(places.length, around, outer)
      : new LaneSpace(
          places.length,
          iterations,
          around.map((_, lane) => Math.floor(lane / each)),
        );
  const streams = new LaneStreams(places.length, (lane) => streamOf(places[lane]));
  return new Lanes(
    space,
    outer,
    places.map((place) => indices[place]),
    streams,
    executions === undefined ? 'iterations' : states ? 'states' : 'executions',
    branches,
    iterations,
  );
}

/** The same of arrays that come again and again. */
function pickedBy(places: Int32Array): <T>(all: readonly T[]) => readonly T[] {
  const isInOrder = places.every((place, i) => place === i);
  return (all) => (isInOrder && all.length === places.length ? all : picked(all, places));
}

function picked<T>(all: ArrayLike<T>, places: Int32Array): readonly T[] {
  const out = new Array<T>(places.length);
  for (let i = 0; i < out.length; i++) out[i] = all[places[i]];
  return out;
}
