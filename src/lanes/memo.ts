/**
 * `mem` in lanes. The results of a function that was made outside all lanes belong to no lane: it is called outside
 * of them, once for each argument that some lane asks for, and each lane gets the value for its own argument.
 */
import { somePart } from '../algebra/parts.ts';
import { during, machine } from '../runtime/machine.ts';
import { type Memoised, recall } from '../runtime/memo.ts';
import { OneByOne } from '../runtime/signals.ts';
import { constant } from '../tensor/leaves.ts';
import { CONSTANT, Node } from '../tensor/node.ts';
import { SCALAR } from '../tensor/shape.ts';
import { changedShape } from './lane-numbers.ts';
import { closedLanes, currentLanes, type Lanes } from './lanes.ts';
import { recording } from './recording.ts';
import { changeable, type Rerun } from './rerun.ts';
import { hasWritten } from './store.ts';
import { differs, laneAt, pick } from './value.ts';
import { variedOf } from './varied.ts';

const SHARED = 'iterations share what mem remembers';

/** The result of a function that remembers, for all lanes. */
export function recallInLanes(memo: Memoised, args: readonly unknown[]): unknown {
  const lanes = currentLanes()!;
  if (!args.some(differs)) return askedOutside(memo, args, lanes);
  if (args.some(isOfSide))
    throw new OneByOne('state', 'mem is asked on a side of a condition, with a value that was made there');
  const closed = closedLanes(lanes);
  const rerun = recording.current;
  const later = rerun === null ? undefined : laterKeys(memo, args, closed, rerun);
  const own = Array.from({ length: closed.size }, (_, lane) =>
    later === undefined ? args.map((value) => laneAt(value, lane, closed)) : later.now(lane),
  );
  const keys = own.map((each) => memo.keyOf(each));
  const places = new Map<unknown, number>();
  const values: unknown[] = [];
  const note = (key: unknown, value: unknown): void => {
    places.set(key, values.length);
    values.push(value);
  };
  keys.forEach((key, lane) => {
    if (places.has(key)) return;
    // (A later step would ask for others.)
    if (later !== undefined && memo.find(key) === undefined)
      rerun!.obstruct('state', 'mem is asked for the first time by what changes from step to step');
    note(key, askedOutside(memo, own[lane], lanes));
  });
  // Later steps may ask for everything that is remembered.
  if (later !== undefined) for (const [key, value] of memo.all()) if (!places.has(key)) note(key, value);
  const index = constant(
    Float64Array.from(keys, (key) => places.get(key)!),
    SCALAR,
    closed.space,
  );
  if (later === undefined) return pick(values, index);
  const changing = changeable(index);
  rerun!.changing(changing, () =>
    Float64Array.from(later.keys(), (key) => {
      const place = places.get(key);
      if (place === undefined) throw changedShape;
      return place;
    }),
  );
  return pick(values, changing);
}

/** Whether a value, or something in it, is of open lanes: those around have no such value. */
function isOfSide(value: unknown): boolean {
  if (value instanceof Node) return value.space?.isOpen === true;
  const varied = variedOf(value);
  if (varied === undefined) return typeof value === 'object' && value !== null && somePart(value, isOfSide);
  const { space } = varied.by ?? varied.lanes;
  return space?.isOpen === true || varied.table.some(isOfSide);
}

/** Calls it outside the lanes, unless it remembers. */
function askedOutside(memo: Memoised, args: readonly unknown[], lanes: Lanes): unknown {
  let outermost = lanes;
  for (let at: Lanes | null = lanes; at !== null; at = at.outer) {
    // Executions side by side remember each for itself.
    if (at.kind === 'executions' || at.kind === 'states') throw new OneByOne('state', SHARED);
    outermost = at;
  }
  if (memo.find(memo.keyOf(args)) === undefined) {
    // A side of a condition is recorded for all lanes, and some of them may not take it.
    if (lanes.space.isOpen) throw new OneByOne('state', 'mem is asked for the first time on a side of a condition');
    if (hasWritten(machine.store)) throw new OneByOne('state', SHARED);
  }
  const value = during({ lanes: null, memo: outermost.before! }, () => recall(memo, args, null));
  if (hasWritten(machine.store)) throw new OneByOne('state', SHARED);
  return value;
}

/** The arguments of lanes that other data will change: now, and the keys of a later step. Undefined if they do not. */
function laterKeys(memo: Memoised, args: readonly unknown[], lanes: Lanes, rerun: Rerun) {
  const found = args.map((value) => changesWith(value, lanes, rerun));
  if (found.every((of) => of === undefined)) return undefined;
  if (found.some((of, i) => of === undefined && differs(args[i]))) return undefined;
  const ofLane = (lane: number, values: readonly (readonly unknown[] | undefined)[]): unknown[] =>
    values.map((all, i) => (all === undefined ? args[i] : all[lane]));
  const current = found.map((of) => of?.now);
  return {
    now: (lane: number) => ofLane(lane, current),
    keys(): unknown[] {
      const values = found.map((of) => of?.later());
      return Array.from({ length: lanes.size }, (_, lane) => memo.keyOf(ofLane(lane, values)));
    },
  };
}

/** The plain values that lanes have of data that change from step to step; undefined of everything else. */
function changesWith(
  value: unknown,
  lanes: Lanes,
  rerun: Rerun,
): { readonly now: readonly unknown[]; later(): readonly unknown[] } | undefined {
  const inLanes = (all: ArrayLike<unknown>, map: Int32Array | null): unknown[] =>
    map === null ? Array.from(all) : Array.from(map, (lane) => all[lane]);
  if (value instanceof Node) {
    const again = value.op === CONSTANT || value.shape.length > 0 ? undefined : rerun.laterOf(value);
    if (again === undefined || value.space === null) return undefined;
    const map = lanes.mapTo(value.space);
    const plain = (numbers: ArrayLike<number>): unknown[] =>
      inLanes(value.dtype === 'bool' ? Array.from(numbers, (number) => number !== 0) : numbers, map);
    return { now: plain(value.elements()), later: () => plain(again() as ArrayLike<number>) };
  }
  const varied = variedOf(value);
  if (varied?.again === undefined) return undefined;
  const { table, index, again } = varied;
  const map = lanes.mapTo(varied.lanes.space);
  return {
    now: inLanes(
      Array.from(index, (place) => table[place]),
      map,
    ),
    later: () => inLanes(again(), map),
  };
}
