/**
 * Returning to the runtime. A function that `execute` called itself, and not the program, is at the top: when it
 * returns, the execution goes on in the runtime. There two things can be done without unwinding a stack. A condition
 * that fails ends the execution by returning. And a call in return position is handed to the runtime, if it wants it
 * (`$m.hands`): from there an execution can be taken up again, because what is left of it is that call. A function is
 * at the top if it starts at the address `$m.top`; it notes that in `$r`, and nothing it calls is, but for what it
 * calls in return position.
 */
import type { AnyNode, CallExpression, Expression, LogicalExpression, Node } from 'acorn';
import type { Binding } from '../analyse/scope.ts';
import { bare } from '../parse/syntax.ts';
import type { Emission } from './emission.ts';
import { isProgramFunction } from './program-names.ts';
import { comesRound } from './rounds.ts';

/** More arguments than this are not handed to the runtime. */
const MOST_ARGUMENTS = 12;

/** Writes an expression whose value the function returns. */
export function emitReturned(e: Emission, given: Expression): void {
  let node = bare(given) as AnyNode;
  if (!e.mayReturn) {
    e.expression(given);
    return;
  }
  while (node.type === 'ConditionalExpression') {
    e.mode.condition(e, node.test);
    e.text(' ? (');
    emitReturned(e, node.consequent);
    e.text(') : ');
    node = bare(node.alternate) as AnyNode;
  }
  if (node !== bare(given)) e.text('(');
  if (isHandedOver(e, node)) emitHandedOver(e, node);
  else if (isFreeRound(e, node)) emitFreeRound(e, node);
  else if (node.type === 'LogicalExpression') emitEither(e, node);
  else e.expression(node);
  if (node !== bare(given)) e.text(')');
}

/** The right side is what the function returns, if it comes to that. */
function emitEither(e: Emission, { operator, left, right }: LogicalExpression): void {
  e.text('(');
  e.expression(left);
  e.text(`) ${operator} (`);
  emitReturned(e, right);
  e.text(')');
}

/** True of a call, with few arguments, of what certainly is a function of this program. */
export function isHandedOver(e: Emission, node: AnyNode): node is CallExpression & AnyNode {
  if (node.type !== 'CallExpression' || node.optional || e.inChain) return false;
  if (node.arguments.length > MOST_ARGUMENTS || node.arguments.some(({ type }) => type === 'SpreadElement'))
    return false;
  if (bare(node.callee).type !== 'Identifier') return false;
  return isProgramFunction(e, node.callee) && !e.addressFree.isFreeCall(node);
}

function emitHandedOver(e: Emission, node: CallExpression): void {
  e.fn.asksForTop = true;
  e.text('(');
  let held = 0;
  const values = node.arguments.map((argument) => {
    const text = constantText(e, argument);
    if (text !== undefined) return text;
    const name = e.fn.take();
    held++;
    e.text(`${name} = `);
    e.expression(argument);
    e.text(', ');
    return name;
  });
  e.text(`$m.address = ${e.address(node.callee)}, $r && ($m.top = $m.address, $m.hands) ? $.tail(`);
  e.expression(node.callee);
  e.text(`${values.map((value) => `, ${value}`).join('')}) : `);
  if (comesRound(e, e.fn.node, node)) {
    e.text('($b ? $.bounce : $.rebound)(');
    e.expression(node.callee);
    e.marked(node.callee.end, `${values.map((value) => `, ${value}`).join('')}))`);
  } else {
    e.expression(node.callee);
    e.marked(node.callee.end, `(${values.join(', ')}))`);
  }
  e.fn.release(held);
}

/** True of a call of a function that makes no choices, and may come back to this one. */
function isFreeRound(e: Emission, node: AnyNode): node is CallExpression & AnyNode {
  return (
    node.type === 'CallExpression' && !e.inChain && e.addressFree.isFreeCall(node) && comesRound(e, e.fn.node, node)
  );
}

function emitFreeRound(e: Emission, node: CallExpression): void {
  e.text('($b ? $.bounce : $.rebound)(');
  e.expression(node.callee as Expression);
  for (const argument of node.arguments) {
    e.text(', ');
    e.expression(argument as Expression);
  }
  e.marked(node.callee.end, ')');
}

/** The text of an argument that is the same whenever it is looked at, and so need not be held. */
function constantText(e: Emission, given: Node): string | undefined {
  const node = bare(given) as AnyNode;
  if (node.type === 'Literal' && (typeof node.value === 'number' || typeof node.value === 'boolean')) return node.raw;
  if (node.type !== 'Identifier') return undefined;
  const binding = e.binding(node);
  return binding !== undefined && isNeverChanged(binding) ? binding.emitted : undefined;
}

const isNeverChanged = ({ writes, startsAs, import: from }: Binding): boolean =>
  startsAs === undefined && from === undefined && writes.length <= 1;
