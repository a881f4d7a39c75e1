/** Statements such as `condition(…);`, after which an execution may be over: see `returns.ts`. */
import type { AnyNode, Expression } from 'acorn';
import { bare } from '../parse/syntax.ts';
import { emitAddressedArguments } from './calls.ts';
import type { Emission } from './emission.ts';
import { libraryName } from './program-names.ts';

/** Writes `condition(…);` and its like so that the function returns if the execution is over. False if it is not one. */
export function emitWeighing(e: Emission, expression: Expression): boolean {
  const node = expression as AnyNode;
  if (!e.mayReturn || node.type !== 'CallExpression' || node.optional) return false;
  const callee = bare(node.callee) as AnyNode;
  const name = libraryName(e, callee);
  if (name === undefined || !e.library.get(name)?.weighs) return false;
  if (node.arguments.length === 0 || node.arguments.some(({ type }) => type === 'SpreadElement')) return false;
  e.fn.asksForTop = true;
  e.expression(callee);
  e.marked(node.callee.end, '(');
  emitAddressedArguments(e, node.arguments, node.callee, false, ', $m.returns = $r');
  e.text('); if ($m.gaveUp) return;\n');
  return true;
}
