/**
 * Calls of a function by itself in return position, as a loop: `return n === 0 ? acc : loop(n - 1, acc + n)` needs no stack, so that
 * it can go on for as long as it likes. Only in the plain text of functions that make no choices, since calls of others have
 * addresses, and only where the variables of one call cannot be told from those of the next.
 */
import type { AnyNode, CallExpression, Expression, Function as FunctionNode, Identifier, Node } from 'acorn';
import { bare, children, isFunction } from '../parse/syntax.ts';
import type { Emission } from './emission.ts';
import { emitReturned } from './returns.ts';

/** The label of the loop; names of programs do not begin like this. */
const LABEL = '$again';

/** Writes the body of a function, in a loop if it calls itself in return position. */
export function emitLooping(e: Emission, node: FunctionNode, body: () => void): void {
  const loops = e.mayReturn && isLoop(e, node);
  if (!loops) {
    body();
    return;
  }
  e.fn.loop = node;
  e.text(`${LABEL}: for (;;) {`);
  body();
  e.text('\nreturn;}');
  e.fn.loop = null;
}

/** Writes the return of a value. */
export function emitReturnOf(e: Emission, place: number, given: Expression): void {
  const { loop } = e.fn;
  let node = bare(given) as AnyNode;
  if (loop !== null && e.mayReturn && endsInCall(e, loop, node)) {
    // Chains of conditions may be longer than the stack is deep.
    while (node.type === 'ConditionalExpression') {
      e.text('if (');
      e.mode.condition(e, node.test);
      e.text(') {');
      emitReturnOf(e, node.consequent.start, node.consequent);
      e.text('} else ');
      node = bare(node.alternate) as AnyNode;
    }
    e.text('{');
    if (isSelfCall(e, loop, node)) emitJump(e, loop, node);
    else emitPlainReturn(e, node.start, node as Expression);
    e.text('}\n');
    return;
  }
  emitPlainReturn(e, place, given);
}

function emitPlainReturn(e: Emission, place: number, given: Expression): void {
  e.marked(place, 'return ');
  emitReturned(e, given);
  e.text(';\n');
}

/** All arguments are worked out before the first parameter has another value. */
function emitJump(e: Emission, loop: FunctionNode, call: CallExpression): void {
  const names = call.arguments.map((argument) => {
    const name = e.fn.take();
    e.text(`${name} = `);
    e.expression(argument as Expression);
    e.text('; ');
    return name;
  });
  loop.params.forEach((parameter, i) => {
    e.text(`${e.binding(parameter as Identifier)?.emitted} = ${names[i] ?? 'undefined'}; `);
  });
  e.fn.release(names.length);
  e.text(`continue ${LABEL};`);
}

function endsInCall(e: Emission, loop: FunctionNode, given: AnyNode): boolean {
  let node = given;
  while (node.type === 'ConditionalExpression') {
    if (endsInCall(e, loop, bare(node.consequent) as AnyNode)) return true;
    node = bare(node.alternate) as AnyNode;
  }
  return isSelfCall(e, loop, node);
}

function isSelfCall(e: Emission, loop: FunctionNode, node: AnyNode): node is CallExpression & AnyNode {
  if (node.type !== 'CallExpression' || node.optional || e.inChain) return false;
  const callee = bare(node.callee);
  if (callee.type !== 'Identifier' || node.arguments.some(({ type }) => type === 'SpreadElement')) return false;
  const binding = e.analysis.resolve(callee);
  if (binding === undefined || binding.writes.length !== 1) return false;
  const { value } = binding.writes[0];
  return value !== undefined && bare(value) === loop;
}

/** Whether calls of the function by itself can be a loop, and there are any. */
function isLoop(e: Emission, node: FunctionNode): boolean {
  if (node.async || node.generator || e.analysis.usesArguments.has(node) || !e.addressFree.isFreeFunction(node)) {
    return false;
  }
  const names = node.params.map((parameter) => (parameter.type === 'Identifier' ? parameter.name : undefined));
  if (names.includes(undefined) || new Set(names).size !== names.length) return false;
  for (const { startsAs } of e.analysis.functions.get(node)?.names.values() ?? []) {
    if (startsAs !== undefined) return false;
  }
  return callsItself(e, node) && isFresh(node, names as string[]);
}

/** Whether it calls itself where the call may be all that is left. */
function callsItself(e: Emission, node: FunctionNode): boolean {
  const waiting: Node[] = [node.body];
  for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
    if (isSelfCall(e, node, at as AnyNode)) return true;
    if (!isFunction(at)) waiting.push(...children(at));
  }
  return false;
}

/** Whether nothing of a call is left in the next: no function keeps its variables, and each has a value before it is read. */
function isFresh({ body }: FunctionNode, parameters: readonly string[]): boolean {
  const ownStatements = new Set<Node>(body.type === 'BlockStatement' ? body.body : []);
  /** Where each variable has its value from. */
  const valued = new Map<string, number>();
  const nodes: Node[] = [];
  const waiting: Node[] = [body];
  for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
    if (isFunction(at) || at.type === 'ClassExpression' || at.type === 'ClassDeclaration') return false;
    if (at.type === 'ThisExpression') return false;
    nodes.push(at);
    waiting.push(...children(at));
    const declaration = at as AnyNode;
    if (declaration.type !== 'VariableDeclaration' || declaration.kind !== 'var') continue;
    for (const { id, init } of declaration.declarations) {
      const isPlain = ownStatements.has(at) && id.type === 'Identifier' && init;
      if (!isPlain || parameters.includes(id.name) || valued.has(id.name)) return false;
      valued.set(id.name, init.end);
    }
  }
  const declared = new Set<Node>();
  for (const node of nodes as AnyNode[]) if (node.type === 'VariableDeclarator') declared.add(node.id);
  return (nodes as AnyNode[]).every(
    (node) => node.type !== 'Identifier' || declared.has(node) || node.start >= (valued.get(node.name) ?? 0),
  );
}
