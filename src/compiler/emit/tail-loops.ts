/**
 * Calls of a function by itself in return position, as a loop: `return n === 0 ? acc : loop(n - 1, acc + n)` needs no stack, so that
 * it can go on for as long as it likes. Only in plain text, and only where the variables of one call cannot be told from those of
 * the next. If functions inside keep them, each turn has variables of its own. Turns have the addresses that calls would have.
 */
import type { AnyNode, CallExpression, Expression, Function as FunctionNode, Identifier, Node } from 'acorn';
import { bare, children, isFunction } from '../parse/syntax.ts';
import type { Emission, TailLoop } from './emission.ts';
import { emitReturned, isHandedOver } from './returns.ts';

/** The label of the loop; names of programs do not begin like this. */
const LABEL = '$again';

/** Writes the body of a function, in a loop if it calls itself in return position. */
export function emitLooping(e: Emission, node: FunctionNode, body: () => void): void {
  const variables = e.mayReturn && isLoop(e, node) ? variablesOf(node) : null;
  if (variables === null) {
    body();
    return;
  }
  const names = node.params.map((parameter) => e.binding(parameter as Identifier)?.emitted);
  const nexts = variables === 'kept' ? names.map(() => e.fn.take()) : [];
  e.fn.loop = { node, nexts, keeps: variables === 'kept' };
  nexts.forEach((next, i) => {
    e.text(`${next} = ${names[i]};`);
  });
  e.text(`${LABEL}: for (;;) {`);
  if (nexts.length > 0) e.text(`let ${nexts.map((next, i) => `${names[i]} = ${next}`).join(', ')};`);
  body();
  e.text('\nreturn;}');
  e.fn.loop = null;
  e.fn.release(nexts.length);
}

/** Writes the return of a value. */
export function emitReturnOf(e: Emission, place: number, given: Expression): void {
  const { loop } = e.fn;
  let node = bare(given) as AnyNode;
  if (loop !== null && e.mayReturn && endsInCall(e, loop.node, node)) {
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
    if (isSelfCall(e, loop.node, node)) emitJump(e, loop, node);
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
function emitJump(e: Emission, { node, nexts }: TailLoop, call: CallExpression): void {
  const handsOver = isHandedOver(e, call as AnyNode);
  const names = call.arguments.map((argument, i) => {
    const name = nexts[i] ?? e.fn.take();
    e.text(`${name} = `);
    e.expression(argument as Expression);
    e.text('; ');
    return name;
  });
  if (!e.addressFree.isFreeCall(call)) {
    e.text(`$m.address = ${e.address(call.callee)}; `);
    if (handsOver) {
      e.fn.asksForTop = true;
      e.text(`if ($r && $m.hands) return $.tail(`);
      e.expression(call.callee as Expression);
      e.text(`${names.map((name) => `, ${name}`).join('')}); `);
    }
    e.fn.moves = true;
    e.text('$a = $m.address; ');
  }
  node.params.forEach((parameter, i) => {
    const next = nexts[i] ?? e.binding(parameter as Identifier)?.emitted;
    const value = names[i] ?? 'undefined';
    if (next !== value) e.text(`${next} = ${value}; `);
  });
  e.fn.release(names.filter((name) => !nexts.includes(name)).length);
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
  if (node.async || node.generator || e.analysis.usesArguments.has(node)) return false;
  const names = node.params.map((parameter) => (parameter.type === 'Identifier' ? parameter.name : undefined));
  if (names.includes(undefined) || new Set(names).size !== names.length) return false;
  for (const { startsAs } of e.analysis.functions.get(node)?.names.values() ?? []) {
    if (startsAs !== undefined) return false;
  }
  return callsItself(e, node);
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

/**
 * Whether nothing of a call is left in the next, since each variable has a value before it is read: `fresh`, or `kept` if functions inside
 * may keep variables. Null if a loop cannot have variables like these.
 */
function variablesOf({ body, params }: FunctionNode): 'fresh' | 'kept' | null {
  const parameters = params.map((parameter) => (parameter as Identifier).name);
  const ownStatements = new Set<Node>(body.type === 'BlockStatement' ? body.body : []);
  /** Where each variable has its value from. */
  const valued = new Map<string, number>(parameters.map((name) => [name, 0]));
  const nodes: Node[] = [];
  const declared = new Set<Node>();
  const insides: Node[] = [];
  const waiting: Node[] = [body];
  for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
    if (CANNOT_LOOP.has(at.type)) return null;
    nodes.push(at);
    if (isFunction(at)) {
      insides.push(at);
      continue;
    }
    waiting.push(...children(at));
    const declaration = at as AnyNode;
    if (declaration.type !== 'VariableDeclaration') continue;
    for (const { id, init } of declaration.declarations) {
      declared.add(id);
      if (declaration.kind !== 'var') continue;
      const isPlain = ownStatements.has(at) && id.type === 'Identifier' && init;
      if (!isPlain || valued.has(id.name)) return null;
      valued.set(id.name, init.end);
    }
  }
  const inside = insides.flatMap(namesIn);
  if (inside.some(({ type }) => CANNOT_LOOP.has(type))) return null;
  const isRead = (node: AnyNode): boolean =>
    node.type !== 'Identifier' || declared.has(node) || node.start >= (valued.get(node.name) ?? 0);
  if (!(nodes as AnyNode[]).every(isRead) || !inside.every(isRead)) return null;
  return inside.some((node) => node.type === 'Identifier' && valued.has(node.name)) ? 'kept' : 'fresh';
}

/** What has a `this`, or variables that belong to the whole function. */
const CANNOT_LOOP = new Set(['ThisExpression', 'ClassExpression', 'ClassDeclaration', 'FunctionDeclaration', 'Super']);

/** The names in a function inside, and `this`. */
function namesIn(inner: Node): AnyNode[] {
  const found: AnyNode[] = [];
  const waiting: Node[] = [inner];
  for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
    if (at.type === 'Identifier' || at.type === 'ThisExpression') found.push(at as AnyNode);
    waiting.push(...children(at));
  }
  return found;
}
