/**
 * Lanes: the iterations of a mapping construct, executed side by side as one execution. `mapData` under the ELBO runs its
 * body once for all data. Take a mixture whose branches differ:
 *
 * ```
 * mapData({data: [0.3, -1.2, 2.5]}, y => {          lanes      y = [0.3, -1.2, 2.5]   one node, lane axis of 3
 *   if (y > 1) {                                    y > 1  = [no, no, yes]            looked at: the lanes disagree
 *     const x = sample(Gaussian({mu: 1, sigma}));   ── taken back; two groups start again ──
 *     observe(Gaussian({mu: x, sigma}), y);         group A: lanes 0, 1   y = [0.3, -1.2]   takes the second branch
 *   } else {                                        group B: lane 2       y = [2.5]         takes the first
 *     observe(Gaussian({mu: 0, sigma}), y);
 *   }                                               the record of the pass holds one strand per group
 * });
 * ```
 *
 * - **Values.** A number, truth value or tensor that differs between lanes is a node with a lane axis. Any other value is a
 *   table of distinct values with an index for each lane, behind a proxy that gives fields for all lanes at once
 *   (`value.ts`). Where a choice picks such a value from a list, the index is a node, too (`varied.ts`). An index that
 *   differs gathers items (`indexing.ts`).
 * - **Groups.** Where a program looks at a value on which the lanes do not agree, `Diverged` is thrown. `together.ts` takes
 *   back what was recorded, and each group starts the body again. So any control flow is right, and nothing is ever resumed
 *   half way.
 * - **Branches.** With many conditions there would be as many groups as lanes. Where there are more than a few, conditionals
 *   branch from then on (`optimize/disagreements.ts`). Each side is a function, and is run for the lanes that take it
 *   (`sides.ts`): lanes of their own in a space below the others, with the same addresses and streams that go on. What the
 *   sides return is merged (`merging.ts`), and so are variables and the store that they change (`lifting/conditions.ts`).
 *   Where a side is no function, as a loop's body with `break`, or values cannot be merged, lanes form groups from the start
 *   of the side they are on.
 * - **Choices.** Lanes draw from the streams that they would have alone (`streams.ts`), and have the parameters and baselines
 *   that they would have alone. Lanes on different sides make different numbers of choices: `streams.ts` counts for each
 *   lane, and `encounters.ts` knows the address of a choice that some lanes meet again.
 * - **One by one.** What cannot be done for many at once throws `OneByOne` with a reason. The pass then runs one datum after
 *   the other, now and from then on, and `--explain-batching` says why. An error that a lane meets has the same effect, and
 *   then names its datum.
 * - **Variables.** A variable that inner functions change belongs to the group of lanes in which it was made: functions that
 *   have one note in which execution they were called, and `$L.writing` compares. Other changes throw `OneByOne`.
 * - **Other constructs.** Passes inside passes are laid out flat (`nested.ts`). `map`, `repeat` and their like inside models
 *   run as lanes, too, if they have a few iterations and form few groups (`library/iterating.ts`); their record is an
 *   _ordered_ pass, since a choice may affect later iterations. Several samples of the ELBO are lanes around all others
 *   (`optimize/executions.ts`): whole executions, with the addresses that they have alone.
 * - **Results.** What iterations return is an array whose items are taken from the graph when the program looks at them, and
 *   so is what they leave in `globalStore` (`results.ts`, `store.ts`). Text that they print is kept until all have ended
 *   (`printing.ts`).
 *
 * The law: side by side and one by one (`--sequential`) give the same choices, objectives and gradients.
 * `test/lanes/law.test.ts` holds programs to it, and `random.test.ts` those that `random-program.ts` makes up. A new feature
 * of lanes adds a program to the one and a form to the other. An operation that is recorded with operations of the engine
 * needs nothing for lanes, since these carry the lane axis.
 */
import { type LaneContext, machine } from '../runtime/machine.ts';
import type { MemoLayer } from '../runtime/memo.ts';
import { Diverged } from '../runtime/signals.ts';
import { LaneSpace } from '../tensor/lane-space.ts';
import type { Node } from '../tensor/node.ts';
import { openSpace } from '../tensor/partition.ts';
import { recording } from './recording.ts';
import type { LaneStreams } from './streams.ts';

/**
 * Lanes are the iterations of a construct, whole executions, states that one iteration may be in, or the lanes that take one
 * side of a conditional. In the last three cases addresses are those around them.
 */
type LaneKind = 'iterations' | 'executions' | 'states' | 'side';

