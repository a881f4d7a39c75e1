/**
 * Variables that are changed on a side of a conditional: where executions take different sides, they differ afterwards. Likewise those
 * changed in loops, which executions may leave at different times, where they are mentioned outside of the loop too.
 */
import type { AnyNode, Node } from 'acorn';
import { isFunction, isLoop, parentsIn } from '../parse/syntax.ts';
import type { Analysis } from './analysis.ts';
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

const found = new WeakMap<Analysis, Writes>();

export function differingWrites(analysis: Analysis): Writes {
  const known = found.get(analysis);
  if (known !== undefined) return known;
  const sided = new Set<Binding>();
  const looped = new Set<Binding>();
  const parents = parentsIn(analysis.program);
  const mentions = mentionsIn(analysis);
  for (const { node, write } of analysis.references) {
    const binding = write === undefined ? undefined : analysis.resolve(node);
    if (binding === undefined) continue;
    const { first, last } = mentions.get(binding)!;
    if (isInside(node, parents, ({ type }) => SIDED.has(type))) sided.add(binding);
    if (isInside(node, parents, (at) => isLoop(at) && (first < at.start || last >= at.end))) looped.add(binding);
  }
  const writes = { sided, looped };
  found.set(analysis, writes);
  return writes;
}

/** From where to where each variable is mentioned, its declaration included. */
function mentionsIn(analysis: Analysis): ReadonlyMap<Binding, { first: number; last: number }> {
  const mentions = new Map<Binding, { first: number; last: number }>();
  for (const { node } of analysis.references) {
    const binding = analysis.resolve(node);
    if (binding === undefined) continue;
    const at = mentions.get(binding) ?? { first: binding.declaredAt, last: binding.declaredAt };
    mentions.set(binding, { first: Math.min(at.first, node.start), last: Math.max(at.last, node.start) });
  }
  return mentions;
}

/** Whether there is such a statement or expression around, in the same function. */
function isInside(given: Node, parents: ReadonlyMap<Node, Node>, is: (node: AnyNode) => boolean): boolean {
  for (let at = parents.get(given); at !== undefined && !isFunction(at); at = parents.get(at)) {
    if (is(at as AnyNode)) return true;
  }
  return false;
}
