/** Variables that are changed on a side of a conditional: where executions take different sides, they differ afterwards. */
import type { AnyNode, Node } from 'acorn';
import { isFunction, parentsIn } from '../parse/syntax.ts';
import type { Analysis } from './analyse.ts';
import type { Binding } from './scope.ts';

const SIDED: ReadonlySet<string> = new Set([
  'IfStatement',
  'ConditionalExpression',
  'LogicalExpression',
  'SwitchStatement',
]);

const found = new WeakMap<Analysis, ReadonlySet<Binding>>();

export function sidedWrites(analysis: Analysis): ReadonlySet<Binding> {
  const known = found.get(analysis);
  if (known !== undefined) return known;
  const bindings = new Set<Binding>();
  found.set(analysis, bindings);
  const parents = parentsIn(analysis.program);
  for (const { node, write } of analysis.references) {
    const binding = write === undefined ? undefined : analysis.resolve(node);
    if (binding !== undefined && isOnSide(node, parents)) bindings.add(binding);
  }
  return bindings;
}

function isOnSide(given: Node, parents: ReadonlyMap<Node, Node>): boolean {
  for (let at = parents.get(given); at !== undefined && !isFunction(at); at = parents.get(at)) {
    if (SIDED.has((at as AnyNode).type)) return true;
  }
  return false;
}
