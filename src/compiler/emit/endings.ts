/** Where control goes from the end of statements. */
import type { AnyNode, BlockStatement, Node } from 'acorn';

/** The statements of a side. */
export const statementsOf = (node: Node | null | undefined): readonly Node[] =>
  !node ? [] : node.type === 'BlockStatement' ? (node as BlockStatement).body : [node];

/** Whether control may come to the end of the statements. */
export function mayEnd(statements: readonly Node[]): boolean {
  const last = statements[statements.length - 1] as AnyNode | undefined;
  switch (last?.type) {
    case 'ReturnStatement':
    case 'ThrowStatement':
      return false;
    case 'IfStatement':
      return !last.alternate || mayEnd(statementsOf(last.consequent)) || mayEnd(statementsOf(last.alternate));
    case 'BlockStatement':
      return mayEnd(last.body);
    default:
      return true;
  }
}
