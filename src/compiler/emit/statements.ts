/** Statements other than loops. */
import type {
  AnyNode,
  BlockStatement,
  BreakStatement,
  CatchClause,
  ContinueStatement,
  Expression,
  ExpressionStatement,
  FunctionDeclaration,
  IfStatement,
  LabeledStatement,
  Node,
  ReturnStatement,
  SwitchStatement,
  ThrowStatement,
  TryStatement,
  VariableDeclaration,
} from 'acorn';
import { bare, isLoop } from '../parse/syntax.ts';
import type { Emission, StatementTable } from './emission.ts';
import { emitNamed, emitStatements } from './functions.ts';
import { emitDoWhile, emitFor, emitForEach, emitWhile } from './loops.ts';
import { emitExportAll, emitExportDefault, emitExportNamed } from './modules.ts';
import { emitOperatedSwitch } from './switches.ts';
import { emitReturnOf } from './tail-loops.ts';
import { emitTakenApart } from './taken-apart.ts';
import { emitDeclarators, emitUnused } from './variables.ts';
import { emitWeighing } from './weighing.ts';

function emitExpressionStatement(e: Emission, { expression: given }: ExpressionStatement, tail: boolean): void {
  const expression = bare(given) as AnyNode;
  if (tail) {
    emitReturnOf(e, expression.start, expression as Expression);
    return;
  }
  if (emitWeighing(e, expression as Expression)) return;
  emitUnused(e, expression as Expression);
  e.text(';\n');
}

function emitVariables(e: Emission, node: VariableDeclaration): void {
  emitDeclarators(e, node);
  e.text(';\n');
}

function emitDeclaredFunction(e: Emission, node: FunctionDeclaration): void {
  emitNamed(e, node);
  e.text('\n');
}

/** A loop that rejects is left only if the handler that proposes for the program agrees. */
function emitAcceptance(e: Emission, node: Node): void {
  const rounds = e.mode === e.plain ? e.roundsAt.get(node) : undefined;
  if (rounds !== undefined) e.text(`if (${rounds} !== null && !${rounds}.accepts()) continue;\n`);
}

function emitReturn(e: Emission, node: ReturnStatement): void {
  emitAcceptance(e, node);
  if (node.argument) emitReturnOf(e, node.start, node.argument);
  else e.marked(node.start, 'return;\n');
}

/** The body of an `if`, braces added where the program has none. */
function emitBranch(e: Emission, node: Node, tail: boolean): void {
  e.text('{\n');
  emitStatements(e, node.type === 'BlockStatement' ? (node as BlockStatement).body : [node], tail);
  e.text('}');
}

function emitIf(e: Emission, node: IfStatement, tail: boolean): void {
  if (!tail && e.mode.effects?.(e, node)) return;
  let rest: Node | null | undefined = node;
  // Sequences of `else if` may be longer than the stack is deep.
  while (rest?.type === 'IfStatement') {
    const { test, consequent, alternate } = rest as IfStatement;
    e.marked(rest.start, 'if (');
    e.mode.condition(e, test);
    e.text(') ');
    emitBranch(e, consequent, tail);
    if (alternate) e.text(' else ');
    rest = alternate;
  }
  if (rest) emitBranch(e, rest, tail);
  e.text('\n');
}

function emitBlock(e: Emission, node: BlockStatement, tail: boolean): void {
  emitBranch(e, node, tail);
  e.text('\n');
}

function emitLabelled(e: Emission, node: LabeledStatement): void {
  const labels = [node.label.name];
  let body = node.body;
  while (body.type === 'LabeledStatement') {
    labels.push(body.label.name);
    body = body.body;
  }
  // A loop writes its labels itself: they must stand right before it, after its counter.
  if (isLoop(body)) {
    e.giveLabels(labels.map(label).join(''));
    e.statement(body, false);
    return;
  }
  e.text(labels.map(label).join(''));
  emitBranch(e, body, false);
  e.text('\n');
}

/** Labels are kept apart from names that strict code reserves. */
const label = (name: string): string => `$${name}: `;

