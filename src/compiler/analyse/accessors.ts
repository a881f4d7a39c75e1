/**
 * Whether objects of a unit may have fields of which reading runs text of the program, or be made numbers by such text. Then
 * neither is done where the program itself would not do it.
 */
import type { AnyNode, Node } from 'acorn';
import { bare, children } from '../parse/syntax.ts';
import type { Analysis } from './analysis.ts';

/** Names of functions and fields that do so, besides `get f() {…}` and classes, which may have accessors. */
const NAMES: ReadonlySet<string> = new Set([
  ...['defineProperty', 'defineProperties', '__defineGetter__', '__defineSetter__', 'Proxy', 'valueOf', 'toPrimitive'],
]);

const MENTIONED = new RegExp(`\\b([gs]et|class|${[...NAMES].join('|')})\\b`);

export function definesAccessors({ program }: Analysis, source: string): boolean {
  if (!MENTIONED.test(source)) return false;
  const waiting: Node[] = [...program.body];
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    if (node.type === 'Literal') continue;
    if (defines(bare(node) as AnyNode)) return true;
    for (const child of children(node)) waiting.push(child);
  }
  return false;
}

function defines(node: AnyNode): boolean {
  switch (node.type) {
    case 'Property':
      return node.kind !== 'init';
    case 'ClassDeclaration':
    case 'ClassExpression':
      return true;
    default:
      return node.type === 'Identifier' && NAMES.has(node.name);
  }
}
