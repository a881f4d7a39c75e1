/**
 * Unconstrained coordinates of a choice: every value in the support of its distribution is at one point of a space
 * without bounds, in which Hamiltonian dynamics can move freely. Densities there are those of the values times the
 * volume a value's neighbourhood takes up (the Jacobian).
 *
 * Maps are written in operations that take numbers, tensors and graph nodes alike: bounds may depend on other choices.
 */
import { kindOf } from '../../distributions/of-family.ts';
import { correlationFactors, covariances, probabilityVectors, type ValueKind } from '../../distributions/value-kind.ts';
import type { Distribution, Interval } from '../../runtime/handler.ts';
import type { Value } from '../../tensor/node.ts';
import type { Shape } from '../../tensor/shape.ts';
import { Tensor } from '../../tensor/tensor.ts';
import { interval } from './interval-coordinates.ts';
import { correlationFactor, covarianceMatrix } from './matrix-coordinates.ts';
import { simplex } from './simplex-coordinates.ts';

/** A value of a continuous choice. */
export type Continuous = number | Tensor;

/** The value at a point, and the log of how much the map stretches volumes there. */
export interface Place {
  readonly value: Value;
  readonly logVolume: Value;
}

export interface Coordinates {
  /** The dims of points: none for a number. */
  readonly shape: Shape;
  place(point: Value): Place;
  /** The point whose value this is. */
  locate(value: Value): Value;
}

const WHOLE_LINE: Interval = { lower: -Infinity, upper: Infinity };

/** Makes coordinates of values of some dims. */
type Maker = (dims: Shape) => Coordinates;

/** Values that are more than numbers in a row. */
const makers = new Map<ValueKind<unknown> | undefined, Maker>([
  [probabilityVectors, simplex],
  [correlationFactors, correlationFactor],
  [covariances, covarianceMatrix],
]);

/** The coordinates of a distribution's values, of the same dims as the one given. */
export function coordinatesOf(distribution: Distribution<unknown>, value: Continuous): Coordinates {
  return coordinatesFor(distribution, value instanceof Tensor ? value.dims : []);
}

/** The same for values of some dims: none for numbers. */
export function coordinatesFor(distribution: Distribution<unknown>, dims: Shape): Coordinates {
  const { dists } = distribution.params as { dists?: readonly Distribution<unknown>[] };
  // The components of a mixture are of one kind.
  const kind = distribution.name === 'Mixture' && dists !== undefined ? dists[0] : distribution;
  const make = makers.get(kindOf(kind));
  if (make !== undefined) return make(dims);
  const bounds = (distribution.support?.() ?? WHOLE_LINE) as Interval;
  return interval(dims, bounds);
}
