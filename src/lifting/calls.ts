/** Calls of functions that do not take nodes and lanes: those of JavaScript and lodash. */
import type { Fn } from '../algebra/domain.ts';
import { HostCalls } from '../algebra/host-calls.ts';
import { lodashNameOf } from '../algebra/host-functions.ts';
import { scoreOf } from '../lanes/draws.ts';
import { methodOfDistribution } from '../runtime/closed-forms.ts';
import { isDistribution } from '../runtime/primitives.ts';
import { Node } from '../tensor/node.ts';
import { Tensor } from '../tensor/tensor.ts';
import { graphDomain } from './graph-domain.ts';
import { addLodash, ruleFor } from './numeric-rules.ts';

export const calls = new HostCalls({
  ...graphDomain,
  meaning(fn, args) {
    // A program may import a lodash of its own.
    const lodash = lodashNameOf(fn)?.owner;
    if (lodash !== undefined) addLodash(lodash);
    return ruleFor(fn, args);
  },
  ownMethod(object, key) {
    if (isDistribution(object)) {
      // Families take nodes, and so do their methods.
      return key === 'score' ? (value) => scoreOf(object, value) : methodOfDistribution(object, key);
    }
    // Nodes have the methods of tensors that they stand for.
    if (!(object instanceof Tensor || (object instanceof Node && object.shape.length > 0))) return undefined;
    return (...args) => (object as unknown as Record<PropertyKey, Fn>)[key](...args);
  },
});
