/**
 * Where a program asks a distribution for its samples only to read one field of each, as in
 * `map(function(s) { return s.value; }, dist.samples)`. Samples are kept as columns (`src/distributions/sample-columns.ts`),
 * so that the list of them, an object for each, need not be made.
 */
import type { AnyNode, CallExpression, Function as FunctionNode, MemberExpression, Node } from 'acorn';
import { bare, children, isFunction } from '../parse/syntax.ts';
import type { Analysis } from './analysis.ts';

/** The expressions `….samples` of which one field is read, and which. */
export function sampleFields(analysis: Analysis): ReadonlyMap<Node, string> {
  const found = new Map<Node, string>();
  const waiting: Node[] = [...analysis.program.body];
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    if (node.type === 'Literal') continue;
    for (const child of children(node)) waiting.push(child);
    if (node.type !== 'CallExpression') continue;
    const mapping = mappingOf(node as CallExpression, analysis);
    const field = mapping === undefined ? undefined : fieldReadBy(bare(mapping.fn));
    if (field !== undefined) found.set(mapping!.list, field);
  }
  return found;
}

/** What `map(fn, ….samples)` and `….samples.map(fn)` map. */
function mappingOf(call: CallExpression, analysis: Analysis): { fn: Node; list: MemberExpression } | undefined {
  const callee = bare(call.callee) as AnyNode;
  const [first, second] = call.arguments;
  if (callee.type === 'MemberExpression') {
    const list = bare(callee.object);
    if (call.arguments.length !== 1 || !isMember(callee, 'map') || !isMember(list, 'samples')) return undefined;
    return { fn: first, list };
  }
  if (call.arguments.length !== 2 || !isLibraryMap(callee, analysis)) return undefined;
  const list = bare(second);
  return isMember(list, 'samples') ? { fn: first, list } : undefined;
}

function isLibraryMap(callee: AnyNode, analysis: Analysis): boolean {
  if (callee.type !== 'Identifier') return false;
  const binding = analysis.resolve(callee);
  if (binding === undefined) return callee.name === 'map';
  return binding.import !== undefined && binding.import.module === undefined && binding.import.name === 'map';
}

function isMember(node: Node, name: string): node is MemberExpression {
  if (node.type !== 'MemberExpression') return false;
  const { computed, optional, property } = node as MemberExpression;
  return !computed && !optional && (property as { name: string }).name === name;
}

/** `value` or `score`, if a function literal reads that of its argument and does nothing else. */
function fieldReadBy(node: Node): string | undefined {
  if (!isFunction(node) || node.async || node.generator || node.params.length !== 1) return undefined;
  const [parameter] = node.params;
  const result = resultOf(node);
  if (parameter.type !== 'Identifier' || result?.type !== 'MemberExpression') return undefined;
  const object = bare(result.object) as AnyNode;
  if (object.type !== 'Identifier' || object.name !== parameter.name) return undefined;
  return ['value', 'score'].find((field) => isMember(result, field));
}

/** The expression that a function with nothing else in its body returns. */
function resultOf({ body }: FunctionNode): AnyNode | undefined {
  if (body.type !== 'BlockStatement') return bare(body) as AnyNode;
  const [statement] = body.body;
  if (body.body.length !== 1 || statement.type !== 'ReturnStatement' || !statement.argument) return undefined;
  return bare(statement.argument) as AnyNode;
}
