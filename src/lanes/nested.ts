import { Node } from '../tensor/node.ts';
import { currentLanes } from './lanes.ts';
import { recording } from './rerun.ts';
import type { Iteration } from './together.ts';
import { changedShape, differs, variedOf } from './value.ts';

/**
 * The iterations of a construct inside lanes, all of all lanes in one flat list: arrays that differ between the lanes,
 * also in length, are laid one after the other. Undefined if it has to be done item by item.
 */
export function nestedIterations(data: ArrayLike<unknown>): Iteration | undefined {
  const lanes = currentLanes()!;
  const varied = variedOf(data);
  if (varied === undefined) {
    const items = Array.from(data);
    if (items.some((item) => item instanceof Node || differs(item))) return undefined;
    return flattened(Array.from({ length: lanes.size }, () => items));
  }
  const map = lanes.mapTo(varied.lanes.space);
  const arrayOf = (lane: number): ArrayLike<unknown> =>
    varied.table[varied.index[map === null ? lane : map[lane]]] as ArrayLike<unknown>;
  const flat = flattened(Array.from({ length: lanes.size }, (_, lane) => arrayOf(lane)));
  const { again } = varied;
  if (again === undefined || recording.current === null) return flat;
  const sizes = Array.from({ length: lanes.size }, (_, lane) => arrayOf(lane).length);
  return {
    ...flat,
    again: {
      data() {
        const arrays = again() as readonly ArrayLike<unknown>[];
        const own = Array.from({ length: lanes.size }, (_, lane) => arrays[map === null ? lane : map[lane]]);
        if (own.some((array, lane) => array.length !== sizes[lane])) throw changedShape;
        return flattened(own).data;
      },
    },
  };
}

function flattened(arrays: readonly ArrayLike<unknown>[]): Iteration {
  const data: unknown[] = [];
  const indices: number[] = [];
  const outerLanes: number[] = [];
  arrays.forEach((array, lane) => {
    for (let i = 0; i < array.length; i++) {
      data.push(array[i]);
      indices.push(i);
      outerLanes.push(lane);
    }
  });
  return { data, indices: Int32Array.from(indices), outerLanes: Int32Array.from(outerLanes) };
}
