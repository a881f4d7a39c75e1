/**
 * Arrays, objects, Maps and Sets that a function makes, changes, and keeps to itself: `const xs = []; … xs.push(x)`. Executions that run side by
 * side may change them together, since each has one of its own. The object must be known by one name only while it is changed:
 * where it went by another, a conditional could have made one object of several, which would not see the change.
 */
import type { AnyNode, CallExpression, Expression, MemberExpression, Node } from 'acorn';
import type { LibraryName, LibraryNames } from '../library-names.ts';
import { once } from '../once.ts';
import { bare, isFunction, parentsIn } from '../parse/syntax.ts';
import type { Analysis } from './analysis.ts';
import { ARRANGERS, CALLBACK_TAKERS, KEYED_MUTATORS, MUTATORS, OWN_MUTATORS } from './hosts.ts';
import { type Binding, outsideName, type Reference } from './scope.ts';

/** Functions of `Object`, and methods of lists and text, that make a list. */
const LISTING: ReadonlySet<string> = new Set('keys values entries'.split(' '));
const MAKING_METHODS: ReadonlySet<string> = new Set(
  'slice map filter flatMap flat concat toSorted toReversed toSpliced split'.split(' '),
);
/** Methods that change a list, and give it. */
const ARRANGING: ReadonlySet<string> = new Set(['sort', 'reverse', 'fill']);

/** The objects of a unit that functions keep to themselves. */
export const ownObjects = once((analysis: Analysis, library: LibraryNames) => new OwnObjects(analysis, library));

class OwnObjects {
  private readonly bindings = new Set<Binding>();
  private readonly parents: ReadonlyMap<Node, Node>;

  constructor(
    private readonly analysis: Analysis,
    private readonly library: LibraryNames,
  ) {
    this.parents = parentsIn(analysis.program);
    const uses = new Map<Binding, Reference[]>();
    for (const binding of analysis.bindings) if (this.isMadeHere(binding)) uses.set(binding, []);
    if (uses.size === 0) return;
    for (const reference of analysis.references) {
      const binding = analysis.resolve(reference.node);
      if (binding !== undefined && reference.write === undefined) uses.get(binding)?.push(reference);
    }
    for (const [binding, references] of uses) {
      if (!references.some(({ node }) => this.isChanged(node))) continue;
      if (references.every((reference) => this.keepsName(reference, binding))) this.bindings.add(binding);
    }
  }

  /** True of a name that stands for such an object. */
  has(given: Node): boolean {
    const node = bare(given) as AnyNode;
    if (node.type !== 'Identifier') return false;
    const binding = this.analysis.resolve(node);
    return binding !== undefined && this.bindings.has(binding);
  }

  /** Whether all that a node changes is such an object. */
  isOwnChange(node: AnyNode): boolean {
    switch (node.type) {
      case 'AssignmentExpression':
        return node.left.type === 'ArrayPattern'
          ? node.left.elements.every((target) => target !== null && this.isField(target))
          : this.isField(node.left);
      case 'UpdateExpression':
        return this.isField(node.argument);
      case 'CallExpression': {
        const callee = bare(node.callee) as AnyNode;
        if (callee.type !== 'MemberExpression' || callee.computed) return false;
        if (this.has(callee.object)) return isOwnMutator(callee, this.isKeyed(callee.object));
        return this.isNewList(node);
      }
      default:
        return false;
    }
  }

  /** `new Array(3).fill(0)`, `[...xs].sort()`: a call that changes a list which was just made. */
  isNewList(node: CallExpression): boolean {
    const callee = bare(node.callee) as AnyNode;
    if (callee.type !== 'MemberExpression' || callee.computed) return false;
    return ARRANGING.has((callee.property as { name: string }).name) && this.isNew(bare(callee.object) as AnyNode);
  }

  /** True of a name for a Map or Set. */
  private isKeyed(name: Node): boolean {
    const binding = this.analysis.resolve(bare(name));
    return binding !== undefined && this.isNewKeyed(bare(binding.writes[0].value!) as AnyNode);
  }

  /** True of `new Map(…)` and `new Set(…)`. */
  isNewKeyed(node: AnyNode): boolean {
    return node.type === 'NewExpression' && (this.isHost(node.callee, 'Map') || this.isHost(node.callee, 'Set'));
  }

