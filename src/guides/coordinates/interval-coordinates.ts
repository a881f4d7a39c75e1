import type { Interval } from '../../runtime/handler.ts';
import type { Node, Value } from '../../tensor/node.ts';
import * as ops from '../../tensor/ops.ts';
import type { Shape } from '../../tensor/shape.ts';
import type { Coordinates } from './coordinates.ts';

const total = (x: Value, shape: Shape): Value => (shape.length === 0 ? x : ops.sum(x as Node));

/** The logarithm of a number that is not negative, except by rounding. */
const logOf = (x: Value): Value => ops.log(ops.max(x, Number.MIN_VALUE) as Value);

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
    locate: (value) => logOf(side === 1 ? ops.sub(value, bound) : ops.sub(bound, value)),
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
    locate(value) {
      const least = ops.mul(ops.sub(upper as Value, lower as Value), 2 ** -53);
      return ops.sub(logOf(ops.sub(value, lower)), ops.log(ops.max(ops.sub(upper, value), least) as Value));
    },
  };
}
