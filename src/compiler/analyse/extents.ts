/** Where variables are mentioned. */
import { once } from '../once.ts';
import type { Analysis } from './analysis.ts';
import type { Binding } from './scope.ts';

interface Extent {
  readonly declaredAt: number;
  first: number;
  last: number;
}

/** From where to where each variable of a unit is mentioned, its declaration included. */
export const extents = once((analysis: Analysis): ReadonlyMap<Binding, Extent> => {
  const found = new Map<Binding, Extent>();
  for (const { node } of analysis.references) {
    const binding = analysis.resolve(node);
    if (binding === undefined) continue;
    const { declaredAt } = binding;
    const extent = found.get(binding) ?? { declaredAt, first: declaredAt, last: declaredAt };
    extent.first = Math.min(extent.first, node.start);
    extent.last = Math.max(extent.last, node.start);
    found.set(binding, extent);
  }
  return found;
});
