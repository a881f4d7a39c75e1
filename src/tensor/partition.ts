/**
 * Operations whose results depend on the way that lanes take through a program: which lanes take a side of a
 * conditional, and the random numbers of lanes that have made different numbers of choices. They are operations like
 * others, so that one plan serves steps in which lanes part differently.
 */
import { gatherTo } from './lane-gather.ts';
import { LaneSpace } from './lane-space.ts';
import { type Attributes, type Data, type Kernel, kernelOp, Node } from './node.ts';
import { normalOf, uniformOf } from './normals.ts';
import { philox } from './philox.ts';
import { SCALAR, type Shape, sizeOf } from './shape.ts';

export interface PartitionAttributes extends Attributes {
  /** Whether these are the lanes for which the condition holds, or the others. */
  readonly which: boolean;
}

/** The places where a condition holds, or those where it does not; how many they are. */
export function placesWhere(condition: ArrayLike<number>, count: number, which: boolean, out: Data): number {
  let found = 0;
  for (let lane = 0; lane < count; lane++) {
    const number = condition[lane];
    // NaN is false.
    if ((number !== 0 && !Number.isNaN(number)) === which) out[found++] = lane;
  }
  return found;
}

const partitionKernel: Kernel = (out, [condition], attributes) => {
  placesWhere(condition.data, condition.data.length, (attributes as PartitionAttributes).which, out.data);
};

/** (condition) → the lanes for which it holds, in the space of these. */
export const PARTITION = kernelOp('partition', partitionKernel);

const SIDES: readonly PartitionAttributes[] = [
  { key: 'else', which: false },
  { key: 'then', which: true },
];

/**
 * The lanes of a space that take a side of a conditional. `now` are those that take it in this step; a plan finds them
 * in each run, and may find others, as long as there is one.
 */
export function openSpace(parent: LaneSpace, condition: Node, which: boolean, now: Int32Array): LaneSpace {
  const space = new LaneSpace(now.length, parent, now, true);
  space.partition = new Node(PARTITION, [gatherTo(condition, parent)], SIDES[which ? 1 : 0], SCALAR, 'i32', space);
  space.partition.data = now;
  return space;
}

export interface NoiseAttributes extends Attributes {
  readonly kind: 'gaussian' | 'uniform';
  readonly each: number;
}

const noiseKernel: Kernel = (out, [choice, map, key0, key1], attributes) => {
  const { kind, each } = attributes as NoiseAttributes;
  fillNoise(kind, each, choice.data, map.data, key0.data, key1.data, map.data.length, out.data);
};

/** The numbers of lanes at their choices: the streams of the lanes they come from have these keys. */
export function fillNoise(
  kind: NoiseAttributes['kind'],
  each: number,
  choice: ArrayLike<number>,
  map: ArrayLike<number>,
  key0: ArrayLike<number>,
  key1: ArrayLike<number>,
  count: number,
  out: Data,
): void {
  for (let lane = 0; lane < count; lane++) {
    const first = key0[map[lane]];
    const second = key1[map[lane]];
    const at = choice[lane];
    for (let i = 0; i < each; i++) {
      const words = philox(i >> 1, at, 0, 0, first, second);
      const half = 2 * (i & 1);
      out[lane * each + i] =
        kind === 'uniform'
          ? uniformOf(words[half], words[half + 1])
          : normalOf(words[half], words[half + 1], first, second, at, 0, i);
    }
  }
}

/** (choice, map, key, key) → random numbers, for each lane some from its stream at its choice. */
export const LANE_NOISE = kernelOp('laneNoise', noiseKernel);

/** So many random numbers of a kind for each lane of the space of `choice`; keys are those of the lanes that `map` names. */
export function laneNoiseAt(
  kind: NoiseAttributes['kind'],
  shape: Shape,
  choice: Node,
  map: Node,
  key0: Node,
  key1: Node,
): Node {
  const each = sizeOf(shape);
  const attributes: NoiseAttributes = { key: `${kind} ${each}`, kind, each };
  return new Node(LANE_NOISE, [choice, map, key0, key1], attributes, shape, 'f64', choice.space);
}
