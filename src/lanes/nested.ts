import { expandTo } from '../tensor/elementwise/record.ts';
import { fromLanes } from '../tensor/lane-gather.ts';
import { isNumeric, isTruth, type Node, shapeOf, type Value } from '../tensor/node.ts';
import { reshape, select, stack } from '../tensor/ops.ts';
import { sameShape } from '../tensor/shape.ts';
import { changedShape } from './lane-numbers.ts';
import { currentLanes, type Lanes } from './lanes.ts';
import { picksOf } from './picks.ts';
import { recording } from './recording.ts';
import { vectorOfResults } from './results.ts';
import type { Iteration } from './together.ts';
import { differs, holdsNode, standsForOthers } from './value.ts';
import { placesIn, type Varied, variedOf } from './varied.ts';
import { Zipped } from './zipped.ts';

/** The iterations of a construct outside lanes. Undefined if it has to be done item by item. */
export function ownIterations(data: ArrayLike<unknown>): Iteration | undefined {
  if (data instanceof Zipped) return abreast(data.lists.map((list) => ownIterations(list)));
  const results = vectorOfResults(data);
  if (results !== undefined) return alone([], results.shape[0], { table: results, isTruth: false });
  const items = Array.from(data);
  if (!items.some(isInGraph)) return items.some(differs) ? undefined : alone(items, items.length);
  const rows = rowsOf(items, null);
  return rows === undefined ? undefined : alone([], items.length, rows);
}

function alone(data: readonly unknown[], length: number, rows?: Iteration['rows']): Iteration {
  return { data, rows, indices: Int32Array.from({ length }, (_, i) => i), outerLanes: new Int32Array(length) };
}

/** Iterations over several lists: for each an item of every list. Undefined if they do not go together. */
function abreast(lists: readonly (Iteration | undefined)[]): Iteration | undefined {
  const [first] = lists;
  if (first === undefined) return undefined;
  const { indices, outerLanes } = first;
  const parts: Iteration[] = [];
  for (const list of lists) {
    if (list?.outerLanes.join() !== outerLanes.join()) return undefined;
    parts.push(list);
  }
  return { data: [], parts, indices, outerLanes };
}

/** The places of the items that a lane looks at, where that is not all of them: now, and in a later step. */
export interface Choosing {
  now(lane: number): Int32Array;
  later(lane: number): Int32Array;
}

/**
 * The iterations of a construct inside lanes, all of all lanes in one flat list: arrays that differ between the lanes,
 * also in length, are laid one after the other. Undefined if it has to be done item by item. `examples` are data of the form
 * of those that later steps look at, where these are not known.
 */
export function nestedIterations(
  data: ArrayLike<unknown>,
  choosing?: Choosing,
  examples?: ArrayLike<unknown>,
): Iteration | undefined {
  if (data instanceof Zipped) return abreast(data.lists.map((list) => nestedIterations(list)));
  const lanes = currentLanes()!;
  const each = <T>(of: (lane: number) => T): T[] => Array.from({ length: lanes.size }, (_, lane) => of(lane));
  const varied = variedOf(data);
  const map = varied === undefined || varied.by !== undefined ? null : lanes.mapTo(varied.lanes.space);
  const places = varied && placesOf(varied, lanes);
  const items = varied === undefined ? Array.from(data) : undefined;
  const arrayOf = (lane: number): ArrayLike<unknown> => items ?? (varied!.table[places![lane]] as ArrayLike<unknown>);
  if (items?.some(isInGraph)) {
    const rows = choosing === undefined ? rowsOf(items, lanes) : undefined;
    return rows && { ...flattened(each(arrayOf)), data: [], rows };
  }
  const again = varied?.again;
  const flat = flattened(each(arrayOf), choosing && each(choosing.now));
  if (flat.data.some((item) => holdsNode(item) || standsForOthers(item))) {
    // Items that are the same for whichever lane has them.
    const rows =
      again === undefined && choosing === undefined && !flat.data.some(differs) ? rowsOf(flat.data, null) : undefined;
    return rows && { ...flat, data: [], rows };
  }
  if ((again === undefined && choosing === undefined) || recording.current === null) return flat;
  const sizes = each((lane) => arrayOf(lane).length);
  return {
    ...flat,
    again: {
      data() {
        const arrays = again?.() as readonly ArrayLike<unknown>[] | undefined;
        const own = each((lane) => (arrays === undefined ? arrayOf(lane) : arrays[map === null ? lane : map[lane]]));
        if (own.some((array, lane) => array.length !== sizes[lane])) throw changedShape;
        return oneAfterTheOther(own, choosing && each(choosing.later));
      },
      indices: choosing && (() => each(choosing.later).flatMap((places) => [...places])),
      all: allItems(examples ?? items, varied),
    },
  };
}

