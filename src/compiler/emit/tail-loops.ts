/**
 * Calls of a function by itself in return position, as a loop: `return n === 0 ? acc : loop(n - 1, acc + n)` needs no stack, so that
 * it can go on for as long as it likes. Only in plain text, and only where the variables of one call cannot be told from those of
 * the next. If functions inside keep them, each turn has variables of its own. Turns have the addresses that calls would have.
 */
import type {
  AnyNode,
  CallExpression,
  Expression,
  Function as FunctionNode,
  Identifier,
  LogicalExpression,
  LogicalOperator,
} from 'acorn';
import { bare } from '../parse/syntax.ts';
import type { Emission } from './emission.ts';
import type { TailLoop } from './function-state.ts';
import { emitReturned, isHandedOver } from './returns.ts';
import { callsItselfLast, isSelfCall, variablesOf } from './turns.ts';

/** The label of the loop; names of programs do not begin like this. */
const LABEL = '$again';
/** The variable that counts the turns of the loop, and after how many it asks whether there is room for more: a turn may keep values. */
const TURN = '$turn';
const TURNS = 16_384;
/** The variable that counts the rounds of a loop that rejects. */
const ROUNDS = '$j';

const isRejecting = (e: Emission, node: FunctionNode): boolean =>
  e.rejections.isRejecting(node, (call) => isSelfCall(e, node, call), e.language === 'wppl');

/** Writes the body of a function, in a loop if it calls itself in return position. */
export function emitLooping(e: Emission, node: FunctionNode, body: () => void): void {
  const callsItself = callsItselfLast(e, node);
  const variables = callsItself ? variablesOf(node) : null;
  const rejects = variables !== null && isRejecting(e, node);
  if (!e.mayReturn || variables === null) {
    if (rejects && e.mode === e.columns) emitRounds(e, node, body);
    else body();
    return;
  }
  const names = node.params.map((parameter) => e.binding(parameter as Identifier)?.emitted);
  const nexts = variables === 'kept' ? names.map(() => e.fn.take()) : [];
  e.fn.loop = { node, nexts, keeps: variables === 'kept', rejects };
  nexts.forEach((next, i) => {
    e.text(`${next} = ${names[i]};`);
  });
  if (rejects) e.text(`const ${ROUNDS} = $.rejecting();`);
  e.text(`${LABEL}: for (let ${TURN} = 1; ; ${TURN}++) {if (${TURN} % ${TURNS} === 0) $.turned();`);
  if (rejects) e.text(`if (${ROUNDS} !== null) ${ROUNDS}.round($a);`);
  if (nexts.length > 0) e.text(`let ${nexts.map((next, i) => `${names[i]} = ${next}`).join(', ')};`);
  body();
  e.text('\nreturn;}');
  e.fn.loop = null;
  e.fn.release(nexts.length);
}

/** Where executions run side by side, a round is a function: those go on with it whose round was rejected. */
function emitRounds(e: Emission, node: FunctionNode, body: () => void): void {
  e.text(`const ${ROUNDS} = $.rejecting();\nconst ${ROUNDS}$ = () => {`);
  e.fn.rounds = node;
  body();
  e.fn.rounds = null;
  e.text(`};\nreturn ${ROUNDS} === null ? ${ROUNDS}$() : $C.accepted(${ROUNDS}, $a, ${ROUNDS}$);\n`);
}

/** Writes a call in such a round by which its function draws anew, if it is one: where rounds are followed, it is no call. */
export function emitDrawingAnew(e: Emission, node: CallExpression, call: () => void): void {
  const { rounds } = e.fn;
  if (rounds === null || !isSelfCall(e, rounds, node as AnyNode)) {
    call();
    return;
  }
  e.text(`(${ROUNDS} !== null ? $C.rejected : `);
  call();
  e.text(')');
}

