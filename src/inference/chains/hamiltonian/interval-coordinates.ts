import type { Interval } from '../../../runtime/handler.ts';
import type { Node, Value } from '../../../tensor/node.ts';
import * as ops from '../../../tensor/ops.ts';
import type { Shape } from '../../../tensor/shape.ts';
import { Tensor } from '../../../tensor/tensor.ts';
import type { Continuous, Coordinates } from './coordinates.ts';

const total = (x: Value, shape: Shape): Value => (shape.length === 0 ? x : ops.sum(x as Node));

const each = (value: Continuous, f: (x: number) => number): Continuous =>
  typeof value === 'number' ? f(value) : new Tensor(value.dims, value.data.map(f));

/** Numbers between bounds, or tensors of them; each bound may be infinite, or a node. */
export function interval(shape: Shape, { lower, upper }: Interval): Coordinates {
  // Of bounds that are computed it is known that they are finite.
  const above = lower !== -Infinity;
  const below = upper !== Infinity;
  if (above && below) return between(shape, lower, upper);
  if (above) return beyond(shape, lower, 1);
  if (below) return beyond(shape, upper, -1);
  return { shape, place: (point) => ({ value: point, logVolume: 0 }), locate: (value) => value };
}

/** A bound plus or minus the exponential of the point. */
function beyond(shape: Shape, bound: number, side: 1 | -1): Coordinates {
  return {
    shape,
    place: (point) => ({
      value: side === 1 ? ops.add(bound, ops.exp(point)) : ops.sub(bound, ops.exp(point)),
      logVolume: total(point, shape),
    }),
    locate: (value) => each(value, (x) => Math.log(Math.max(side * (x - bound), Number.MIN_VALUE))),
  };
}

/** The sigmoid of the point, stretched to the interval. */
function between(shape: Shape, lower: number, upper: number): Coordinates {
  return {
    shape,
    place(point) {
      const width = ops.sub(upper as Value, lower as Value);
      const slopes = ops.add(ops.logSigmoid(point), ops.logSigmoid(ops.neg(point)));
      return {
        value: ops.add(lower, ops.mul(width, ops.sigmoid(point))),
        logVolume: total(ops.add(slopes, ops.log(width)), shape),
      };
    },
    locate: (value) =>
      each(value, (x) => {
        const left = Math.max(x - lower, Number.MIN_VALUE);
        const right = Math.max(upper - x, (upper - lower) * 2 ** -53);
        return Math.log(left) - Math.log(right);
      }),
  };
}
