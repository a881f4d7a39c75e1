/**
 * Calls of the host in lifted text. Most methods make a number of a node they are given, which looks at it; but some
 * compare by identity, or take whatever a callback answers for a truth value, and a node is always something.
 */
import type { AnyNode, CallExpression, Expression, NewExpression, Node } from 'acorn';
import { bare } from '../parse/syntax.ts';
import { emitArguments } from './calls.ts';
import type { Emission } from './emission.ts';

const words = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/));

/** Methods, of arrays and of lodash, that decide by the answers of the function they are given. */
const ANSWERED = words(`
  filter some every find findIndex findLast findLastIndex reject partition takeWhile dropWhile takeRightWhile dropRightWhile
  sort toSorted
`);

/** Methods that look for a value among others. */
const SEARCHES = words('indexOf lastIndexOf includes');

/** What collects things by identity. */
const COLLECTIONS = words('Set Map WeakSet WeakMap');

/** Methods of numbers, and of anything else, that make text of it. */
const WRITING = words('toString toFixed toPrecision toExponential toLocaleString');

/** Functions of the host that tell kinds of values apart. */
const TELLERS = words('Boolean Array');
const NUMBER_TELLERS = words('isInteger isSafeInteger isFinite isNaN');

/** Functions whose answers are to be looked at. */
const answering = new WeakSet<Node>();

/** Writes the call, if it is one of these. */
export function emitHostCall(e: Emission, node: CallExpression): boolean {
  const callee = bare(node.callee) as AnyNode;
  if (node.optional || e.inChain || node.arguments.some(({ type }) => type === 'SpreadElement')) return false;
  if (callee.type === 'Identifier') {
    if (callee.name === 'Number' && e.isFree(callee, 'Number') && node.arguments.length === 1) {
      e.marked(node.start, '$L.number(');
      e.expression(node.arguments[0]);
      e.text(')');
      return true;
    }
    if (!TELLERS.has(callee.name) || !e.isFree(callee, callee.name) || node.arguments.length !== 1) return false;
    e.marked(node.start, callee.name);
    emitLookedAt(e, node.arguments as Expression[]);
    return true;
  }
  if (callee.type !== 'MemberExpression' || callee.computed || callee.optional) return false;
  const { name } = callee.property as { name: string };
  if (NUMBER_TELLERS.has(name) && e.isFree(bare(callee.object), 'Number')) {
    e.marked(node.start, `Number.${name}`);
    emitLookedAt(e, node.arguments as Expression[]);
    return true;
  }
  if (SEARCHES.has(name) && !isLodash(e, callee.object)) {
    e.marked(node.start, '$L.search(');
    e.expression(callee.object);
    e.text(`, '${name}'`);
    for (const argument of node.arguments) {
      e.text(', ');
      e.expression(argument);
    }
    e.text(')');
    return true;
  }
  if (name === 'score' && node.arguments.length === 1) {
    e.marked(node.start, '$L.score(');
    e.expression(callee.object);
    e.text(', ');
    e.expression(node.arguments[0]);
    e.text(')');
    return true;
  }
  if (WRITING.has(name)) {
    e.marked(node.start, '$L.plain(');
    e.expression(callee.object);
    e.text(`).${name}(`);
    emitArguments(e, node.arguments);
    e.text(')');
    return true;
  }
  if (ANSWERED.has(name)) {
    for (const argument of node.arguments) answering.add(bare(argument));
  }
  return false;
}

const isLodash = (e: Emission, object: Node): boolean => e.isFree(bare(object), '_');

/** Writes the name of a function of lodash, or `Object.is`, that is called, if it is one: it is called for each lane. */
export function emitLaneFunction(e: Emission, node: CallExpression): boolean {
  const callee = bare(node.callee) as AnyNode;
  if (callee.type !== 'MemberExpression' || callee.computed || callee.optional || node.optional || e.inChain)
    return false;
  const { name } = callee.property as { name: string };
  if (!isLodash(e, callee.object) && !(name === 'is' && e.isFree(bare(callee.object), 'Object'))) return false;
  e.marked(node.start, '$L.inLanes(');
  e.expression(callee.object);
  e.text(`, '${name}')`);
  return true;
}

/** Writes `new Set(…)` and its like. */
export function emitCollection(e: Emission, node: NewExpression): boolean {
  const callee = bare(node.callee) as AnyNode;
  if (callee.type !== 'Identifier' || !COLLECTIONS.has(callee.name) || !e.isFree(callee, callee.name)) return false;
  e.marked(node.start, `new ${callee.name}(`);
  node.arguments.forEach((argument, i) => {
    e.text(`${i > 0 ? ', ' : ''}$L.collected(`);
    e.expression(argument);
    e.text(')');
  });
  e.text(')');
  return true;
}

/** True of `console.log(…)`: what the host prints cannot be kept until it is the turn of an iteration. */
export function isPrinting(e: Emission, node: CallExpression): boolean {
  const callee = bare(node.callee) as AnyNode;
  return callee.type === 'MemberExpression' && e.isFree(bare(callee.object), 'console');
}

function emitLookedAt(e: Emission, args: readonly Expression[]): void {
  e.text('(');
  args.forEach((argument, i) => {
    e.text(i === 0 ? '$L.plain(' : ', $L.plain(');
    e.expression(argument);
    e.text(')');
  });
  e.text(')');
}

type Emit = (e: Emission, node: never) => void;

/** The same writers, which have the answers of functions looked at where a host decides by them. */
export function withAnswers(expressions: { readonly [type: string]: Emit }): { readonly [type: string]: Emit } {
  const wrapped = (emit: Emit): Emit => {
    return (e, node: Node) => {
      if (!answering.delete(node)) {
        emit(e, node as never);
        return;
      }
      e.text('$L.answering(');
      emit(e, node as never);
      e.text(')');
    };
  };
  return Object.fromEntries(Object.entries(expressions).map(([type, emit]) => [type, wrapped(emit)]));
}
