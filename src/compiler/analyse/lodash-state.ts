/** Whether a unit uses what lodash remembers, or can be told to do otherwise: each run then needs a lodash of its own. */
import type { AnyNode, Node } from 'acorn';
import { bare, children } from '../parse/syntax.ts';
import type { Analysis } from './analysis.ts';
import { keyOf } from './possible-values.ts';
import { outsideName } from './scope.ts';

const REMEMBERING = new Set(['uniqueId', 'mixin', 'templateSettings', 'noConflict']);

const isLodash = (node: AnyNode, { resolve }: Analysis): boolean =>
  node.type === 'Identifier' && outsideName(node.name, resolve(node)) === '_';

export function changesLodash(analysis: Analysis): boolean {
  if (!analysis.references.some(({ node }) => isLodash(node, analysis))) return false;
  const waiting: Node[] = [...analysis.program.body];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const node = bare(next) as AnyNode;
    if (node.type === 'Literal') continue;
    if (node.type === 'MemberExpression' || node.type === 'Property') {
      const key = node.type === 'Property' ? node.key : node.property;
      const name = keyOf(key, node.computed);
      if (name !== undefined && REMEMBERING.has(name)) return true;
      // `_[name]` may be any of its functions.
      if (name === undefined && node.type === 'MemberExpression' && isLodash(bare(node.object) as AnyNode, analysis))
        return true;
    }
    for (const child of children(node)) waiting.push(child);
  }
  return false;
}