  private isField(given: Node): boolean {
    const node = bare(given) as AnyNode;
    return node.type === 'MemberExpression' && this.has(node.object);
  }

  /** A variable of a function that always holds what is made where it is declared. */
  private isMadeHere({ kind, scope, writes, startsAs }: Binding): boolean {
    if (kind !== 'const' && kind !== 'let' && kind !== 'var') return false;
    if (scope.home.kind !== 'function' || startsAs !== undefined || writes.length !== 1) return false;
    const { value } = writes[0];
    return value !== undefined && this.isFresh(bare(value) as AnyNode);
  }

  private isFresh(node: AnyNode): boolean {
    switch (node.type) {
      case 'ArrayExpression':
        return true;
      case 'ObjectExpression':
        return node.properties.every((property) => property.type === 'SpreadElement' || property.kind === 'init');
      case 'NewExpression':
        return this.isArray(node.callee) || this.isNewKeyed(node);
      case 'CallExpression': {
        const callee = bare(node.callee) as AnyNode;
        if (callee.type !== 'MemberExpression' || callee.computed) return this.isArray(callee);
        const { name } = callee.property as { name: string };
        const object = bare(callee.object) as AnyNode;
        return name === 'fill' ? this.isFresh(object) : name === 'from' && this.isArray(object);
      }
      default:
        return false;
    }
  }

  /** Whether an expression certainly makes a list, which has no other holder then. */
  isNew(node: AnyNode): boolean {
    if (this.isFresh(node)) return node.type !== 'ObjectExpression' && !this.isNewKeyed(node);
    if (node.type !== 'CallExpression') return false;
    const callee = bare(node.callee) as AnyNode;
    if (callee.type !== 'MemberExpression' || callee.computed) return this.libraryFunction(callee)?.gives === 'list';
    const { name } = callee.property as { name: string };
    const object = bare(callee.object) as AnyNode;
    const owner = object.type === 'Identifier' ? outsideName(object.name, this.analysis.resolve(object)) : undefined;
    if (owner === 'Object') return LISTING.has(name);
    return MAKING_METHODS.has(name) || (ARRANGING.has(name) && this.isNew(object));
  }

  private isArray(given: Node): boolean {
    return this.isHost(given, 'Array');
  }

  private isHost(given: Node, name: string): boolean {
    const node = bare(given) as AnyNode;
    return node.type === 'Identifier' && node.name === name && this.analysis.resolve(node) === undefined;
  }

  /** What is written around a node, parentheses and types left out. */
  private around(given: Node): { readonly node: Node; readonly parent: AnyNode | undefined } {
    let node = given;
    let parent = this.parents.get(node);
    while (parent !== undefined && bare(parent) === bare(given)) {
      node = parent;
      parent = this.parents.get(node);
    }
    return { node, parent: parent as AnyNode | undefined };
  }

  private isChanged(name: Node): boolean {
    const { node, parent } = this.around(name);
    if (parent?.type !== 'MemberExpression' || parent.object !== node) return false;
    const use = this.around(parent);
    if (use.parent?.type === 'CallExpression') {
      return use.parent.callee === use.node && isOwnMutator(parent, this.isKeyed(name));
    }
    return isTarget(use.node, use.parent) || this.isSwapped(use);
  }

  /** Whether it is assigned to by a pattern: `[xs[0], xs[i]] = …`. */
  private isSwapped({ node, parent }: { readonly node: Node; readonly parent: AnyNode | undefined }): boolean {
    if (parent?.type !== 'ArrayPattern' || !(parent.elements as readonly Node[]).includes(node)) return false;
    const { parent: assignment } = this.around(parent);
    return assignment?.type === 'AssignmentExpression' && this.isStatement(assignment);
  }

  private isStatement(node: Node): boolean {
    return this.around(node).parent?.type === 'ExpressionStatement';
  }

  /** Whether a use of the object leaves it known by its name only, as long as it may be changed. */
  private keepsName({ node: name, scope }: Reference, binding: Binding): boolean {
    if (scope.home !== binding.scope.home && !this.isInCallback(name, binding)) return false;
    const { node, parent } = this.around(name);
    switch (parent?.type) {
      case 'MemberExpression':
        return parent.object === node && this.isPlainUse(parent, bare(binding.writes[0].value!) as AnyNode);
      case 'SpreadElement':
        return true;
      case 'ForOfStatement':
        return parent.right === node;
      case 'VariableDeclarator':
        return parent.init === node && parent.id.type !== 'Identifier';
      case 'CallExpression':
        return parent.callee !== node && this.isTakenApart(parent, node);
      default:
        return scope.home === binding.scope.home && this.isReturned(node);
    }
  }