export class Lanes implements LaneContext {
  constructor(
    readonly space: LaneSpace,
    /** The lanes around these, if the construct is inside another. */
    readonly outer: Lanes | null,
    /** For each lane, the index of its iteration; for a side that of the lane around it. */
    readonly indices: Int32Array,
    readonly streams: LaneStreams,
    readonly kind: LaneKind = 'iterations',
    /** Whether lanes that disagree on a condition branch: each side is run for those that take it. */
    readonly branches = false,
    /**
     * Where several lanes stand for one iteration, one after the other: the space of the iterations, between that of the lanes and that of those
     * around them. What is the same for all lanes of an iteration is there, and what is computed from it is computed once.
     */
    readonly iterations: LaneSpace | null = null,
  ) {
    this.changing = outer?.changing === true;
  }

  /** Whether they disagreed on a condition, and each side was run by those that take it. */
  branched = false;
  /** Whether those on a side formed groups, each of which ran it. */
  parted = false;
  /** How often a side was run by some of them. */
  sides = 0;
  /** How often it would have been if each iteration had run by itself, with the values that are tried in it. */
  sidesApart = 0;
  /** What `mem` had remembered before they began, and what is remembered for all of them; null on sides of conditionals. */
  before: MemoLayer | null = null;
  /** Counts how often the lanes were given other data, for caches that depend on their indices. */
  version = 0;
  /** Whether later steps will give them, or the lanes around them, other data. */
  changing: boolean;

  get size(): number {
    return this.space.size;
  }

  /** For each lane, the lane around it; null if there are none around. */
  get around(): Int32Array | null {
    return this.outer === null ? null : this.space.mapTo(this.outer.space);
  }

  /** For each lane, the lane of `space` it is in or comes from. */
  mapTo(space: LaneSpace): Int32Array | null {
    if (this.space === space) return null;
    this.told();
    return this.space.mapTo(space);
  }

  /** The indices of these lanes are asked for: a recording with open lanes does not know them. */
  private told(): void {
    if (this.space.isOpen)
      recording.current?.obstruct('courses', 'what is done depends on which iterations take a side');
  }

  agree(node: Node): number | boolean {
    const numbers = laneNumbers(node, this);
    for (let i = 1; i < numbers.length; i++) if (numbers[i] !== numbers[0]) diverge(numbers);
    return node.dtype === 'bool' ? numbers[0] !== 0 : numbers[0];
  }

  /** The number of the whole execution that a lane is in, where several run side by side. */
  execution(lane: number): number | undefined {
    this.told();
    let at = lane;
    for (let lanes: Lanes | null = this; lanes !== null; lanes = lanes.outer) {
      if (lanes.kind === 'executions') return lanes.indices[at];
      if (lanes.around !== null) at = lanes.around[at];
    }
    return undefined;
  }

  /** The indices of all iterations that a lane is in, outermost first: what tells its data apart. */
  path(lane: number): number[] {
    this.told();
    const path: number[] = [];
    let at = lane;
    for (let lanes: Lanes | null = this; lanes !== null; lanes = lanes.outer) {
      if (lanes.kind === 'iterations') path.push(lanes.indices[at]);
      if (lanes.around !== null) at = lanes.around[at];
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
  machine.handler.looksAt?.(node);
  const data = node.elements();
  if (node.space === null) return new Float64Array(lanes.size).fill(data[0]);
  const map = lanes.mapTo(node.space);
  if (map === null) return data;
  return Float64Array.from(map, (lane) => data[lane]);
}

/** These lanes, or the nearest around them, that are not open. */
export function closedLanes(lanes: Lanes): Lanes {
  let at = lanes;
  while (at.space.isOpen) at = at.outer!;
  return at;
}

/** The lanes that take a side of a conditional: open, so that they may be others in later steps; now those at these places. */
export function openLanesOfSide(
  around: Lanes,
  condition: Node,
  which: boolean,
  places: Int32Array,
  streams: LaneStreams,
): Lanes {
  const space = openSpace(around.space, condition, which, places);
  const indices = places.map((place) => around.indices[place]);
  return new Lanes(space, around, indices, streams.someOpen(places, space), 'side', true);
}

/** The lanes at these places, which take a side of a conditional; `streams` are those of the lanes around. */
export function lanesOfSide(around: Lanes, places: Int32Array, streams: LaneStreams): Lanes {
  const space = subspace(places.length, places, around);
  const indices = places.map((place) => around.indices[place]);
  return new Lanes(space, around, indices, streams.some(places), 'side', around.branches);
}

/** A new space below the current lanes. */
export function subspace(size: number, map: Int32Array, outer: Lanes | null): LaneSpace {
  return outer === null ? new LaneSpace(size) : new LaneSpace(size, outer.space, map);
}
