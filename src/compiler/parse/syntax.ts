/** The syntax trees the compiler works on: acorn's, with TypeScript's additions looked through. */
import type { AnyNode, Expression, Function as FunctionNode, Node, Pattern, Program } from 'acorn';
import { once } from '../once.ts';

export const LANGUAGES = ['wppl', 'ts', 'js'] as const;
export type Language = (typeof LANGUAGES)[number];

/** Wrappers that only exist for the type checker; their value is that of `expression`. */
const TYPE_WRAPPERS = new Set([
  'TSAsExpression',
  'TSSatisfiesExpression',
  'TSNonNullExpression',
  'TSTypeAssertion',
  'TSInstantiationExpression',
  'ParenthesizedExpression',
]);

/** Declarations that only exist for the type checker. */
const TYPE_DECLARATIONS = new Set(['TSInterfaceDeclaration', 'TSTypeAliasDeclaration', 'TSDeclareFunction']);

/** Fields of nodes that hold types. */
const TYPE_FIELDS: ReadonlySet<string> = new Set(['typeAnnotation', 'returnType', 'typeParameters', 'typeArguments']);

/** The node inside casts, non-null marks and type arguments. */
export function bare<N extends Node>(node: N): N {
  let inner: Node = node;
  while (TYPE_WRAPPERS.has(inner.type)) inner = (inner as unknown as { expression: Node }).expression;
  return inner as N;
}

/** True of statements that leave no trace in the program. */
export function isTypeOnly(node: Node): boolean {
  return TYPE_DECLARATIONS.has(node.type) || (node as { declare?: boolean }).declare === true;
}

/** True of `import type`, `export type`, and single specifiers so marked. */
export function isTypeImport(node: Node): boolean {
  const kinds = node as { importKind?: string; exportKind?: string };
  return kinds.importKind === 'type' || kinds.exportKind === 'type';
}

/** Statements that go round. */
const LOOPS: ReadonlySet<string> = new Set([
  'ForStatement',
  'ForInStatement',
  'ForOfStatement',
  'WhileStatement',
  'DoWhileStatement',
]);

export const isLoop = ({ type }: Node): boolean => LOOPS.has(type);

export function isFunction(node: Node): node is FunctionNode & AnyNode {
  return (
    node.type === 'FunctionExpression' || node.type === 'ArrowFunctionExpression' || node.type === 'FunctionDeclaration'
  );
}

/** The nodes directly inside a node, types left out. */
export function children(node: Node): Node[] {
  const found: Node[] = [];
  if (isTypeOnly(node)) return found;
  for (const field in node) {
    const value = (node as unknown as Record<string, unknown>)[field];
    if (typeof value !== 'object' || TYPE_FIELDS.has(field)) continue;
    if (Array.isArray(value)) {
      for (const item of value) if (isNode(item)) found.push(item);
    } else if (isNode(value)) found.push(value);
  }
  return found;
}

/** The nodes inside of these, and these, without casts around them. Literals are left out: data may have a hundred thousand. */
export function nodesIn(given: readonly Node[]): AnyNode[] {
  const found: AnyNode[] = [];
  const waiting: Node[] = [...given];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (next.type === 'Literal') continue;
    const node = bare(next) as AnyNode;
    found.push(node);
    for (const child of children(node)) waiting.push(child);
  }
  return found;
}

/** Those of a program. */
export const nodesOf = once((program: Program): readonly AnyNode[] => nodesIn(program.body));

/** The node that each node of a program is directly inside of, those at top level left out. */
export const parentsIn = once((program: Program): ReadonlyMap<Node, Node> => {
  const found = new Map<Node, Node>();
  const waiting: Node[] = [...program.body];
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    if (node.type === 'Literal') continue;
    for (const child of children(node)) {
      found.set(child, node);
      waiting.push(child);
    }
  }
  return found;
});

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && typeof (value as Node).type === 'string';
}

/** Calls `found` with each identifier that a pattern binds. */
export function boundNames(pattern: Pattern | Expression, found: (name: { name: string } & Node) => void): void {
  const node = bare(pattern) as AnyNode;
  switch (node.type) {
    case 'Identifier':
      found(node);
      break;
    case 'ObjectPattern':
      for (const property of node.properties) {
        boundNames(property.type === 'RestElement' ? property.argument : property.value, found);
      }
      break;
    case 'ArrayPattern':
      for (const element of node.elements) if (element !== null) boundNames(element, found);
      break;
    case 'RestElement':
      boundNames(node.argument, found);
      break;
    case 'AssignmentPattern':
      boundNames(node.left, found);
      break;
  }
}

/** What a pattern assigns to: `[a, b] = [b, a]` changes two variables. */
export function targetsIn(pattern: Node): readonly Node[] {
  const node = bare(pattern) as AnyNode;
  switch (node.type) {
    case 'ArrayPattern':
      return node.elements.flatMap((element) => (element === null ? [] : targetsIn(element)));
    case 'ObjectPattern':
      return node.properties.flatMap((property) =>
        targetsIn(property.type === 'RestElement' ? property.argument : property.value),
      );
    case 'RestElement':
      return targetsIn(node.argument);
    case 'AssignmentPattern':
      return targetsIn(node.left);
    default:
      return [node];
  }
}