/** All items that there are, in lists of which lanes have some in each step; undefined if that is not known. */
function allItems(items: ArrayLike<unknown> | undefined, varied: Varied | undefined): (() => unknown[]) | undefined {
  if (items !== undefined) return () => Array.from(items);
  const lists = varied?.again === undefined ? () => varied?.table : varied.again.all;
  return lists && (() => (lists() as readonly ArrayLike<unknown>[]).flatMap((list) => Array.from(list)));
}

/** Places of the lists that lanes have; whether later steps find others is up to `again`. */
const placesOf = (varied: Varied, lanes: Lanes): ArrayLike<number> => {
  if (varied.by !== undefined || varied.again === undefined) return placesIn(varied, lanes);
  const map = lanes.mapTo(varied.lanes.space);
  return map === null ? varied.index : map.map((lane) => varied.index[lane]);
};

const isInGraph = (item: unknown): boolean => holdsNode(item) || variedOf(item)?.by !== undefined;

/** Numbers or tensors of the graph, or values picked by some, which each lane has its own of, as rows of a table: those of one lane together. */
function rowsOf(given: readonly unknown[], lanes: Lanes | null): Iteration['rows'] | undefined {
  const picks = picksOf(given);
  const items = picks?.places ?? given;
  if (!items.every(isNumeric)) return undefined;
  const shape = shapeOf(items[0]);
  const truths = isTruth(items[0]);
  if (!items.every((item) => sameShape(shapeOf(item), shape) && isTruth(item) === truths)) return undefined;
  const numbers = truths ? items.map((item) => select(item as Value, 1, 0)) : items;
  const stacked = stack(numbers as Node[]) as Node;
  if (lanes === null) return { table: stacked, isTruth: truths, items: picks?.items };
  const own = fromLanes(expandTo(stacked, stacked.shape, lanes.space));
  return { table: reshape(own, [lanes.size * items.length, ...shape]) as Node, isTruth: truths, items: picks?.items };
}

/** The items of arrays in one: all of them, or what is chosen of each. */
function oneAfterTheOther(arrays: readonly ArrayLike<unknown>[], chosen?: readonly Int32Array[]): readonly unknown[] {
  // Many times as fast as item by item. (There may be more arrays than a call can have arguments.)
  if (chosen === undefined && arrays.length < 1000 && arrays.every(Array.isArray))
    return [].concat(...(arrays as never[]));
  const data: unknown[] = [];
  for (let lane = 0; lane < arrays.length; lane++) {
    const array = arrays[lane];
    const places = chosen?.[lane];
    if (places === undefined) for (let i = 0; i < array.length; i++) data.push(array[i]);
    else for (let i = 0; i < places.length; i++) data.push(array[places[i]]);
  }
  return data;
}

/** Arrays one after the other, with the places of their items. */
function flattened(arrays: readonly ArrayLike<unknown>[], chosen?: readonly Int32Array[]): Iteration {
  const indices: number[] = [];
  const outerLanes: number[] = [];
  arrays.forEach((array, lane) => {
    const places = chosen?.[lane];
    const count = places === undefined ? array.length : places.length;
    for (let k = 0; k < count; k++) {
      indices.push(places === undefined ? k : places[k]);
      outerLanes.push(lane);
    }
  });
  const data = oneAfterTheOther(arrays, chosen);
  return { data, indices: Int32Array.from(indices), outerLanes: Int32Array.from(outerLanes) };
}
