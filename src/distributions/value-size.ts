/** What parameters say of the size of values: dims of tensors, and how many counts there are. Parameters may be nodes of the graph. */
import { type Shape, sizeOf } from '../tensor/shape.ts';

/** Dims of a tensor, of a node of the graph, or of a list, which counts as a column; undefined for anything else. */
export function givenDims(value: unknown): Shape | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  if (Array.isArray(value)) return [value.length, 1];
  const { dims, shape } = value as { dims?: unknown; shape?: unknown };
  // (Those of nodes with lanes count these among their dims.)
  return knownDims(Array.isArray(shape) ? shape : dims);
}

/** Dims as they are given. Those that differ between lanes are no dims of a tensor. */
export const knownDims = (dims: unknown): Shape | undefined =>
  Array.isArray(dims) && dims.every((n) => typeof n === 'number') ? dims : undefined;

/** A column with as many elements as the value, and `more`. */
export function columnLike(value: unknown, more = 0): Shape | undefined {
  const dims = givenDims(value);
  return dims && [sizeOf(dims) + more, 1];
}

/** A number that is given, or how many elements there are; and `more`. */
export function countOf(value: unknown, more = 0): number | undefined {
  if (typeof value === 'number') return value + more;
  const dims = givenDims(value);
  return dims && dims.length > 0 ? sizeOf(dims) + more : undefined;
}