/** Writes the return of a value. */
export function emitReturnOf(e: Emission, place: number, given: Expression): void {
  const { loop } = e.fn;
  let node = bare(given) as AnyNode;
  if (loop !== null && e.mayReturn && endsInCall(e, loop, node)) {
    // Conditionals within each other may be deeper than the stack.
    while (node.type === 'ConditionalExpression') {
      e.text('if (');
      e.mode.condition(e, node.test);
      e.text(') {');
      emitReturnOf(e, node.consequent.start, node.consequent);
      e.text('} else ');
      node = bare(node.alternate) as AnyNode;
    }
    e.text('{');
    if (isSelfCall(e, loop.node, node)) emitJump(e, loop, node);
    else if (node.type === 'LogicalExpression' && endsInCall(e, loop, node)) emitReturnOfEither(e, node);
    else emitPlainReturn(e, node.start, node as Expression);
    e.text('}\n');
    return;
  }
  emitPlainReturn(e, place, given);
}

/** Whether the left value of an operator is the value of both. */
const DECIDES: Readonly<Record<LogicalOperator, (left: string) => string>> = {
  '||': (left) => left,
  '&&': (left) => `!${left}`,
  '??': (left) => `${left} !== undefined && ${left} !== null`,
};

/** `return n === 0 || f(n - 1)`: the right side is all that is left. */
function emitReturnOfEither(e: Emission, { operator, left, right }: LogicalExpression): void {
  const value = e.fn.take();
  e.text(`${value} = `);
  e.expression(left);
  e.text(`; if (${DECIDES[operator](value)}) return ${value};\n`);
  e.fn.release(1);
  emitReturnOf(e, right.start, right);
}

function emitPlainReturn(e: Emission, place: number, given: Expression): void {
  if (e.mayReturn && e.fn.loop?.rejects) e.text(`if (${ROUNDS} !== null && !${ROUNDS}.accepts()) continue ${LABEL};\n`);
  e.marked(place, 'return ');
  emitReturned(e, given);
  e.text(';\n');
}

/** All arguments are evaluated before the first parameter is assigned. */
function emitJump(e: Emission, { node, nexts, rejects }: TailLoop, call: CallExpression): void {
  const handsOver = isHandedOver(e, call as AnyNode);
  const names = call.arguments.map((argument, i) => {
    const name = nexts[i] ?? e.fn.take();
    e.text(`${name} = `);
    e.expression(argument as Expression);
    e.text('; ');
    return name;
  });
  if (!e.addressFree.isFreeCall(call)) {
    // Rounds that are rejected are all at one address.
    if (rejects) e.text(`if (${ROUNDS} === null) {`);
    e.text(`$m.address = ${e.address(call.callee)}; `);
    if (handsOver) {
      e.fn.asksForTop = true;
      e.text(`if ($r && $m.hands) return $.tail(`);
      e.expression(call.callee as Expression);
      e.text(`${names.map((name) => `, ${name}`).join('')}); `);
    }
    e.fn.moves = true;
    e.text(rejects ? '$a = $m.address;} ' : '$a = $m.address; ');
  }
  node.params.forEach((parameter, i) => {
    const next = nexts[i] ?? e.binding(parameter as Identifier)?.emitted;
    const value = names[i] ?? 'undefined';
    if (next !== value) e.text(`${next} = ${value}; `);
  });
  e.fn.release(names.filter((name) => !nexts.includes(name)).length);
  e.text(`continue ${LABEL};`);
}

function endsInCall(e: Emission, loop: TailLoop, given: AnyNode): boolean {
  let node = given;
  while (node.type === 'ConditionalExpression') {
    if (endsInCall(e, loop, bare(node.consequent) as AnyNode)) return true;
    node = bare(node.alternate) as AnyNode;
  }
  // What is returned from a loop that rejects is looked at first.
  if (node.type === 'LogicalExpression' && !loop.rejects) return endsInCall(e, loop, bare(node.right) as AnyNode);
  return isSelfCall(e, loop.node, node);
}
