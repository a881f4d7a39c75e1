/**
 * Calls. Before a call that may be probabilistic, after its arguments are evaluated, the machine's address is set to
 * that of the call: in the last argument, so that the call itself stays a plain call with its own `this` and message.
 */
import type {
  AnyNode,
  CallExpression,
  Expression,
  MemberExpression,
  NewExpression,
  Node,
  SpreadElement,
  TaggedTemplateExpression,
} from 'acorn';
import { mayBeFunction } from '../analyse/certain.ts';
import { CALLBACK_TAKERS, LODASH_COMPARISONS } from '../analyse/hosts.ts';
import { bare } from '../parse/syntax.ts';
import type { Emission } from './emission.ts';
import { mathHelper } from './math.ts';
import { emitKey, emitPlainMember } from './members.ts';
import { emitArgument } from './models.ts';
import { emitTemplate } from './objects.ts';

type Argument = Expression | SpreadElement;

/** True if functions among the arguments are called by host code, which knows nothing of addresses. */
function takesCallbacks(e: Emission, node: CallExpression): boolean {
  const callee = bare(node.callee) as AnyNode;
  if (callee.type !== 'MemberExpression' || callee.computed) return false;
  const method = (callee.property as { name: string }).name;
  if (e.isFree(bare(callee.object), '_')) return !LODASH_COMPARISONS.has(method);
  return CALLBACK_TAKERS.has(method);
}

export function emitCall(e: Emission, node: CallExpression): void {
  if (node.arguments.length === 0 && !e.addressFree.isFreeCall(node)) {
    emitCallWithoutArguments(e, node);
    return;
  }
  if (e.isLasting(node)) {
    e.marked(node.callee.start, e.mode === e.columns ? '$.lastingAlone(' : '$.lasting(');
    e.expression(node.callee);
    for (const argument of node.arguments) {
      e.text(', ');
      e.expression(argument);
    }
    e.text(')');
    return;
  }
  const helper = mathHelper(e, node);
  if (helper !== undefined) e.marked(node.callee.start, helper);
  else emitCallee(e, node.callee as Expression);
  e.marked(node.callee.end, node.optional ? '?.(' : '(');
  emitCallArguments(e, node);
  e.text(')');
}

/** What stands between the brackets of a call, with its address. */
export function emitCallArguments(e: Emission, node: CallExpression): void {
  e.apart(() => {
    if (e.addressFree.callsBackFree(node)) emitAddressedArguments(e, node.arguments, null, false);
    else if (e.addressFree.isFreeCall(node)) {
      emitArguments(e, node.arguments);
      if (e.addressFree.mayMove(node)) e.fn.moving++;
    } else if (node.arguments.length === 0) e.text(`...($m.address = ${e.address(node.callee)}, $.none)`);
    else emitAddressedArguments(e, node.arguments, node.callee, takesCallbacks(e, node));
  });
}

function emitCallee(e: Emission, given: Expression): void {
  const callee = bare(given) as AnyNode;
  if (callee.type === 'MemberExpression') emitPlainMember(e, callee);
  else e.operand(callee);
}

export function emitSpread(e: Emission, node: SpreadElement): void {
  e.text('...');
  e.operand(node.argument);
}

export function emitArguments(e: Emission, given: readonly Argument[]): void {
  given.forEach((argument, i) => {
    if (i > 0) e.text(', ');
    e.expression(argument);
  });
}

/**
 * `callee` is null if the call needs no address of its own: see `AddressFree.callsBackFree`. `also` is text that is written behind
 * the address.
 */
export function emitAddressedArguments(
  e: Emission,
  given: readonly Argument[],
  callee: Node | null,
  callbacks: boolean,
  also = '',
): void {
  given.forEach((argument, i) => {
    if (i > 0) e.text(', ');
    const spread = argument.type === 'SpreadElement';
    if (spread) e.text('...');
    const value = spread ? argument.argument : argument;
    // A function that makes no choices need not be told where it is called from.
    const wrap = callbacks && !spread && mayBeFunction(value) && !e.addressFree.isFreeFunction(value);
    if (i === given.length - 1) emitLastArgument(e, value, callee, wrap, also);
    else if (wrap) emitCallback(e, value, callee!);
    else emitArgument(e, value, callee);
  });
}

function emitCallback(e: Emission, value: Expression, callee: Node): void {
  e.text(`$.each(${e.address(callee)}, `);
  e.expression(value);
  e.text(')');
}