  /** `xs.length`, `xs[i]`, `xs.push(x)`, `xs.map(f)`, `o.n = 1`. */
  private isPlainUse(member: MemberExpression, made: AnyNode): boolean {
    const { node, parent } = this.around(member);
    if (parent?.type === 'UnaryExpression') return parent.operator !== 'delete';
    if (parent?.type === 'ChainExpression' || parent === undefined) return false;
    if (parent.type !== 'CallExpression' || parent.callee !== node) {
      // A pattern that assigns: `[xs[0]] = …`.
      if (this.isSwapped({ node, parent })) return true;
      return !parent.type.endsWith('Pattern') && parent.type !== 'ForOfStatement' && parent.type !== 'ForInStatement';
    }
    // A method of an object may know the object as `this`.
    if (member.computed || made.type === 'ObjectExpression') return false;
    const { name } = member.property as { name: string };
    if (this.isNewKeyed(made)) {
      // A result that is the object itself would be another name for it.
      return KEYED_MUTATORS.has(name) ? this.isStatement(parent) : !MUTATORS.has(name) && name !== 'valueOf';
    }
    if (ARRANGERS.has(name)) return this.isStatement(parent);
    return OWN_MUTATORS.has(name) || (!MUTATORS.has(name) && name !== 'valueOf' && name !== 'at');
  }

  /** Whether it is the argument of a function of the library that keeps its items at most, and not the list. */
  private isTakenApart({ callee, arguments: args }: CallExpression, given: Node): boolean {
    const { gives, pure = false, handsOn = [] } = this.libraryFunction(callee) ?? {};
    const place = args.indexOf(given as Expression);
    if (handsOn.includes(place) || args.slice(0, place).some(({ type }) => type === 'SpreadElement')) return false;
    return gives === undefined ? pure : gives !== 'fields';
  }

  private libraryFunction(given: Node): LibraryName | undefined {
    const node = bare(given) as AnyNode;
    if (node.type !== 'Identifier') return undefined;
    const name = outsideName(node.name, this.analysis.resolve(node));
    return name === undefined ? undefined : this.library.get(name);
  }

  /** Whether the functions around a use, inside the one that has the object, are called where they are written and nowhere else. */
  private isInCallback(name: Node, binding: Binding): boolean {
    const home = binding.scope.home;
    let at: Node | undefined = this.parents.get(name);
    for (; at !== undefined; at = this.parents.get(at)) {
      if (!isFunction(at)) continue;
      if (this.analysis.functions.get(at) === home) return true;
      const { node, parent } = this.around(at);
      if (parent?.type !== 'CallExpression' || parent.callee === node) return false;
      const callee = bare(parent.callee) as AnyNode;
      const method =
        callee.type === 'MemberExpression' && !callee.computed ? (callee.property as { name: string }) : undefined;
      const isCalled =
        method === undefined ? this.libraryFunction(callee) !== undefined : CALLBACK_TAKERS.has(method.name);
      if (!isCalled) return false;
    }
    return false;
  }

  /** Whether the function returns it, or an object or array that holds it. */
  private isReturned(given: Node): boolean {
    let { node, parent } = this.around(given);
    while (parent?.type === 'ArrayExpression' || parent?.type === 'Property' || parent?.type === 'ObjectExpression') {
      if (parent.type === 'Property' && (parent.computed || parent.value !== node)) return false;
      ({ node, parent } = this.around(parent));
    }
    return parent?.type === 'ReturnStatement';
  }
}

const isOwnMutator = ({ computed, property }: MemberExpression, isKeyed: boolean): boolean =>
  !computed &&
  (isKeyed ? [KEYED_MUTATORS] : [OWN_MUTATORS, ARRANGERS]).some((names) =>
    names.has((property as { name: string }).name),
  );

/** Whether something is assigned to. */
function isTarget(node: Node, parent: AnyNode | undefined): boolean {
  if (parent?.type === 'AssignmentExpression') return parent.left === node;
  return parent?.type === 'UpdateExpression' && (parent.argument as Expression) === node;
}