function emitJump(e: Emission, node: BreakStatement | ContinueStatement): void {
  emitAcceptance(e, node);
  const word = node.type === 'BreakStatement' ? 'break' : 'continue';
  e.text(node.label ? `${word} $${node.label.name};\n` : `${word};\n`);
}

function emitSwitch(e: Emission, node: SwitchStatement): void {
  if (e.mode.owner !== undefined) {
    emitOperatedSwitch(e, e.mode.owner, node);
    return;
  }
  e.marked(node.start, 'switch (');
  e.expression(node.discriminant);
  e.text(') {\n');
  for (const { test, consequent } of node.cases) {
    if (test) {
      e.text('case ');
      e.expression(test);
      e.text(':\n');
    } else e.text('default:\n');
    emitStatements(e, consequent, false);
  }
  e.text('}\n');
}

function emitThrow(e: Emission, node: ThrowStatement): void {
  e.marked(node.start, 'throw $.thrown(');
  e.expression(node.argument);
  e.text(');\n');
}

function emitTry(e: Emission, node: TryStatement): void {
  const { returns } = e.fn;
  // What is left of the execution is more than the call: the rest of this statement.
  e.fn.returns = false;
  if (node.finalizer) emitFinally(e, node, node.finalizer);
  else emitTryAndCatch(e, node);
  e.fn.returns = returns;
  e.text('\n');
}

function emitTryAndCatch(e: Emission, node: TryStatement): void {
  e.text('try ');
  emitBranch(e, node.block, false);
  if (node.handler) emitCatch(e, node.handler);
}

/** What the runtime throws to end an execution stays what is thrown, whatever `finally` does. */
function emitFinally(e: Emission, node: TryStatement, finalizer: BlockStatement): void {
  const ending = e.fn.take();
  e.text(`${ending} = null;\ntry {`);
  if (node.handler) emitTryAndCatch(e, node);
  else emitStatements(e, node.block.body, false);
  e.text(`} catch ($e) {${ending} = $.ending($e); throw $e;} finally {try `);
  emitBranch(e, finalizer, false);
  e.text(` catch ($e) {throw ${ending} === null ? $e : ${ending}.signal;} finally {${ending}?.over();}}`);
  e.fn.release(1);
}

/** What the runtime throws to end an execution is not the program's to catch. */
function emitCatch(e: Emission, node: CatchClause): void {
  const simple = node.param?.type === 'Identifier' ? e.binding(node.param)?.emitted : undefined;
  const name = simple ?? '$e';
  e.text(` catch (${name}) {if ($.isSignal(${name})) throw ${name};\n`);
  // Perhaps only some of the lanes or executions that run as one have come here.
  if (e.mode.owner !== undefined) e.text(`${e.mode.owner}.caught(${name});\n`);
  if (node.param && simple === undefined) {
    e.text('let ');
    e.pattern(node.param);
    e.text(' = ');
    emitTakenApart(e, node.param, () => e.text(name));
    e.text(';\n');
  }
  emitStatements(e, node.body.body, false);
  e.text('}');
}

const nothing = (): void => {};

export const statementTable: StatementTable = {
  ExpressionStatement: emitExpressionStatement,
  VariableDeclaration: emitVariables,
  FunctionDeclaration: emitDeclaredFunction,
  ReturnStatement: emitReturn,
  IfStatement: emitIf,
  BlockStatement: emitBlock,
  LabeledStatement: emitLabelled,
  BreakStatement: emitJump,
  ContinueStatement: emitJump,
  SwitchStatement: emitSwitch,
  ThrowStatement: emitThrow,
  TryStatement: emitTry,
  ForStatement: emitFor,
  ForInStatement: emitForEach,
  ForOfStatement: emitForEach,
  WhileStatement: emitWhile,
  DoWhileStatement: emitDoWhile,
  EmptyStatement: nothing,
  DebuggerStatement: (e: Emission) => e.text('debugger;\n'),
  ImportDeclaration: nothing,
  ExportNamedDeclaration: emitExportNamed,
  ExportDefaultDeclaration: emitExportDefault,
  ExportAllDeclaration: emitExportAll,
};
