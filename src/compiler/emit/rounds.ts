/**
 * Functions that call each other in return position, round and round: `isEven` calls `isOdd`, which calls `isEven`. Such a call does
 * not need the stack: the function returns it to the caller of the first of these calls, which makes it (`Bounce` in
 * `runtime/returning.ts`). A function knows by `$b` whether there is such a caller.
 */
import type { AnyNode, CallExpression, Function as FunctionNode, Node } from 'acorn';
import { once } from '../once.ts';
import { bare, children, isFunction } from '../parse/syntax.ts';
import type { Emission } from './emission.ts';
import { isProgramFunction } from './program-names.ts';
import { isLoop } from './turns.ts';

/** Whether a call in return position of a function comes back to it, if not as a turn of a loop. */
export function comesRound(e: Emission, from: FunctionNode | null, call: CallExpression): boolean {
  if (from === null || call.optional || call.arguments.some(({ type }) => type === 'SpreadElement')) return false;
  const called = calledBy(e, call);
  if (called === null || !canReturn(from) || (called === from && isLoop(e, from))) return false;
  return lead(e, called, from);
}

/** Whether other functions may return calls of this one. */
export function isInRound(e: Emission, node: FunctionNode): boolean {
  if (!canReturn(node)) return false;
  return partnersOf(node, e).some((called) => (called !== node || !isLoop(e, node)) && lead(e, called, node));
}

const canReturn = (node: FunctionNode): boolean => !node.async && !node.generator;

/** Whether each of two functions leads to the other by calls in return position. */
function lead(e: Emission, one: FunctionNode, other: FunctionNode): boolean {
  return roundOf(e, one) === roundOf(e, other);
}

/** For each function of a round, the one of them that was met first: it stands for the round. */
const rounds = new WeakMap<FunctionNode, FunctionNode>();

/** Tarjan's strongly connected components, without recursion: programs may have thousands of functions in a row. */
function roundOf(e: Emission, start: FunctionNode): FunctionNode {
  const found = rounds.get(start);
  if (found !== undefined) return found;
  const numbers = new Map<FunctionNode, number>();
  const lowest = new Map<FunctionNode, number>();
  const open: FunctionNode[] = [];
  const path = [{ node: start, next: 0 }];
  while (path.length > 0) {
    const at = path[path.length - 1];
    const { node } = at;
    if (!numbers.has(node)) {
      lowest.set(node, numbers.size);
      numbers.set(node, numbers.size);
      open.push(node);
    }
    const partners = partnersOf(node, e);
    if (at.next < partners.length) {
      const partner = partners[at.next++];
      if (!numbers.has(partner) && !rounds.has(partner)) path.push({ node: partner, next: 0 });
      else if (!rounds.has(partner)) lowest.set(node, Math.min(lowest.get(node)!, numbers.get(partner)!));
      continue;
    }
    path.pop();
    const low = lowest.get(node)!;
    if (path.length > 0) {
      const above = path[path.length - 1].node;
      lowest.set(above, Math.min(lowest.get(above)!, low));
    }
    if (low !== numbers.get(node)) continue;
    for (let member = open.pop()!; ; member = open.pop()!) {
      rounds.set(member, node);
      if (member === node) break;
    }
  }
  return rounds.get(start)!;
}

/** The functions that a function may call in return position. */
const partnersOf = once(({ body }: FunctionNode, e: Emission): readonly FunctionNode[] => {
  const found = new Set<FunctionNode>();
  const waiting: AnyNode[] = [bare(body) as AnyNode];
  for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
    if (isFunction(at)) continue;
    if (at.type === 'CallExpression') {
      const called = calledBy(e, at);
      if (called !== null) found.add(called);
    } else if (at.type === 'ConditionalExpression')
      waiting.push(bare(at.consequent) as AnyNode, bare(at.alternate) as AnyNode);
    else if (at.type === 'LogicalExpression') waiting.push(bare(at.right) as AnyNode);
    else if (/Statement$|^SwitchCase$/.test(at.type)) waiting.push(...(children(at).map(bare) as AnyNode[]));
  }
  return [...found];
});

/** The function of this program that a call certainly calls. */
function calledBy(e: Emission, { callee }: CallExpression): FunctionNode | null {
  const name = bare(callee as Node);
  if (name.type !== 'Identifier' || !isProgramFunction(e, name)) return null;
  const called = bare(e.binding(name)!.writes[0].value!) as FunctionNode;
  return canReturn(called) ? called : null;
}
