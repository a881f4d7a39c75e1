/**
 * Whether a unit can tell two objects with the same contents apart, other than by `===` and its like, which the runtime is
 * told of. Where it cannot, what a function gives for one of them it gives for the other.
 */
import type { AnyNode } from 'acorn';
import { bare, nodesOf } from '../parse/syntax.ts';
import { words } from '../words.ts';
import { mayHideCode } from './accessors.ts';
import type { Analysis } from './analysis.ts';

/** Methods, of JavaScript and of lodash, that look for an object itself. */
const SEARCHES = words(`
  indexOf lastIndexOf includes is has without difference differenceBy union unionBy intersection intersectionBy uniq
  uniqBy sortedUniq xor xorBy sortedIndexOf eq contains
`);

/** Constructors of collections that tell objects apart by identity. */
const COLLECTIONS = words('Map Set WeakMap WeakSet');

export function comparesIdentities(analysis: Analysis): boolean {
  if (analysis.references.some(({ node }) => COLLECTIONS.has(node.name))) return true;
  for (const node of nodesOf(analysis.program)) if (tellsApart(node)) return true;
  return false;
}

function tellsApart(node: AnyNode): boolean {
  switch (node.type) {
    case 'SwitchStatement':
      return node.cases.some(({ test }) => test != null && bare(test).type !== 'Literal');
    case 'MemberExpression':
      return !node.computed && SEARCHES.has((node.property as { name?: string }).name ?? '');
    default:
      // What a getter gives is not seen in the object.
      return mayHideCode(node);
  }
}
