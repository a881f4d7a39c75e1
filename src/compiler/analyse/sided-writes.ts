/**
 * Variables that are changed on a side of a conditional: where executions take different sides, they differ afterwards. Likewise those
 * changed in loops, which executions may leave at different times, where they are mentioned outside of the loop too.
 */
import type { AnyNode, Node } from 'acorn';
import { once } from '../once.ts';
import { isFunction, isLoop, parentsIn } from '../parse/syntax.ts';
import type { Analysis } from './analysis.ts';
import { extents } from './extents.ts';
import type { Binding } from './scope.ts';

const SIDED: ReadonlySet<string> = new Set([
  'IfStatement',
  'ConditionalExpression',
  'LogicalExpression',
  'SwitchStatement',
]);

interface Writes {
  /** Changed on a side of a conditional. */
  readonly sided: ReadonlySet<Binding>;
  /** Changed in a loop outside of which they are mentioned too. */
  readonly looped: ReadonlySet<Binding>;
}

export const differingWrites = once((analysis: Analysis): Writes => {
  const sided = new Set<Binding>();
  const looped = new Set<Binding>();
  const parents = parentsIn(analysis.program);
  const mentions = extents(analysis);
  for (const { node, write } of analysis.references) {
    const binding = write === undefined ? undefined : analysis.resolve(node);
    if (binding === undefined) continue;
    const { first, last } = mentions.get(binding)!;
    if (isInside(node, parents, ({ type }) => SIDED.has(type))) sided.add(binding);
    if (isInside(node, parents, (at) => isLoop(at) && (first < at.start || last >= at.end))) looped.add(binding);
  }
  return { sided, looped };
});

/** Whether there is such a statement or expression around, in the same function. */
function isInside(given: Node, parents: ReadonlyMap<Node, Node>, is: (node: AnyNode) => boolean): boolean {
  for (let at = parents.get(given); at !== undefined && !isFunction(at); at = parents.get(at)) {
    if (is(at as AnyNode)) return true;
  }
  return false;
}
