/** Elements of the rows of a value with lanes, as values of their own. */
import { type Attributes, Op } from '../node.ts';
import { sizeOf } from '../shape.ts';
import type { Value } from './program.ts';

/** One element of each lane's row: a number per lane, read where it stands. */
export const PART = new Op('part', 'view');
/** Numbers per lane put together to rows. */
export const ROW = new Op('row', 'kernel');

interface PartAttributes extends Attributes {
  /** Which element of how many. */
  readonly at: number;
  readonly of: number;
}

const known = new Map<string, PartAttributes>();

export function partAttributes(at: number, of: number): PartAttributes {
  const key = `${at} ${of}`;
  let attributes = known.get(key);
  if (attributes === undefined) {
    attributes = { key, at, of };
    known.set(key, attributes);
  }
  return attributes;
}

/** Where the elements of a value are: so many elements apart, from one on. */
export function layoutOf(value: Value): { readonly first: number; readonly apart: number } {
  if (value.op !== PART || value.source !== null) return { first: 0, apart: 1 };
  const { at, of } = value.attributes as PartAttributes;
  return { first: at, apart: of };
}

/** Rows longer than this are computed as rows: their loops are long enough. */
const MOST_PARTS = 8;

/** A value with a short row in each lane. */
export function isShortRow({ shape, space, dtype }: Value): boolean {
  return space >= 0 && shape.length > 0 && dtype !== 'i32' && sizeOf(shape) <= MOST_PARTS && sizeOf(shape) > 0;
}
