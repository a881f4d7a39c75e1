/**
 * Names of call sites, which stay the same when other parts of the program change: the functions around a call, the variable that it gives a
 * value to, and what is called. So what was learned for a program still fits once something else in it has been edited, or it lies
 * elsewhere, or is compiled by a bundler.
 */
import type { AnyNode, Node } from 'acorn';
import type { SourceText } from './diagnostics.ts';
import type { Site } from './emit/emission.ts';
import { parse } from './parse/parse.ts';
import { bare, children, isFunction, type Language } from './parse/syntax.ts';

/** The name of each site, in their order: `model.map.mu=gaussian`, and with a number if there are several like it. */
export function siteNames(program: Node, source: string, sites: readonly Site[]): string[] {
  const inOrder = [...sites].sort((a, b) => a.offset - b.offset || a.number - b.number);
  const around = surroundings(program, new Set(sites.map(({ offset }) => offset)));
  const counts = new Map<string, number>();
  const names = new Map<number, string>();
  for (const { number, offset, calleeEnd } of inOrder) {
    const called = calleeEnd === undefined ? '' : source.slice(offset, calleeEnd).replace(/\s+/g, '').slice(0, LONGEST);
    const name = `${around.get(offset) ?? ''}${called}`.replace(/\s+/g, '_');
    const count = (counts.get(name) ?? 0) + 1;
    counts.set(name, count);
    names.set(number, count === 1 ? name : `${name}#${count}`);
  }
  return sites.map(({ number }) => names.get(number)!);
}

/** The same of a text that is parsed again. */
export const siteNamesOf = (source: SourceText, language: Language, sites: readonly Site[]): string[] =>
  siteNames(parse(source, language), source.text, sites);

/** Of what is called, so many letters. */
const LONGEST = 40;

/** Functions and variables around each of the places, outermost first. */
function surroundings(program: Node, places: ReadonlySet<number>): Map<number, string> {
  const found = new Map<number, string>();
  const waiting: { readonly node: AnyNode; readonly around: string; readonly own: string }[] = [
    { node: program as AnyNode, around: '', own: '' },
  ];
  for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
    const { own } = at;
    const node = bare(at.node) as AnyNode;
    const around = isFunction(node) ? `${at.around}${node.id?.name ?? own}.` : at.around;
    // What is inside a function is not what the variable is given that the function is the value of.
    const named = isFunction(node) ? '' : own;
    if (places.has(node.start)) found.set(node.start, `${around}${named === '' ? '' : `${named}=`}`);
    for (const child of children(node))
      waiting.push({ node: child as AnyNode, around, own: nameFor(node, child) ?? named });
  }
  return found;
}

/** What a node calls what is inside of it: a variable, a field, a function that is called with it. */
function nameFor(node: AnyNode, child: Node): string | undefined {
  switch (node.type) {
    case 'VariableDeclarator':
      return child === node.init ? textOf(node.id) : undefined;
    case 'AssignmentExpression':
      return child === node.right ? textOf(node.left) : undefined;
    case 'Property':
      return child === node.value ? textOf(node.key) : undefined;
    case 'CallExpression':
      return isFunction(bare(child) as AnyNode) ? textOf(node.callee) : undefined;
    case 'BlockStatement':
    case 'Program':
      return '';
    default:
      return undefined;
  }
}

/** Short names; of others what kind they are. */
function textOf(given: Node): string {
  const node = bare(given) as AnyNode;
  if (node.type === 'Identifier') return node.name;
  if (node.type === 'MemberExpression') return `${textOf(node.object)}.${textOf(node.property)}`;
  return node.type === 'Literal' ? String(node.value) : '*';
}
