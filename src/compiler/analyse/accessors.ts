/**
 * Whether objects of a unit may have fields of which reading runs text of the program, or be made numbers by such text. Then
 * neither is done where the program itself would not do it.
 */
import type { AnyNode } from 'acorn';
import { nodesOf } from '../parse/syntax.ts';
import type { Analysis } from './analysis.ts';

/** Names of functions and fields that do so, besides `get f() {…}` and classes, which may have accessors. */
const NAMES: ReadonlySet<string> = new Set([
  ...['defineProperty', 'defineProperties', '__defineGetter__', '__defineSetter__', 'Proxy', 'valueOf', 'toPrimitive'],
]);

const MENTIONED = new RegExp(`\\b([gs]et|class|${[...NAMES].join('|')})\\b`);

export function definesAccessors({ program }: Analysis, source: string): boolean {
  if (!MENTIONED.test(source)) return false;
  for (const node of nodesOf(program)) if (defines(node)) return true;
  return false;
}

const defines = (node: AnyNode): boolean => mayHideCode(node) || (node.type === 'Identifier' && NAMES.has(node.name));

/** Whether objects made here may have fields of which reading runs code: `get f() {…}`, or those of a class. */
export function mayHideCode(node: AnyNode): boolean {
  if (node.type === 'Property') return node.kind !== 'init';
  return node.type === 'ClassDeclaration' || node.type === 'ClassExpression';
}
