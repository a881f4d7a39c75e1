/** The parts of values that are objects and lists, however deep they lie: what rows and drawings are made of. */

import { Tensor } from '../tensor/tensor.ts';
import { commonFields, fieldOf } from './summary.ts';

/** A part of all values, by the name a program would use: `x`, `point.x`, `xs[0]`; '' for the values themselves. */
export interface Leaf {
  readonly name: string;
  readonly values: readonly unknown[];
}

/** Lists and objects within others beyond this depth are looked at as a whole. */
const DEPTH = 8;

/** A value with more parts than this is not taken apart: a reader takes in no more rows. */
const MOST = 200;

/** The innermost parts that all values have in common; the values themselves if they have none. */
export function leavesOf(values: readonly unknown[]): Leaf[] {
  return split({ name: '', values }, 0);
}

function split(leaf: Leaf, depth: number): Leaf[] {
  const fields = depth < DEPTH ? commonFields(leaf.values) : undefined;
  if (fields === undefined || fields.length > MOST) return [leaf];
  const [first] = leaf.values;
  const listed = Array.isArray(first) || first instanceof Tensor;
  const parts = fields.flatMap((field) => {
    const name = listed ? `${leaf.name}[${field}]` : leaf.name === '' ? field : `${leaf.name}.${field}`;
    return split({ name, values: leaf.values.map((value) => fieldOf(value, field)) }, depth + 1);
  });
  return parts.length > MOST && depth > 0 ? [leaf] : parts;
}
