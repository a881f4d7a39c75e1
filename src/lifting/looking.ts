/** The plain values behind nodes and lanes, for ordinary JavaScript. */
import { agreed, variedOf } from '../lanes/varied.ts';
import { force } from '../runtime/force.ts';
import { Node } from '../tensor/node.ts';

export function plain(value: unknown): unknown {
  if (value instanceof Node) return force(value);
  const varied = variedOf(value);
  return varied === undefined ? value : agreed(varied);
}
