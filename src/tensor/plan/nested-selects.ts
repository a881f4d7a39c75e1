/**
 * A choice within a choice, as rows of unequal length make them that are filled up to one length: where a place of a row is filled up, a number stands that
 * changes nothing, and elsewhere a condition chooses between a number and that one. What is known beforehand of both is put together once.
 */
import { SELECT } from '../elementwise/table.ts';
import type { Data } from '../node.ts';
import { sameShape } from '../shape.ts';
import type { Value } from './program.ts';

const isLike = (value: Value, other: Value): boolean =>
  value.space === other.space && sameShape(value.shape, other.shape);

const dataOf = ({ source }: Value): number | Data | null => (source?.kind === 'baked' ? source.data : null);

/**
 * Of `whole` = select(known, select(c, a, b), b), given its inputs, the numbers of select(known, a, b), so that it is select(c, these, b); null where these are not
 * known, or anything has another shape.
 */
export function knownSide(whole: Value, [known, inner, other]: readonly Value[]): Data | null {
  if (inner.op !== SELECT || inner.source !== null || inner.dtype !== whole.dtype) return null;
  const [, a, b] = inner.inputs;
  if (b !== other || !isLike(known, whole) || !isLike(inner, whole)) return null;
  const [mask, given, filled] = [dataOf(known), dataOf(a), dataOf(b)];
  if (mask === null || typeof mask === 'number' || given === null || typeof filled !== 'number') return null;
  if (typeof given !== 'number' && !isLike(a, whole)) return null;
  if (whole.dtype !== 'f64' && whole.dtype !== 'f32') return null;
  const numbers = whole.dtype === 'f32' ? new Float32Array(mask.length) : new Float64Array(mask.length);
  for (let i = 0; i < mask.length; i++) {
    numbers[i] = mask[i] === 0 ? filled : typeof given === 'number' ? given : given[i];
  }
  return numbers;
}
