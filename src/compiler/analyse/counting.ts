/**
 * Functions that call themselves equally often in every execution, as far as their text tells: over a list of data, or down from a number.
 * One of their parameters counts the calls: each call is given the next number, or the rest of the list, and nothing but this parameter and what
 * stands at top level decides whether there is another one.
 */
import type { AnyNode, CallExpression, Expression, Node } from 'acorn';
import { bare, children, isFunction, isLoop, parentsIn } from '../parse/syntax.ts';
import type { Analysis } from './analysis.ts';
import type { Binding } from './scope.ts';

type Function = Node & { readonly params: readonly Node[] };

/** Whether a function, which has this name, is one of these. */
export function countsItsCalls(fn: Function, name: Binding, analysis: Analysis): boolean {
  const own: CallExpression[] = [];
  const others: CallExpression[] = [];
  const parents = parentsIn(analysis.program);
  for (const { node, write } of analysis.references) {
    if (write !== undefined || analysis.resolve(node) !== name) continue;
    const call = callOf(node, parents);
    if (call === undefined) return false;
    (isWithin(node, fn) ? own : others).push(call);
  }
  if (name.writes.length !== 1 || !own.every((call) => isDirectlyIn(call, fn, parents))) return false;
  return fn.params.some((parameter, place) => {
    const counter = parameter.type === 'Identifier' ? analysis.resolve(parameter) : undefined;
    if (counter === undefined || counter.writes.length > 1) return false;
    const isCounter = (node: Node): boolean => node.type === 'Identifier' && analysis.resolve(node) === counter;
    return (
      own.every((call) => isNext(call.arguments[place], isCounter)) &&
      others.every((call) => isFixed(call.arguments[place], analysis, () => false)) &&
      decisionsIn(fn, own).every((test) => isFixed(test, analysis, isCounter))
    );
  });
}

const isWithin = (node: Node, outer: Node): boolean => outer.start <= node.start && node.end <= outer.end;

/** The call of what is named here. */
function callOf(name: Node, parents: ReadonlyMap<Node, Node>): CallExpression | undefined {
  const parent = parents.get(name) as AnyNode | undefined;
  return parent?.type === 'CallExpression' && parent.callee === name ? parent : undefined;
}

/** Whether a call is made once each time that the function is. */
function isDirectlyIn(call: Node, fn: Node, parents: ReadonlyMap<Node, Node>): boolean {
  let node = parents.get(call);
  while (node !== undefined && node !== fn && !isFunction(node) && !isLoop(node)) node = parents.get(node);
  return node === fn;
}

/** `counter + 1` and the like, or `counter.slice(1)`. */
function isNext(given: Node | undefined, isCounter: (node: Node) => boolean): boolean {
  const node = given && (bare(given) as AnyNode);
  if (node?.type === 'BinaryExpression')
    return (node.operator === '+' || node.operator === '-') && isCounter(bare(node.left)) && isLiteral(node.right);
  if (node?.type !== 'CallExpression' || node.arguments.length !== 1 || !isLiteral(node.arguments[0])) return false;
  const { callee } = node;
  return (
    callee.type === 'MemberExpression' &&
    isCounter(bare(callee.object)) &&
    callee.property.type === 'Identifier' &&
    callee.property.name === 'slice'
  );
}

const isLiteral = (node: Node): boolean => bare(node).type === 'Literal';

/** Whether a value is made of constants, names of the top level, and the counter. */
function isFixed(given: Node | undefined, analysis: Analysis, isCounter: (node: Node) => boolean): boolean {
  if (given === undefined) return false;
  const node = bare(given) as AnyNode;
  switch (node.type) {
    case 'Literal':
      return true;
    case 'Identifier':
      return isCounter(node) || analysis.unit.names.get(node.name) === analysis.resolve(node);
    case 'MemberExpression':
    case 'BinaryExpression':
    case 'LogicalExpression':
    case 'UnaryExpression':
    case 'ArrayExpression':
      return partsOf(node).every((part) => isFixed(part, analysis, isCounter));
    default:
      return false;
  }
}

/** Names of fields are no variables. */
const partsOf = (node: AnyNode): Node[] =>
  node.type === 'MemberExpression' && !node.computed ? [node.object] : children(node);

/** What decides whether one of the calls is made. */
function decisionsIn(fn: Node, calls: readonly Node[]): Expression[] {
  const found: Expression[] = [];
  const waiting = children(fn);
  for (let given = waiting.pop(); given !== undefined; given = waiting.pop()) {
    const node = given as AnyNode;
    if (isFunction(node)) continue;
    const decides = calls.some((call) => isWithin(call, node)) || (node.type === 'IfStatement' && mayReturn(node));
    if (decides && (node.type === 'IfStatement' || node.type === 'ConditionalExpression')) found.push(node.test);
    if (decides && node.type === 'LogicalExpression') found.push(node.left);
    waiting.push(...children(node));
  }
  return found;
}

function mayReturn(node: Node): boolean {
  return node.type === 'ReturnStatement' || (!isFunction(node) && children(node).some(mayReturn));
}
