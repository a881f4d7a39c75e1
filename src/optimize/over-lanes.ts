import { gatherTo, scatterTo } from '../tensor/lane-gather.ts';
import { constant } from '../tensor/leaves.ts';
import { Node, type Value } from '../tensor/node.ts';
import { add, mergeLanes, mul, sumLanes } from '../tensor/ops.ts';
import { SCALAR } from '../tensor/shape.ts';
import type { Chain } from './record.ts';

/** A quantity of an item of a pass, summed over its lanes if it stands for several: per lane of the lanes around it. */
export function overLanes(value: Value, { lanes }: Chain): Value {
  if (lanes === undefined) return value;
  const { space, outer } = lanes;
  const own = value instanceof Node && value.space === space;
  if (outer === null) return own ? sumLanes(value) : mul(space.size, value);
  if (own) return scatterTo(value, outer.space);
  const counts = new Float64Array(outer.size);
  for (const lane of space.map!) counts[lane]++;
  return mul(constant(counts, SCALAR, outer.space), value);
}

/** The sum over the items of a pass: per lane of the lanes around them. */
export function overItems(values: readonly Value[], items: readonly Chain[]): Value {
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

/** A quantity summed over all the lanes of a chain, whatever is around them. */
export function overAll(value: Value, { lanes }: Chain): Value {
  if (lanes === undefined) return value;
  if (!(value instanceof Node) || value.space === null) return mul(lanes.size, value);
  return sumLanes(gatherTo(value, lanes.space));
}
