/**
 * The mode of executions that run side by side: values may be columns, with a number for each of them. Operators,
 * conditions and calls go to `$C`, library names mean what they mean for columns. The two sides of a conditional are
 * functions, so that each can be run for those executions alone that take it.
 */
import type { AnyNode, CallExpression, ConditionalExpression, Expression } from 'acorn';
import { bare } from '../parse/syntax.ts';
import { branching } from './branches.ts';
import { emitArguments } from './calls.ts';
import { areClosed } from './closed.ts';
import { mayBeEvaluated } from './either-side.ts';
import type { Emission, Mode } from './emission.ts';
import { emitChoice, operated, operatedExpressions } from './operated.ts';
import { emitOperatedCall } from './operated-calls.ts';
import { plainMode } from './plain.ts';
import { libraryName } from './program-names.ts';
import { guardedWrites } from './shared-writes.ts';

/** The constant that holds what a library name means for columns. */
export const columnName = (constant: string): string => `$C_${constant}`;

function emitColumnConditional(e: Emission, node: ConditionalExpression): void {
  if (!areClosed(e, node.consequent, node.alternate)) {
    plainMode.expressions.ConditionalExpression(e, node as never);
    return;
  }
  const both = mayBeEvaluated(e, node.consequent) && mayBeEvaluated(e, node.alternate);
  const calls = [bare(node.consequent), bare(node.alternate)] as AnyNode[];
  if (!both && areAlternatives(e, calls)) {
    emitAlternatives(e, node, calls);
    return;
  }
  emitChoice(e, node, both ? '$C.choose(' : '$C.branch(');
}

/** Whether both are calls of one function of the library, with arguments that may be evaluated in any case. */
function areAlternatives(e: Emission, calls: readonly AnyNode[]): calls is readonly CallExpression[] {
  const names = calls.map((call) =>
    call.type === 'CallExpression' ? libraryName(e, bare(call.callee) as AnyNode) : undefined,
  );
  if (names[0] === undefined || names[0] !== names[1]) return false;
  return (calls as readonly CallExpression[]).every(
    ({ optional, arguments: given }) =>
      !optional && given.length > 0 && given.every((argument) => mayBeEvaluated(e, argument as Expression)),
  );
}

function emitAlternatives(e: Emission, node: ConditionalExpression, calls: readonly CallExpression[]): void {
  emitChoice(e, node, '$C.alternatives(', () => {
    e.text(', ');
    e.expression(calls[0].callee);
    for (const call of calls) {
      e.text(', () => [');
      emitArguments(e, call.arguments);
      e.text(']');
    }
  });
}

export const columnMode: Mode = {
  guardsWrites: true,
  expressions: {
    ...plainMode.expressions,
    ...guardedWrites('$C'),
    ...operatedExpressions('$C'),
    ConditionalExpression: emitColumnConditional,
    CallExpression: (e, node) => emitOperatedCall(e, '$C', node),
  },
  ...branching('$C'),
  ...operated('$C'),
  libraryName: (_e, constant) => columnName(constant),
};
