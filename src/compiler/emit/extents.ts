/** Where variables are mentioned. */
import type { Analysis } from '../analyse/analysis.ts';
import type { Binding } from '../analyse/scope.ts';

interface Extent {
  readonly declaredAt: number;
  first: number;
  last: number;
}

const known = new WeakMap<Analysis, readonly Extent[]>();

/** From where to where each variable of a unit is mentioned. */
export function extents(analysis: Analysis): readonly Extent[] {
  let found = known.get(analysis);
  if (found === undefined) {
    const byBinding = new Map<Binding, Extent>();
    for (const { node } of analysis.references) {
      const binding = analysis.resolve(node);
      if (binding === undefined) continue;
      const { declaredAt } = binding;
      const extent = byBinding.get(binding) ?? { declaredAt, first: declaredAt, last: declaredAt };
      extent.first = Math.min(extent.first, node.start);
      extent.last = Math.max(extent.last, node.start);
      byBinding.set(binding, extent);
    }
    found = [...byBinding.values()];
    known.set(analysis, found);
  }
  return found;
}
