/** Where the guide of a choice is written, for messages: asked when something is wrong with it, so that the text is parsed again. */
import type { AnyNode, Node } from 'acorn';
import type { SourceText } from './diagnostics.ts';
import { parse } from './parse/parse.ts';
import { bare, isFunction, type Language, nodesIn } from './parse/syntax.ts';

/**
 * The place of the guide that a call which begins at the offset gives, as an offset: of what a function returns, or of what a variable was
 * given. Undefined where that cannot be told.
 */
export function guideOffset(source: SourceText, language: Language, call: number): number | undefined {
  const nodes = nodesIn([parse(source, language)]);
  for (const node of nodes) {
    if (node.type !== 'CallExpression' || node.start !== call) continue;
    const value = node.arguments.map(guideIn).find((found) => found !== undefined);
    if (value !== undefined) return written(value, nodes, 0).start;
  }
  return undefined;
}

/** The value of `guide` in an object that is written down. */
function guideIn(argument: Node): AnyNode | undefined {
  const options = bare(argument) as AnyNode;
  if (options.type !== 'ObjectExpression') return undefined;
  for (const property of options.properties) {
    if (property.type === 'Property' && property.key.type === 'Identifier' && property.key.name === 'guide')
      return bare(property.value) as AnyNode;
  }
  return undefined;
}

/** Names of names are not followed for ever. */
const DEEPEST = 4;

/** What is behind a variable, or what a function returns, if there is one such thing. */
function written(node: AnyNode, nodes: readonly AnyNode[], depth: number): AnyNode {
  if (depth > DEEPEST) return node;
  if (node.type === 'Identifier') {
    const given = nodes.flatMap((one) => {
      if (one.type === 'VariableDeclarator' && one.id.type === 'Identifier' && one.id.name === node.name && one.init) {
        return [bare(one.init) as AnyNode];
      }
      return one.type === 'FunctionDeclaration' && one.id?.name === node.name ? [one as AnyNode] : [];
    });
    return given.length === 1 ? written(given[0], nodes, depth + 1) : node;
  }
  if (!isFunction(node)) return node;
  const body = bare(node.body) as AnyNode;
  if (body.type !== 'BlockStatement') return body;
  const inside = nodesIn([body]);
  const functions = inside.filter(isFunction);
  const isOwn = ({ start }: Node): boolean => !functions.some((one) => one.start <= start && start < one.end);
  const returned = inside.filter((one) => one.type === 'ReturnStatement' && isOwn(one));
  const [only] = returned;
  return returned.length === 1 && only.type === 'ReturnStatement' && only.argument
    ? (bare(only.argument) as AnyNode)
    : node;
}
