/** Whether calls of a function by itself in return position can be turns of a loop: see `tail-loops.ts`. */
import type { AnyNode, CallExpression, Function as FunctionNode, Identifier, Node } from 'acorn';
import { bare, children, isFunction, nodesIn } from '../parse/syntax.ts';
import type { Emission } from './emission.ts';

/** True of a call of the function by its own name. */
export function isSelfCall(e: Emission, loop: FunctionNode, node: AnyNode): node is CallExpression & AnyNode {
  if (node.type !== 'CallExpression' || node.optional || e.inChain) return false;
  const callee = bare(node.callee);
  if (callee.type !== 'Identifier' || node.arguments.some(({ type }) => type === 'SpreadElement')) return false;
  const binding = e.analysis.resolve(callee);
  if (binding === undefined || binding.writes.length !== 1) return false;
  const { value } = binding.writes[0];
  return value !== undefined && bare(value) === loop;
}

/** Whether calls of the function by itself are turns of a loop. */
export function isLoop(e: Emission, node: FunctionNode): boolean {
  return callsItselfLast(e, node) && variablesOf(node) !== null;
}

/** Whether it has parameters that a loop can have, and calls itself. */
export function callsItselfLast(e: Emission, node: FunctionNode): boolean {
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
export function variablesOf({ body, params }: FunctionNode): 'fresh' | 'kept' | null {
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
  return nodesIn([inner]).filter(({ type }) => type === 'Identifier' || type === 'ThisExpression');
}
