/** The sizes of the values that distributions draw, as far as their parameters say. */
import type { FamilyDefinition } from '../distributions/family.ts';
import type { ValueKind } from '../distributions/value-kind.ts';
import type { Distribution } from '../runtime/handler.ts';
import type { Shape } from '../tensor/shape.ts';

type AnyDistribution = Distribution<unknown>;
type Definition = Partial<FamilyDefinition<object, unknown>>;

/** The definition of the family that a distribution is of. */
export const definitionOf = (distribution: AnyDistribution): Definition | undefined =>
  (distribution as { family?: Definition }).family;

/** The kind of values that a distribution of some family is over. */
export const kindOf = (distribution: AnyDistribution): ValueKind<unknown> | undefined =>
  distribution.name === 'Flow'
    ? kindOf((distribution.params as { base: AnyDistribution }).base)
    : definitionOf(distribution)?.values;

/** A vector is a column. */
const asVector = (dims: Shape | undefined): Shape | undefined =>
  dims?.length === 2 && dims[1] === 1 ? [dims[0]] : dims;

/** The dims of what a distribution draws, with a vector as a column; undefined if it draws no tensors, or they are not known. */
export const drawnDims = (distribution: AnyDistribution): Shape | undefined =>
  definitionOf(distribution)?.dims?.(distribution.params);

export function dimsOf(distribution: AnyDistribution): Shape | undefined {
  const { base } = distribution.params as { base?: AnyDistribution };
  return distribution.name === 'Flow' ? base && dimsOf(base) : asVector(drawnDims(distribution));
}

/** How many values there are, counted from 0; undefined for other kinds of distribution, or if it is not known now. */
export const drawnCount = (distribution: AnyDistribution): number | undefined =>
  definitionOf(distribution)?.count?.(distribution.params);

/** Dims as messages say them. */
export function shownDims(dims: readonly number[]): string {
  if (dims.length === 1) return `vectors of length ${dims[0]}`;
  return dims.length === 2 ? `matrices of dims [${dims.join(', ')}]` : `tensors of dims [${dims.join(', ')}]`;
}
