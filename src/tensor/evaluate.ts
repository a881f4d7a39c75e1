/** Forcing values: which device computes what is asked for. */
import { evaluation, type Node } from './node.ts';
import { evaluateReference } from './reference.ts';
import type { Tensor } from './tensor.ts';

evaluation.force = (nodes) => evaluateReference(nodes);

/** The values of nodes, computed together. */
export function evaluate(nodes: readonly Node[]): (number | boolean | Tensor)[] {
  const missing = nodes.filter((node) => node.data === null);
  if (missing.length > 0) evaluation.force(missing);
  return nodes.map((node) => node.value());
}
