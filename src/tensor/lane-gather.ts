/** Values of one lane space in another: gathering into a descendant, summing back into an ancestor. */
import { laneGatherKernel, laneScatterKernel } from './kernels/lanes.ts';
import { type LaneSpace, meetingSpace } from './lane-space.ts';
import { constant } from './leaves.ts';
import { kernelOp, Node } from './node.ts';
import { SCALAR, ShapeError } from './shape.ts';

/** (value of the ancestor, map) → value of the descendant. */
export const LANE_GATHER = kernelOp('laneGather', laneGatherKernel);
/** (value of the descendant, map) → value of the ancestor: the sum over the lanes that come from each. */
export const LANE_SCATTER = kernelOp('laneScatter', laneScatterKernel);

const mapNodes = new WeakMap<Int32Array, Node>();

/** The composed map as a node of the descendant. */
export function mapNode(space: LaneSpace, ancestor: LaneSpace): Node {
  const map = space.mapTo(ancestor);
  let node = mapNodes.get(map);
  if (node === undefined) {
    node = constant(map, SCALAR, space);
    mapNodes.set(map, node);
  }
  return node;
}

/** How many spaces a value is remembered in. */
const MOST_GATHERED = 8;

export function gatherTo(node: Node, space: LaneSpace): Node {
  if (node.space === space || node.space === null) return node;
  const known = node.gathered;
  if (known !== null) for (let i = 0; i < known.length; i++) if (known[i].space === space) return known[i];
  if (meetingSpace('gather', node.space, space) !== space) {
    throw new ShapeError(`A value of ${node.space.size} lanes is used in a space that does not descend from its own.`);
  }
  const dtype = node.dtype;
  const out = new Node(LANE_GATHER, [node, mapNode(space, node.space)], null, node.shape, dtype, space);
  if (known === null) {
    node.gathered = [out];
  } else {
    // Data kept for a whole run would otherwise collect the spaces of all its steps.
    if (known.length === MOST_GATHERED) known.shift();
    known.push(out);
  }
  return out;
}

/** Sums over the lanes of `node` that come from the same lane of `ancestor`. */
export function scatterTo(node: Node, ancestor: LaneSpace): Node {
  if (node.space === ancestor) return node;
  if (node.space === null) throw new ShapeError('A value without lanes cannot be summed into a lane space.');
  return new Node(LANE_SCATTER, [node, mapNode(node.space, ancestor)], null, node.shape, node.dtype, ancestor);
}
