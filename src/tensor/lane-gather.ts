/** Values of one lane space in another: gathering into a descendant, summing back into an ancestor. */
import { laneGatherKernel, laneScatterKernel } from './kernels/lanes.ts';
import { type LaneSpace, meetingSpace } from './lane-space.ts';
import { constant } from './leaves.ts';
import { engineMode } from './mode.ts';
import { kernelOp, Node, Op } from './node.ts';
import { SCALAR, ShapeError } from './shape.ts';

/** (value of the ancestor, map) → value of the descendant. */
export const LANE_GATHER = kernelOp('laneGather', laneGatherKernel);
LANE_GATHER.selects = true;
/** (value of the descendant, map) → value of the ancestor: the sum over the lanes that come from each. */
export const LANE_SCATTER = kernelOp('laneScatter', laneScatterKernel);

/** The first axis of a value without lanes, taken for the lane axis, and back: the elements stay where they are. */
export const AS_LANES = new Op('asLanes', 'view');
export const FROM_LANES = new Op('fromLanes', 'view');

/** The composed map as a node of the descendant. */
export function mapNode(space: LaneSpace, ancestor: LaneSpace): Node {
  const { mapNodes } = space;
  for (let i = 0; i < mapNodes.length; i += 2) if (mapNodes[i] === ancestor) return mapNodes[i + 1] as Node;
  const node = space.isOpen ? openMap(space, ancestor) : constant(space.mapTo(ancestor), SCALAR, space);
  mapNodes.push(ancestor, node);
  return node;
}

/** The same for lanes that each run of a plan finds anew. */
function openMap(space: LaneSpace, ancestor: LaneSpace): Node {
  const parent = space.parent as LaneSpace;
  return parent === ancestor ? (space.partition as Node) : gatherTo(mapNode(parent, ancestor), space);
}

/** How many spaces a value is remembered in. */
const MOST_GATHERED = 8;

/** The values of a graph that is not evaluated again for which spaces are remembered. */
const gathered: Node[] = [];

/** Forgets in which spaces the values of such a graph were used. */
export function forgetGathered(): void {
  for (const node of gathered) node.gathered = null;
  gathered.length = 0;
}

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
    if (engineMode.growing) gathered.push(node);
  } else {
    // Otherwise data that last for a whole run would keep the spaces of all its steps in memory.
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

/** A value without lanes whose first axis has an entry for each lane, as the value that has that entry in each lane. */
export function asLanes(node: Node, space: LaneSpace): Node {
  if (node.space !== null || node.shape[0] !== space.size) {
    throw new ShapeError(
      `asLanes: a value of shape [${node.shape.join(', ')}] has no entry for each of ${space.size} lanes.`,
    );
  }
  if (node.op === FROM_LANES && node.inputs[0].space === space) return node.inputs[0];
  return new Node(AS_LANES, [node], null, node.shape.slice(1), node.dtype, space);
}

/** A value of lanes as a value without, whose first axis goes over the lanes. */
export function fromLanes(node: Node): Node {
  if (node.space === null) throw new ShapeError('fromLanes: a value without lanes has no lane axis.');
  if (node.op === AS_LANES) return node.inputs[0];
  return new Node(FROM_LANES, [node], null, node.dims, node.dtype, null);
}
