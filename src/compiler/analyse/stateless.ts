/**
 * Whether a unit keeps state of its own: variables that inner functions change, fields that are written, objects that
 * are changed through their methods. Where nothing of the kind occurs, a function called with the same arguments does
 * the same for the same choices, so that an execution can be taken up again at a call instead of from its start.
 */
import type { AnyNode, Node } from 'acorn';
import { bare, children, isFunction } from '../parse/syntax.ts';
import type { Analysis } from './analyse.ts';
import { MUTATORS, STATEFUL_NAMES, STATELESS_OBJECTS } from './hosts.ts';
import { STORE } from './names.ts';
import type { Binding } from './scope.ts';

/** True if nothing in the unit can change a value that somebody else holds. */
export function isStateless(analysis: Analysis, pureObjects: ReadonlySet<string>): boolean {
  for (const { node, scope, write } of analysis.references) {
    const binding = analysis.resolve(node);
    if (write !== undefined && binding !== undefined && scope.home !== binding.scope.home) return false;
    const outside = outsideName(node.name, binding);
    if (outside !== undefined && STATEFUL_NAMES.has(outside)) return false;
  }
  const waiting: Node[] = [...analysis.program.body];
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    if (node.type === 'Literal') continue;
    if (changesObject(bare(node) as AnyNode, analysis, pureObjects)) return false;
    for (const child of children(node)) waiting.push(child);
  }
  return true;
}

/**
 * True if no function of the unit can change a value that others hold but the functions inside the one it belongs to; texts
 * that care about these ask when they are changed (`emit/shared-writes.ts`). What is done at top level does not count,
 * since nothing of a model runs meanwhile, but for giving functions of the library other names: which text of a function
 * calls them could not be told then. Models may read `globalStore`.
 */
export function hasQuietFunctions(
  analysis: Analysis,
  pureObjects: ReadonlySet<string>,
  library: ReadonlySet<string>,
): boolean {
  for (const { node, scope, write } of analysis.references) {
    const binding = analysis.resolve(node);
    const home = binding?.scope.home;
    if (write !== undefined && home?.kind === 'unit' && scope.home !== home) return false;
    const outside = outsideName(node.name, binding);
    if (outside !== undefined && outside !== STORE && STATEFUL_NAMES.has(outside)) return false;
  }
  const waiting = analysis.program.body.map((node: Node) => ({ node, inside: false }));
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { node } = next;
    if (node.type === 'Literal') continue;
    const inside = next.inside || isFunction(node);
    if (inside && changesObject(bare(node) as AnyNode, analysis, pureObjects)) return false;
    for (const child of children(node)) {
      if (!inside && namesLibrary(child, analysis, library) && !isCallWith(node, child, analysis, library))
        return false;
      waiting.push({ node: child, inside });
    }
  }
  return true;
}

/** True of a name of the library. */
function namesLibrary(given: Node, analysis: Analysis, library: ReadonlySet<string>): boolean {
  const node = bare(given) as AnyNode;
  if (node.type !== 'Identifier') return false;
  const name = outsideName(node.name, analysis.resolve(node));
  return name !== undefined && library.has(name);
}

/** Whether a name of the library is but called, read a field of, or handed to another function of the library. */
function isCallWith(parent: Node, child: Node, analysis: Analysis, library: ReadonlySet<string>): boolean {
  const node = bare(parent) as AnyNode;
  switch (node.type) {
    case 'CallExpression':
      return node.callee === child || namesLibrary(node.callee, analysis, library);
    case 'MemberExpression':
      return true;
    case 'ImportSpecifier':
    case 'ImportNamespaceSpecifier':
      return true;
    // The name of a field.
    case 'Property':
      return node.key === child && node.value !== child;
    default:
      return false;
  }
}

/** The name of the library or the host that an identifier stands for, if it is one. */
function outsideName(name: string, binding: Binding | undefined): string | undefined {
  if (binding === undefined) return name;
  return binding.import !== undefined && binding.import.module === undefined ? binding.import.name : undefined;
}

function changesObject(node: AnyNode, analysis: Analysis, pureObjects: ReadonlySet<string>): boolean {
  switch (node.type) {
    case 'AssignmentExpression':
      return bare(node.left).type !== 'Identifier';
    case 'UpdateExpression':
      return bare(node.argument).type !== 'Identifier';
    case 'UnaryExpression':
      return node.operator === 'delete';
    case 'ForInStatement':
    case 'ForOfStatement':
      return node.left.type !== 'VariableDeclaration' && bare(node.left).type !== 'Identifier';
    case 'CallExpression': {
      const callee = bare(node.callee) as AnyNode;
      if (callee.type !== 'MemberExpression') return false;
      const object = bare(callee.object) as AnyNode;
      if (object.type === 'Identifier') {
        const name = outsideName(object.name, analysis.resolve(object));
        if (name !== undefined && (pureObjects.has(name) || STATELESS_OBJECTS.has(name))) return false;
      }
      return callee.computed || MUTATORS.has((callee.property as { name: string }).name);
    }
    default:
      return false;
  }
}
