/** Calls of functions that know nothing of nodes and lanes: of the host, of lodash. */
import type { Fn } from '../algebra/domain.ts';
import { HostCalls } from '../algebra/host-calls.ts';
import { scoreOf } from '../lanes/draws.ts';
import { methodOfDistribution } from '../runtime/closed-forms.ts';
import { isDistribution } from '../runtime/primitives.ts';
import { Node } from '../tensor/node.ts';
import { Tensor } from '../tensor/tensor.ts';
import { graphDomain } from './graph-domain.ts';
import { operators } from './operators.ts';

export const calls = new HostCalls(graphDomain);

/** A method of whatever object. */
export function method(object: unknown, given: unknown): Fn {
  const key = operators.plain(given) as PropertyKey;
  if (isDistribution(object)) {
    // Families know of nodes, and so do their methods.
    if (key === 'score') return (value) => scoreOf(object, value);
    return methodOfDistribution(object, key);
  }
  // Nodes have the methods of tensors that they stand for.
  if (object instanceof Tensor || (object instanceof Node && object.shape.length > 0)) {
    return (...args) => (object as unknown as Record<PropertyKey, Fn>)[key](...args);
  }
  return graphDomain.kindOf(object) === undefined ? calls.method(object, key) : calls.methodOfMine(object, key);
}
