/**
 * Functions that are made inside others and stay: those that have a name, are a field of an object, are returned or given
 * to another function of the program. An agent is such a bundle of functions, made anew for each supposition about what it
 * wants. Two that were made from the same text with the same values around them do the same, so the runtime is told of both
 * (`src/runtime/made-functions.ts`), in units where inferences are made inside functions, which are recalled by such values.
 */
import type { AnyNode, Node } from 'acorn';
import type { LibraryNames } from '../library-names.ts';
import { bare, children, isFunction } from '../parse/syntax.ts';
import type { Analysis } from './analysis.ts';
import { type Binding, outsideName } from './scope.ts';

export function madeFunctions(analysis: Analysis, library: LibraryNames): ReadonlySet<Node> {
  const found = new Set<Node>();
  let infersInside = false;
  const waiting: { node: Node; parent: AnyNode | null; depth: number; last: boolean }[] = analysis.program.body.map(
    (node) => ({ node, parent: null, depth: 0, last: false }),
  );
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { parent, depth, last } = next;
    const node = bare(next.node) as AnyNode;
    if (node.type === 'Literal') continue;
    const inside = isFunction(node);
    if (inside && depth > 0 && parent !== null && stays(analysis, library, node, parent, last)) found.add(node);
    if (node.type === 'CallExpression' && depth > 0) {
      const callee = bare(node.callee) as AnyNode;
      if (callee.type === 'Identifier' && isInference(callee.name, analysis.resolve(callee), library))
        infersInside = true;
    }
    const statements = node.type === 'BlockStatement' ? node.body : undefined;
    for (const child of children(node)) {
      const ends = statements !== undefined && child === statements[statements.length - 1];
      // The last expression of a body is its value in WebPPL.
      const isLast = ends || (next.last && node.type === 'ExpressionStatement');
      waiting.push({ node: child, parent: node, depth: inside ? depth + 1 : depth, last: isLast });
    }
  }
  return infersInside ? found : new Set();
}

function isInference(name: string, binding: Binding | undefined, library: LibraryNames): boolean {
  return library.get(outsideName(name, binding) ?? '')?.infers !== undefined;
}

function stays(analysis: Analysis, library: LibraryNames, node: Node, parent: AnyNode, last: boolean): boolean {
  /** What calls a function that it is given later, or does not call it: it stays as it is. */
  const keeps = (name: string): boolean => library.get(name)?.keeps === true;
  switch (parent.type) {
    case 'VariableDeclarator':
    case 'ReturnStatement':
    case 'ConditionalExpression':
    case 'ArrayExpression':
      return true;
    case 'ArrowFunctionExpression':
      return bare(parent.body) === node;
    case 'Property':
      return !parent.method && parent.kind === 'init' && bare(parent.value) === node;
    case 'ExpressionStatement':
      return last;
    case 'CallExpression': {
      const callee = bare(parent.callee) as AnyNode;
      if (callee === node) return false;
      if (callee.type === 'MemberExpression') return keeps((callee.property as { name?: string }).name ?? '');
      if (callee.type !== 'Identifier') return false;
      const name = outsideName(callee.name, analysis.resolve(callee));
      return name === undefined || keeps(name);
    }
    default:
      return false;
  }
}