function emitLastArgument(e: Emission, value: Expression, callee: Node | null, wrap: boolean, also = ''): void {
  const before = e.fn.changes;
  const open = e.slot();
  emitArgument(e, value, callee);
  const calls = e.fn.changes > before;
  const address = `${callee === null ? e.nowhere() : e.address(callee)}${also}`;
  if (!calls) {
    open.fill(`($m.address = ${address}, ${wrap ? '$.each($m.address, ' : ''}`);
    e.text(wrap ? '))' : ')');
    return;
  }
  // The argument makes calls of its own, so the address must be set after it.
  const held = e.fn.take();
  open.fill(`(${held} = `);
  e.text(`, $m.address = ${address}, ${wrap ? `$.each($m.address, ${held})` : held})`);
  e.fn.release(1);
}

function emitCallWithoutArguments(e: Emission, node: CallExpression): void {
  const callee = bare(node.callee) as AnyNode;
  if (e.inChain || callee.type === 'ChainExpression') {
    // Nothing may be wrapped around a part of `a?.b().c`: an empty spread carries the address instead.
    emitCallee(e, callee as Expression);
    e.marked(node.callee.end, `${node.optional ? '?.' : ''}(...($m.address = ${e.address(node.callee)}, $.none))`);
    return;
  }
  const before = e.fn.changes;
  const open = e.slot();
  const method = callee.type === 'MemberExpression' ? callee : undefined;
  if (method === undefined) e.operand(callee);
  else if (method.computed) {
    emitComputedMethod(e, method, open);
    return;
  } else e.operand(method.object);
  const calls = e.fn.changes > before;
  const address = e.address(node.callee);
  if (!calls) open.fill(`($m.address = ${address}, `);
  else {
    const held = e.fn.take();
    open.fill(`(${held} = `);
    e.text(`, $m.address = ${address}, `);
    e.marked(callee.end, held);
    e.fn.release(1);
  }
  if (method !== undefined) emitKey(e, method);
  e.marked(node.callee.end, '())');
}

/** `o[k]()`, with object and key held so that the address is set last. */
function emitComputedMethod(e: Emission, method: MemberExpression, open: { fill(text: string): void }): void {
  const object = e.fn.take();
  open.fill(`(${object} = `);
  e.operand(method.object);
  const key = e.fn.take();
  e.text(`, ${key} = `);
  e.expression(method.property);
  e.text(`, $m.address = ${e.address(method)}, `);
  e.marked(method.property.start, `${object}[${key}]())`);
  e.fn.release(2);
}

export function emitNew(e: Emission, node: NewExpression): void {
  const callee = bare(node.callee) as AnyNode;
  const own = !e.addressFree.isFreeCall(node);
  const bareCall = own && node.arguments.length === 0;
  if (bareCall) e.text(`($m.address = ${e.address(node.callee)}, `);
  e.marked(node.start, 'new ');
  if (callee.type === 'Identifier') e.expression(callee);
  else {
    e.text('(');
    e.expression(callee);
    e.text(')');
  }
  e.text('(');
  if (own && !bareCall) emitAddressedArguments(e, node.arguments, node.callee, false);
  else emitArguments(e, node.arguments);
  e.text(bareCall ? '))' : ')');
}

/** A tagged template is a call; its last substitution carries the address. */
export function emitTagged(e: Emission, node: TaggedTemplateExpression): void {
  const { quasis, expressions } = node.quasi;
  if (e.addressFree.isFreeCall(node)) {
    emitCallee(e, node.tag);
    emitTemplate(e, node.quasi);
    return;
  }
  if (expressions.length === 0) {
    const before = e.fn.changes;
    const open = e.slot();
    emitCallee(e, node.tag);
    if (e.fn.changes === before) open.fill(`($m.address = ${e.address(node.tag)}, `);
    else {
      const held = e.fn.take();
      open.fill(`(${held} = `);
      e.text(`, $m.address = ${e.address(node.tag)}, ${held}`);
      e.fn.release(1);
    }
    emitTemplate(e, node.quasi);
    e.text(')');
    return;
  }
  emitCallee(e, node.tag);
  e.marked(node.quasi.start, '`');
  quasis.forEach((quasi, i) => {
    e.text(quasi.value.raw);
    if (i === expressions.length) return;
    e.text('${');
    if (i === expressions.length - 1) emitLastArgument(e, expressions[i], node.tag, false);
    else e.expression(expressions[i]);
    e.text('}');
  });
  e.text('`');
}
