/**
 * Runs the iterations of a construct side by side. Where the lanes cannot agree (`Diverged`), what they did so far is
 * taken back and each group starts again on its own: a condition that differed is then the same for all of a group.
 * Any control flow is handled this way, since nothing is ever resumed half way.
 */

import { machine } from '../runtime/machine.ts';
import { MemoLayer } from '../runtime/memo.ts';
import type { RandomStream } from '../runtime/random.ts';
import { Diverged, OneByOne } from '../runtime/signals.ts';
import { asLanes } from '../tensor/lane-gather.ts';
import { constant } from '../tensor/leaves.ts';
import type { Node } from '../tensor/node.ts';
import { gather, gt } from '../tensor/ops.ts';
import { SCALAR } from '../tensor/shape.ts';
import { currentLanes, Lanes, subspace } from './lanes.ts';
import { printAll, runInLanes } from './printing.ts';
import { recording } from './recording.ts';
import { Outcome } from './results.ts';
import { LaneStore, leaveStores } from './store.ts';
import { asStream, LaneStreams } from './streams.ts';
import { laneValue } from './value.ts';

/** The iterations to run: for each, its datum, its index, and the lane of the outer lanes it belongs to. */
export interface Iteration {
  /** Where a later step will look at other data: those, and, if they change too, their indices. */
  readonly again?: { data(): readonly unknown[]; readonly indices?: () => ArrayLike<number> };
  readonly data: readonly unknown[];
  /** The data as rows of a table, where they are numbers or tensors of the graph. */
  readonly rows?: { readonly table: Node; readonly isTruth: boolean };
  /** Where there are several lists to go through: the same iterations for each, in place of data and rows. */
  readonly parts?: readonly Iteration[];
  readonly indices: Int32Array;
  readonly outerLanes: Int32Array;
  /** If they are whole executions and no iterations: the stream that one of them draws from, from its beginning. */
  readonly executions?: (place: number) => RandomStream;
}

/** What the handler does around each group of lanes. */
export interface Following {
  /** Lanes begin; the function returned takes back whatever they do. */
  enter(lanes: Lanes, places: Int32Array): () => void;
  leave(): void;
  /** The program looks at something that is only there when iterations run one by one. */
  look(reason: string): never;
}

/** What a group of lanes returned. */
export interface Piece {
  readonly lanes: Lanes;
  /** The places of the lanes among all iterations. */
  readonly places: Int32Array;
  readonly value: unknown;
}

/** More executions than this are not worth it: the iterations run one by one. Few iterations may part a few times. */
const MOST_EXECUTIONS = 64;
const LEAST_EXECUTIONS = 8;

export function runTogether(
  iterations: Iteration,
  body: (datum: unknown, index: unknown) => unknown,
  following: Following,
): Outcome {
  const outer = currentLanes();
  const { stream, address, store, memo, execution, run } = machine;
  const { executions: wholeStream } = iterations;
  const occurrence = wholeStream === undefined ? stream.occurrence() : 0;
  const pieces: Piece[] = [];
  const stores: LaneStore[] = [];
  const waiting: Int32Array[] = [Int32Array.from(iterations.indices, (_, i) => i)];
  const iterationStream = (place: number): RandomStream =>
    outer === null
      ? stream.child(occurrence, iterations.indices[place])
      : (stream as unknown as LaneStreams)
          .lane(iterations.outerLanes[place])
          .child(occurrence, iterations.indices[place]);
  const streamOf = wholeStream ?? iterationStream;
  const most = Math.min(MOST_EXECUTIONS, Math.max(LEAST_EXECUTIONS, iterations.indices.length));
  let executions = 0;
  const restore = (): void => {
    machine.stream = stream;
    machine.address = address;
    machine.memo = memo;
    machine.run = run;
    machine.lanes = outer;
    machine.execution = execution;
  };
  while (waiting.length > 0) {
    const places = waiting.pop()!;
    if (++executions > most) throw new OneByOne('the iterations part into too many groups');
    const lanes = lanesAt(iterations, places, outer, streamOf);
    const takeBack = following.enter(lanes, places);
    const { again } = iterations;
    const laterIndices = again?.indices;
    if (laterIndices !== undefined) {
      lanes.changing = true;
      recording.current?.reindexed(lanes, () => Int32Array.from(picked(laterIndices(), places)));
    }
    machine.lanes = lanes;
    machine.run = runInLanes(run);
    machine.stream = asStream(lanes.streams);
    machine.address = wholeStream === undefined ? address.lanes() : address;
    machine.memo = new MemoLayer(memo);
    // Each group is an execution of its own: marks that another left at an address mean nothing to it.
    machine.execution = ++machine.executions;
    const laneStore = new LaneStore(store);
    machine.store = laneStore.store;
    try {
      const datum = datumOf(iterations, places, lanes);
      const index = laneValue([...lanes.indices], lanes, laterIndices && (() => picked(laterIndices(), places)));
      const value = body(datum, index);
      if (wholeStream === undefined && laneStore.communicates) {
        throw new OneByOne('an iteration reads from globalStore what another wrote');
      }
      restore();
      machine.store = store;
      stores.push(laneStore);
      following.leave();
      pieces.push({ lanes, places, value });
    } catch (thrown) {
      restore();
      machine.store = store;
      takeBack();
      if (!(thrown instanceof Diverged) || thrown.groups.length !== places.length) throw thrown;
      for (let group = thrown.count - 1; group >= 0; group--) {
        waiting.push(places.filter((_, i) => thrown.groups[i] === group));
      }
    }
  }
  printAll(pieces);
  const outcome = new Outcome(pieces, iterations, following.look);
  // The store of an execution ends with it.
  if (wholeStream === undefined) leaveStores(store, stores, (values) => outcome.last(values));
  return outcome;
}

/** The data of some of the iterations. */
function datumOf({ data, rows, again, parts }: Iteration, places: Int32Array, lanes: Lanes): unknown {
  if (parts !== undefined) return parts.map((part) => datumOf(part, places, lanes));
  if (rows !== undefined) {
    const all = places.length === rows.table.shape[0];
    const own = all ? asLanes(rows.table, lanes.space) : gather(rows.table, constant(places, SCALAR, lanes.space));
    return rows.isTruth ? gt(own as Node, 0) : own;
  }
  return laneValue(
    Array.from(places, (place) => data[place]),
    lanes,
    again && (() => picked(again.data(), places)),
  );
}

function lanesAt(
  { indices, outerLanes, executions }: Iteration,
  places: Int32Array,
  outer: Lanes | null,
  streamOf: (place: number) => RandomStream,
): Lanes {
  const space = subspace(
    places.length,
    places.map((place) => outerLanes[place]),
    outer,
  );
  const streams = new LaneStreams(places.length, (lane) => streamOf(places[lane]));
  return new Lanes(
    space,
    outer,
    places.map((place) => indices[place]),
    streams,
    executions !== undefined,
  );
}

function picked<T>(all: ArrayLike<T>, places: Int32Array): readonly T[] {
  const out = new Array<T>(places.length);
  for (let i = 0; i < out.length; i++) out[i] = all[places[i]];
  return out;
}
