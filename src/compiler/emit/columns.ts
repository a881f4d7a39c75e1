/**
 * The mode of executions that run side by side: values may be columns, with a number for each of them. Operators,
 * conditions and calls go to `$C`, library names mean what they mean for columns. The two sides of a conditional are
 * functions, so that each can be run for those executions alone that take it.
 */
import type { AnyNode, CallExpression, ConditionalExpression, Expression, NewExpression } from 'acorn';
import { bare } from '../parse/syntax.ts';
import { branching } from './branches.ts';
import { emitArguments, emitCall, emitCallArguments } from './calls.ts';
import { areClosed } from './closed.ts';
import { mayBeEvaluated } from './either-side.ts';
import type { Emission, Mode } from './emission.ts';
import { emitChoice, operated, operatedExpressions } from './operated.ts';
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

/** True of a name that neither the program nor the library declares. */
const isHostName = (e: Emission, node: AnyNode): boolean =>
  node.type === 'Identifier' && e.binding(node) === undefined && !e.free.has(node.name);

/** Functions of the host know nothing of columns, so that calls of them are looked at first. */
function emitColumnCall(e: Emission, node: CallExpression): void {
  const callee = bare(node.callee) as AnyNode;
  const method = callee.type === 'MemberExpression' && !e.isFree(bare(callee.object), 'Math') ? callee : undefined;
  if (e.inChain || node.optional || method?.optional || (method === undefined && !isHostName(e, callee))) {
    emitCall(e, node);
    return;
  }
  if (method === undefined) {
    e.marked(callee.start, '$C.host(');
    e.expression(callee);
  } else {
    e.marked(callee.start, isHostName(e, bare(method.object) as AnyNode) ? '$C.hostMethod(' : '$C.method(');
    e.expression(method.object);
    e.text(', ');
    if (method.computed) e.expression(method.property);
    else e.text(JSON.stringify((method.property as { name: string }).name));
  }
  e.marked(node.callee.end, ')(');
  emitCallArguments(e, node);
  e.text(')');
}

function emitColumnNew(e: Emission, node: NewExpression): void {
  e.marked(node.start, '$C.construct(');
  e.expression(node.callee);
  if (node.arguments.length > 0) e.text(', ');
  emitArguments(e, node.arguments);
  e.text(')');
}

export const columnMode: Mode = {
  guardsWrites: true,
  expressions: {
    ...plainMode.expressions,
    ...guardedWrites('$C'),
    ...operatedExpressions('$C'),
    ConditionalExpression: emitColumnConditional,
    CallExpression: emitColumnCall,
    NewExpression: emitColumnNew,
  },
  ...branching('$C'),
  ...operated('$C'),
  libraryName: (_e, constant) => columnName(constant),
};
