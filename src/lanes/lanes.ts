/**
 * Lanes: the iterations of a mapping construct, executed side by side as one execution. Numbers and tensors that differ
 * between them are nodes with a lane axis; other values are tables with an index per lane (`varied.ts`).
 */
import { type LaneContext, machine } from '../runtime/machine.ts';
import { Diverged } from '../runtime/signals.ts';
import { LaneSpace } from '../tensor/lane-space.ts';
import type { Node } from '../tensor/node.ts';
import { recording } from './recording.ts';
import type { LaneStreams } from './streams.ts';

/**
 * What lanes are: the iterations of a construct; whole executions; or those of the lanes around them that take one side of
 * a conditional. In the last two everything has the address that it has around them.
 */
type LaneKind = 'iterations' | 'executions' | 'side';

export class Lanes implements LaneContext {
  constructor(
    readonly space: LaneSpace,
    /** The lanes around these, if the construct is inside another. */
    readonly outer: Lanes | null,
    /** For each lane, the index of its iteration; for a side that of the lane around it. */
    readonly indices: Int32Array,
    readonly streams: LaneStreams,
    readonly kind: LaneKind = 'iterations',
    /** Whether the sides of a conditional on which they disagree are run each by those that take it. */
    readonly branches = false,
  ) {
    this.changing = outer?.changing === true;
  }

  /** Whether they disagreed on a condition, and each side was run by those that take it. */
  branched = false;
  /** Counts how often the lanes were given other data, for those who remember something about their indices. */
  version = 0;
  /** Whether later steps will give them, or the lanes around them, other data. */
  changing: boolean;

  get size(): number {
    return this.space.size;
  }

  /** For each lane, the lane of `space` it is in or comes from. */
  mapTo(space: LaneSpace): Int32Array | null {
    return this.space === space ? null : this.space.mapTo(space);
  }

  agree(node: Node): number | boolean {
    const numbers = laneNumbers(node, this);
    for (let i = 1; i < numbers.length; i++) if (numbers[i] !== numbers[0]) diverge(numbers);
    return node.dtype === 'bool' ? numbers[0] !== 0 : numbers[0];
  }

  /** The number of the whole execution that a lane is in, where several run side by side. */
  execution(lane: number): number | undefined {
    let at = lane;
    for (let lanes: Lanes | null = this; lanes !== null; lanes = lanes.outer) {
      if (lanes.kind === 'executions') return lanes.indices[at];
      if (lanes.space.map !== null) at = lanes.space.map[at];
    }
    return undefined;
  }

  /** The indices of all iterations that a lane is in, outermost first: what tells its data apart. */
  path(lane: number): number[] {
    const path: number[] = [];
    let at = lane;
    for (let lanes: Lanes | null = this; lanes !== null; lanes = lanes.outer) {
      if (lanes.kind === 'iterations') path.push(lanes.indices[at]);
      if (lanes.space.map !== null) at = lanes.space.map[at];
    }
    return path.reverse();
  }
}

/** The lanes in force, if any. */
export function currentLanes(): Lanes | null {
  return machine.lanes as Lanes | null;
}

/** Splits the current lanes by a label for each. */
export function diverge(labels: ArrayLike<unknown>): never {
  const numbers = new Map<unknown, number>();
  const groups = new Int32Array(labels.length);
  for (let i = 0; i < groups.length; i++) {
    let number = numbers.get(labels[i]);
    if (number === undefined) {
      number = numbers.size;
      numbers.set(labels[i], number);
    }
    groups[i] = number;
  }
  throw new Diverged(groups, numbers.size);
}

/** The numbers of a node without axes, one for each of the current lanes. */
export function laneNumbers(node: Node, lanes: Lanes): ArrayLike<number> {
  recording.current?.lookedAt(node);
  const data = node.elements();
  if (node.space === null) return new Float64Array(lanes.size).fill(data[0]);
  const map = lanes.mapTo(node.space);
  if (map === null) return data;
  return Float64Array.from(map, (lane) => data[lane]);
}

/** Those of some lanes, at these places, that take a side of a conditional; `streams` are those of the lanes around. */
export function lanesOfSide(around: Lanes, places: Int32Array, streams: LaneStreams): Lanes {
  const space = subspace(places.length, places, around);
  const indices = places.map((place) => around.indices[place]);
  return new Lanes(space, around, indices, streams.some(places), 'side', around.branches);
}

/** A new space below the current lanes. */
export function subspace(size: number, map: Int32Array, outer: Lanes | null): LaneSpace {
  return outer === null ? new LaneSpace(size) : new LaneSpace(size, outer.space, map);
}
