import { expandTo } from '../tensor/elementwise/record.ts';
import { gatherTo, scatterTo } from '../tensor/lane-gather.ts';
import { constant, toNode } from '../tensor/leaves.ts';
import { Node, shapeOf, type Value } from '../tensor/node.ts';
import { add, mergeLanes, mul, sumLanes } from '../tensor/ops.ts';
import { SCALAR } from '../tensor/shape.ts';
import type { Strand } from './record.ts';

/** A quantity of an item of a pass, for each lane around the item: the sum over the item's lanes, if it has several. */
export function overLanes(value: Value, { lanes }: Strand): Value {
  if (lanes === undefined) return value;
  const { space, outer, iterations } = lanes;
  if (value instanceof Node && value.space !== null && (value.space === space || value.space === iterations)) {
    const own = gatherTo(value, space);
    return outer === null ? sumLanes(own) : scatterTo(own, outer.space);
  }
  if (outer === null) return mul(space.size, value);
  if (space.isOpen) return scatterTo(expandTo(toNode(value), shapeOf(value), space), outer.space);
  const counts = new Float64Array(outer.size);
  for (const lane of lanes.around!) counts[lane]++;
  return mul(constant(counts, SCALAR, outer.space), value);
}

/** The sum over the items of a pass: per lane of the lanes around them. */
export function overItems(values: readonly Value[], items: readonly Strand[]): Value {
  if (items.length > 1 && items.every(({ lanes }) => lanes?.kind === 'side')) {
    // Each lane around is in one of them at most.
    const around = items[0].lanes!.outer!;
    return mergeLanes(
      around.space,
      values.map((value, i) => ({ value, space: items[i].lanes!.space })),
    );
  }
  return values.reduce<Value>((sum, value, i) => add(sum, overLanes(value, items[i])), 0);
}

/** A quantity summed over all the lanes of a strand, whatever is around them. */
export function overAll(value: Value, { lanes }: Strand): Value {
  if (lanes === undefined) return value;
  const isOne = !(value instanceof Node) || value.space === null;
  if (isOne && lanes.space.isOpen) return sumLanes(expandTo(toNode(value), shapeOf(value), lanes.space));
  if (isOne) return mul(lanes.size, value);
  return sumLanes(gatherTo(value, lanes.space));
}
