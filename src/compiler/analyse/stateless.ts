/**
 * Whether a unit keeps state of its own: variables that inner functions change, fields that are written, objects that
 * are changed through their methods. Where nothing of the kind occurs, a function called with the same arguments does
 * the same for the same choices, so that an execution can be taken up again at a call instead of from its start.
 */
import type { AnyNode, Identifier, Node } from 'acorn';
import type { LibraryNames } from '../library-names.ts';
import { bare, isFunction, nodesOf, parentsIn } from '../parse/syntax.ts';
import type { Analysis } from './analysis.ts';
import { ASSIGNERS, MUTATORS, PROCESS_FIELDS, STATEFUL_NAMES, STATELESS_OBJECTS } from './hosts.ts';
import { STORE } from './names.ts';
import { outsideName } from './scope.ts';

/** True if nothing in the unit can change a value that is held outside it. */
export function isStateless(analysis: Analysis, library: LibraryNames): boolean {
  return statePlaces(analysis, library).next().done === true;
}

/** The same, except that fields of `globalStore` may be written: an execution can be taken up again with a copy of the store. */
export function isResumable(analysis: Analysis, library: LibraryNames): boolean {
  return statePlaces(analysis, library, storeFields(analysis)).next().done === true;
}

/** Where a unit may change a value that is held outside it. `allowed` are references to the store, and what is written to its fields. */
export function* statePlaces(
  analysis: Analysis,
  library: LibraryNames,
  allowed: ReadonlySet<Node> = new Set(),
): Generator<number> {
  for (const { node, scope, write } of analysis.references) {
    const binding = analysis.resolve(node);
    if (write !== undefined && binding !== undefined && scope.home !== binding.scope.home) yield node.start;
    const outside = outsideName(node.name, binding);
    if (outside !== undefined && reachesState(outside, library) && !allowed.has(node) && !isRead(node, analysis))
      yield node.start;
  }
  for (const node of nodesOf(analysis.program)) {
    if (!allowed.has(node) && changesObject(node, analysis, library)) yield node.start;
  }
}

/** `globalStore` where a field of it is meant, and assignments to such fields themselves. */
export function storeFields(analysis: Analysis): ReadonlySet<Node> {
  const found = new Set<Node>();
  const isField = (given: Node): boolean => {
    const node = bare(given) as AnyNode;
    if (node.type !== 'MemberExpression') return false;
    const object = bare(node.object) as AnyNode;
    if (object.type !== 'Identifier' || outsideName(object.name, analysis.resolve(object)) !== STORE) return false;
    found.add(object);
    return true;
  };
  for (const node of nodesOf(analysis.program)) {
    isField(node);
    if (node.type === 'AssignmentExpression' && isField(node.left)) found.add(node);
    if (node.type === 'UpdateExpression' && isField(node.argument)) found.add(node);
    if (node.type === 'UnaryExpression' && node.operator === 'delete' && isField(node.argument)) found.add(node);
  }
  return found;
}

/** True of a name of the library or of JavaScript through which a program can reach state that is not its own. */
export const reachesState = (name: string, library: LibraryNames): boolean =>
  library.get(name)?.state === true || STATEFUL_NAMES.has(name);

/** True of `process` in `process.env` and the like: what is read there is the same for all executions, and what changes it is found by itself. */
export function isRead(node: Node, analysis: Analysis): boolean {
  if ((node as Identifier).name !== 'process') return false;
  let parent = parentsIn(analysis.program).get(node) as AnyNode | undefined;
  while (parent !== undefined && bare(parent) === node) parent = parentsIn(analysis.program).get(parent) as AnyNode;
  if (parent?.type !== 'MemberExpression' || parent.computed || bare(parent.object) !== node) return false;
  return PROCESS_FIELDS.has((parent.property as Identifier).name);
}

/** Whether an object is a variable, written once, that holds functions of the program by name or number: a call of one of them changes what it says itself. */
function isTable(object: AnyNode, analysis: Analysis): boolean {
  const value = object.type === 'Identifier' ? onlyValue(object, analysis) : undefined;
  const items =
    value?.type === 'ArrayExpression'
      ? value.elements
      : value?.type === 'ObjectExpression'
        ? value.properties.map((one) => (one.type === 'Property' && !one.computed ? one.value : null))
        : [];
  return items.length > 0 && items.every((item) => item !== null && isOwnFunction(item, analysis));
}

function onlyValue(name: AnyNode, analysis: Analysis): AnyNode | undefined {
  const writes = analysis.resolve(name)?.writes ?? [];
  return writes.length === 1 && writes[0].value !== undefined ? (bare(writes[0].value) as AnyNode) : undefined;
}

function isOwnFunction(given: Node, analysis: Analysis): boolean {
  const node = bare(given) as AnyNode;
  if (isFunction(node)) return true;
  const value = node.type === 'Identifier' ? onlyValue(node, analysis) : undefined;
  return value !== undefined && isFunction(value);
}

/** Whether a node changes an object that may be held elsewhere. */
export function changesObject(node: AnyNode, analysis: Analysis, library: LibraryNames): boolean {
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
        const { pure, forgets } = library.get(name ?? '') ?? {};
        if (pure || forgets || (name !== undefined && STATELESS_OBJECTS.has(name))) return false;
      }
      if (callee.computed) return !isTable(object, analysis);
      const { name } = callee.property as { name: string };
      // What is changed may be an object that was just made.
      const [first] = node.arguments;
      if (ASSIGNERS.has(name) && first !== undefined && bare(first).type === 'ObjectExpression') return false;
      return MUTATORS.has(name);
    }
    default:
      return false;
  }
}
