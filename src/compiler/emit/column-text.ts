/** Which functions need a text of their own for executions side by side. */
import type { AnyNode, Function as FunctionNode, Node } from 'acorn';
import { roamingObjects } from '../analyse/roaming-objects.ts';
import { children, isFunction } from '../parse/syntax.ts';
import type { Emission } from './emission.ts';
import { libraryName } from './program-names.ts';

/** Whether a node has a wanted node in it. Functions inside are left out. */
export function has(node: Node | null | undefined, wanted: (node: AnyNode) => boolean): boolean {
  if (!node) return false;
  if (wanted(node as AnyNode)) return true;
  if (isFunction(node)) return false;
  return children(node).some((child) => has(child, wanted));
}

/** Nodes that are written in another way for columns. */
const TOUCHED = new Set([
  ...['CallExpression', 'NewExpression', 'TaggedTemplateExpression', 'BinaryExpression', 'LogicalExpression'],
  ...['UnaryExpression', 'UpdateExpression', 'AssignmentExpression', 'ConditionalExpression', 'IfStatement'],
  ...['ForStatement', 'ForInStatement', 'ForOfStatement', 'WhileStatement', 'DoWhileStatement', 'SwitchStatement'],
  ...['TryStatement', 'SpreadElement', 'ChainExpression'],
]);

/** Whether a function's text for columns differs from its plain text. */
export function isTouchedByColumns(e: Emission, node: FunctionNode): boolean {
  const touched = (part: AnyNode): boolean =>
    TOUCHED.has(part.type) ||
    roamingObjects(e.analysis, e.library).isMade(part) ||
    (part.type === 'MemberExpression' && part.computed) ||
    (part.type === 'Identifier' && (libraryName(e, part) !== undefined || e.isFree(part, 'Math')));
  return has(node.body, touched) || node.params.some((parameter) => has(parameter, touched));
}
