import { scatterTo } from '../tensor/lane-gather.ts';
import { constant } from '../tensor/leaves.ts';
import { Node, type Value } from '../tensor/node.ts';
import { mul, sumLanes } from '../tensor/ops.ts';
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
