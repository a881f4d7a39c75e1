/** Values as ordinary JavaScript sees them, and what kinds of them the graph knows. */
import { agreed, variedOf } from '../lanes/varied.ts';
import { force } from '../runtime/force.ts';
import { Node } from '../tensor/node.ts';

export const isTruth = (value: unknown): boolean =>
  typeof value === 'boolean' || (value instanceof Node && value.dtype === 'bool');

/** A value as ordinary JavaScript sees it. */
export function plain(value: unknown): unknown {
  if (value instanceof Node) return force(value);
  const varied = variedOf(value);
  return varied === undefined ? value : agreed(varied);
}
