/** Reads one field of all samples of a distribution without a list of them: see `analyse/sample-fields.ts`. */
import type { MemberExpression, Node } from 'acorn';
import type { Analysis } from '../analyse/analysis.ts';
import { sampleFields } from '../analyse/sample-fields.ts';
import { once } from '../once.ts';
import type { Emission } from './emission.ts';

const fieldsOf = once(
  (analysis: Analysis, { source }: Emission): ReadonlyMap<Node, string> =>
    source.text.includes('.samples') ? sampleFields(analysis) : new Map(),
);

/** The writer of members, which knows those that are samples of which one field is read. */
export function readsSampleFields(
  emit: (e: Emission, node: MemberExpression) => void,
): (e: Emission, node: MemberExpression) => void {
  return (e, node) => {
    const field = fieldsOf(e.analysis, e).get(node);
    // Inside `a?.b.samples` there may be nothing to ask.
    if (field === undefined || e.inChain) {
      emit(e, node);
      return;
    }
    e.marked(node.property.start, '$.sampleField(');
    e.expression(node.object);
    e.text(`, '${field}')`);
  };
}
