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

export class Lanes implements LaneContext {
  constructor(
    readonly space: LaneSpace,
    /** The lanes around these, if the construct is inside another. */
    readonly outer: Lanes | null,
    /** For each lane, the index of its iteration. */
    readonly indices: Int32Array,
    readonly streams: LaneStreams,
    /** Whether they are whole executions, in which everything has the same address. */
    readonly whole = false,
  ) {
    this.changing = outer?.changing === true;
  }

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

  /** The indices of all iterations that a lane is in, outermost first: what tells its data apart. */
  path(lane: number): number[] {
    const path: number[] = [];
    let at = lane;
    for (let lanes: Lanes | null = this; lanes !== null; lanes = lanes.outer) {
      if (!lanes.whole) path.push(lanes.indices[at]);
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

/** A new space below the current lanes. */
export function subspace(size: number, map: Int32Array, outer: Lanes | null): LaneSpace {
  return outer === null ? new LaneSpace(size) : new LaneSpace(size, outer.space, map);
}
