/** Values as ordinary JavaScript sees them, and what kinds of them the graph knows. */
import { agreed, variedOf } from '../lanes/value.ts';
import { force } from '../runtime/force.ts';
import { machine } from '../runtime/machine.ts';
import { Node, type Value } from '../tensor/node.ts';
import { Tensor } from '../tensor/tensor.ts';

export const isNumeric = (value: unknown): value is Value =>
  typeof value === 'number' || typeof value === 'boolean' || value instanceof Node || value instanceof Tensor;

export const isTruth = (value: unknown): boolean =>
  typeof value === 'boolean' || (value instanceof Node && value.dtype === 'bool');

/** A value as ordinary JavaScript sees it. */
export function plain(value: unknown): unknown {
  if (value instanceof Node) return force(value);
  const varied = machine.lanes === null ? undefined : variedOf(value);
  return varied === undefined ? value : agreed(varied);
}
