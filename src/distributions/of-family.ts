/** What is known of a distribution by the family that it is of. */
import type { Distribution } from '../runtime/handler.ts';
import { lifting } from '../runtime/lifting.ts';
import { TooManyValues } from '../runtime/too-many-values.ts';
import type { Shape } from '../tensor/shape.ts';
import type { FamilyDefinition } from './family.ts';
import { reals, truthValues, type ValueKind, wholeNumbers } from './value-kind.ts';

type AnyDistribution = Distribution<unknown>;
type Definition = Partial<FamilyDefinition<object, unknown>>;

/** The definition of the family. */
export const definitionOf = (distribution: AnyDistribution): Definition | undefined =>
  (distribution as { family?: Definition }).family;

/** The kind of values that a distribution of some family is over. */
export const kindOf = (distribution: AnyDistribution): ValueKind<unknown> | undefined =>
  distribution.name === 'Flow'
    ? kindOf((distribution.params as { base: AnyDistribution }).base)
    : definitionOf(distribution)?.values;

/** Whether the family tells that all values are numbers. */
export function drawsNumbers(distribution: AnyDistribution): boolean {
  const kind = kindOf(distribution);
  return kind === reals || kind === wholeNumbers;
}

/** The dims of what a distribution draws, with a vector as a column; undefined if it draws no tensors, or they are not known. */
export const drawnDims = (distribution: AnyDistribution): Shape | undefined =>
  definitionOf(distribution)?.dims?.(distribution.params);

/** How many values there are, counted from 0; undefined for other kinds of distribution, or if it is not known now. */
export const drawnCount = (distribution: AnyDistribution): number | undefined =>
  drawsNumbers(distribution) || kindOf(distribution) === truthValues
    ? definitionOf(distribution)?.count?.(distribution.params)
    : undefined;

/** All values of a discrete distribution, if it lists them and they are at most so many. A long list is not made where its length is known. */
export function fewValues(distribution: AnyDistribution, most: number): readonly unknown[] | undefined {
  if (distribution.isContinuous || lifting.current?.holds((distribution.params as { n?: unknown }).n)) return undefined;
  if ((definitionOf(distribution)?.count?.(distribution.params) ?? 0) > most) return undefined;
  const values = listedValues(distribution);
  return values !== undefined && values.length <= most ? values : undefined;
}

/** All values of a distribution that lists them; undefined where they are too many. */
export function listedValues(distribution: AnyDistribution): readonly unknown[] | undefined {
  try {
    const values = distribution.support?.();
    return Array.isArray(values) ? values : undefined;
  } catch (thrown) {
    if (thrown instanceof TooManyValues) return undefined;
    throw thrown;
  }
}
