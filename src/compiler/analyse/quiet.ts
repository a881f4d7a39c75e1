/**
 * Callbacks between the steps of an optimisation (`onStep`, `stepSize`) that cannot change what the model does: all they write is
 * what is read nowhere else, such as a list of objectives that is shown at the end. Steps can then be run again without the
 * program. Whatever is not certain counts as a change.
 */
import type { AnyNode, CallExpression, Expression, Function as FunctionNode, Identifier, Node } from 'acorn';
import type { LibraryNames } from '../library-names.ts';
import { bare, children, isFunction, nodesOf, parentsIn } from '../parse/syntax.ts';
import type { Analysis } from './analysis.ts';
import { CALLBACK_TAKERS, HOST_METHODS, MUTATORS } from './hosts.ts';
import { type Binding, outsideName, type Reference } from './scope.ts';
import { reachesState } from './stateless.ts';

/** True of what changes parameters, or runs text that was not analysed. */
const isChanging = (name: string, library: LibraryNames): boolean =>
  library.get(name)?.params === 'changes' || reachesState(name, library);

/** Options that are called between steps, besides `onStep`; `after` is one of `schedules.warmUp`. */
const STEP_SIZES = new Set(['stepSize', 'after']);

/** The values of such options that are quiet, as expressions. */
export function quietCallbacks(analysis: Analysis, library: LibraryNames): ReadonlySet<Node> {
  const found = new Set<Node>();
  let quiet: Quiet | undefined;
  for (const node of nodesOf(analysis.program)) {
    const callback = callbackOf(node, analysis, library) ?? stepSizeOf(node);
    if (callback === undefined) continue;
    quiet ??= new Quiet(analysis, library);
    const fn = quiet.functionOf(callback);
    if (fn !== undefined && quiet.isQuiet(fn)) found.add(bare(callback));
  }
  return found;
}

/** The value of `onStep` in the options of a call of `Optimize`. */
function callbackOf(node: AnyNode, analysis: Analysis, library: LibraryNames): Expression | undefined {
  if (node.type !== 'CallExpression') return undefined;
  const callee = bare(node.callee) as AnyNode;
  if (callee.type !== 'Identifier' || !library.get(libraryName(callee, analysis) ?? '')?.steps) return undefined;
  for (const argument of node.arguments) {
    const options = bare(argument) as AnyNode;
    if (options.type !== 'ObjectExpression') continue;
    for (const property of options.properties) {
      if (property.type === 'Property' && !property.computed && (property.key as { name?: string }).name === 'onStep') {
        return property.value;
      }
    }
  }
  return undefined;
}

/** The value of `stepSize`, if it may be a function. */
function stepSizeOf(node: AnyNode): Expression | undefined {
  if (node.type !== 'Property' || node.computed || node.value.type === 'Literal') return undefined;
  return STEP_SIZES.has((node.key as { name?: string }).name ?? '') ? (node.value as Expression) : undefined;
}

/** The name of the library or of JavaScript that an identifier stands for, if it is one. */
function libraryName(node: Node, analysis: Analysis): string | undefined {
  const { name } = node as Identifier;
  return outsideName(name, analysis.resolve(node));
}

/** What a function changes: variables of others, and objects behind variables. */
interface Changes {
  readonly assigned: Set<Binding>;
  readonly altered: Set<Binding>;
}

class Quiet {
  private readonly parents: ReadonlyMap<Node, Node>;
  private readonly references = new Map<Binding, Reference[]>();
  /** Where the expression begins that is the value of the program. */
  private readonly lastValue: number = Number.POSITIVE_INFINITY;

  constructor(
    private readonly analysis: Analysis,
    private readonly library: LibraryNames,
  ) {
    this.parents = parentsIn(analysis.program);
    const last = analysis.program.body.at(-1);
    const optimises = (node: Node): boolean =>
      callbackOf(bare(node) as AnyNode, analysis, library) !== undefined || children(node).some(optimises);
    // The last expression is evaluated after all optimisations.
    if (last?.type === 'ExpressionStatement' && !optimises(last)) this.lastValue = last.start;
    for (const reference of analysis.references) {
      const binding = analysis.resolve(reference.node);
      if (binding === undefined) continue;
      const known = this.references.get(binding);
      if (known === undefined) this.references.set(binding, [reference]);
      else known.push(reference);
    }
  }

  /** The function that an expression is, or the one that a variable always holds. */
  functionOf(given: Expression): FunctionNode | undefined {
    const node = bare(given) as AnyNode;
    if (isFunction(node)) return node as FunctionNode;
    const binding = node.type === 'Identifier' ? this.analysis.resolve(node) : undefined;
    return binding === undefined ? undefined : this.heldBy(binding);
  }

  isQuiet(fn: FunctionNode): boolean {
    const changes = this.changesOf(fn, new Set());
    if (changes === undefined) return false;
    for (const binding of [...changes.assigned, ...changes.altered]) if (!this.isOwn(binding, fn)) return false;
    for (const binding of changes.altered) {
      if (!binding.writes.every(({ value }) => value !== undefined && isFresh(value))) return false;
    }
    return true;
  }

  private heldBy({ writes, kind }: Binding): FunctionNode | undefined {
    if (kind === 'import' || kind === 'parameter' || writes.length !== 1) return undefined;
    const [{ value }] = writes;
    return value !== undefined && isFunction(bare(value)) ? (bare(value) as FunctionNode) : undefined;
  }

  /** What the function changes; undefined if that cannot be told. */
  private changesOf(fn: FunctionNode, seen: Set<Node>): Changes | undefined {
    const changes: Changes = { assigned: new Set(), altered: new Set() };
    if (seen.has(fn)) return changes;
    seen.add(fn);
    const inside = (offset: number): boolean => offset >= fn.start && offset < fn.end;
    const alters = (target: Node): boolean => {
      const root = bare(target) as AnyNode;
      const binding = root.type === 'Identifier' ? this.analysis.resolve(root) : undefined;
      if (binding === undefined) return false;
      if (!inside(binding.declaredAt)) changes.altered.add(binding);
      // A variable of the callback may hold an object that others hold, too.
      else if (!binding.writes.every(({ value }) => value !== undefined && isFresh(value))) return false;
      return true;
    };
    const waiting: Node[] = [fn as Node];
    for (let given = waiting.pop(); given !== undefined; given = waiting.pop()) {
      if (given.type === 'Literal') continue;
      for (const child of children(given)) waiting.push(child);
      const node = bare(given) as AnyNode;
      if (node.type === 'Identifier' && !this.mayBeNamed(node, inside, seen)) return undefined;
      if (node.type === 'AssignmentExpression' || node.type === 'UpdateExpression') {
        const target = bare(node.type === 'AssignmentExpression' ? node.left : node.argument) as AnyNode;
        if (target.type === 'MemberExpression') {
          if (!alters(target.object)) return undefined;
        } else if (target.type === 'Identifier') {
          const binding = this.analysis.resolve(target);
          if (binding === undefined) return undefined;
          if (!inside(binding.declaredAt)) changes.assigned.add(binding);
        } else return undefined;
      }
      if (node.type === 'UnaryExpression' && node.operator === 'delete') return undefined;
      if (node.type === 'NewExpression' && libraryName(bare(node.callee), this.analysis) === undefined)
        return undefined;
      if (node.type === 'TaggedTemplateExpression') return undefined;
      if (node.type === 'CallExpression' && !this.mayBeCalled(node, alters)) return undefined;
    }
    return changes;
  }

  /** Whether a name may be mentioned: other functions of the program only if they change nothing at all. */
  private mayBeNamed(node: Node, inside: (offset: number) => boolean, seen: Set<Node>): boolean {
    const name = libraryName(node, this.analysis);
    if (name !== undefined) return !isChanging(name, this.library) || this.isField(node);
    const binding = this.analysis.resolve(node)!;
    if (inside(binding.declaredAt)) return true;
    if (binding.kind === 'import') return false;
    for (const { value } of binding.writes) {
      if (value === undefined || !isFunction(bare(value))) continue;
      const changes = this.changesOf(bare(value) as FunctionNode, seen);
      if (changes === undefined || changes.assigned.size + changes.altered.size > 0) return false;
    }
    return true;
  }

  /** True of an identifier that is the name of a field. */
  private isField(node: Node): boolean {
    const parent = this.parents.get(node) as AnyNode | undefined;
    if (parent?.type === 'MemberExpression') return !parent.computed && parent.property === node;
    return parent?.type === 'Property' && !parent.computed && parent.key === node && !parent.shorthand;
  }

  private mayBeCalled(node: CallExpression, alters: (target: Node) => boolean): boolean {
    const callee = bare(node.callee) as AnyNode;
    if (isFunction(callee)) return true;
    if (callee.type === 'Identifier') {
      return libraryName(callee, this.analysis) !== undefined || this.functionOf(callee) !== undefined;
    }
    if (callee.type !== 'MemberExpression' || callee.computed) return false;
    const { name } = callee.property as { name: string };
    const object = bare(callee.object) as AnyNode;
    const host = object.type === 'Identifier' && libraryName(object, this.analysis) !== undefined;
    if (MUTATORS.has(name)) return !host && alters(object);
    return host || HOST_METHODS.has(name) || CALLBACK_TAKERS.has(name);
  }

  /** True if only the function reads the variable, except at the top level in passing. */
  private isOwn(binding: Binding, fn: FunctionNode): boolean {
    if (binding.kind === 'import' || binding.kind === 'parameter' || this.isExported(binding)) return false;
    return (this.references.get(binding) ?? []).every(({ node, scope }) => {
      if (node.start >= fn.start && node.end <= fn.end) return true;
      return scope.home === this.analysis.unit && this.isPassing(node);
    });
  }

  /** True of a mention that does not keep the value until the model runs. */
  private isPassing(node: Node): boolean {
    if (node.start >= this.lastValue) return true;
    const parent = this.parents.get(node) as AnyNode | undefined;
    if (parent?.type === 'MemberExpression' && parent.object === node) {
      const call = this.parents.get(parent) as AnyNode | undefined;
      if (call?.type !== 'CallExpression' || call.callee !== parent) return true;
      const { name } = parent.property as { name?: string };
      return name !== undefined && name !== 'valueOf' && !MUTATORS.has(name);
    }
    // `display(sum(seen));`
    let at: Node = node;
    for (;;) {
      const call = this.parents.get(at) as AnyNode | undefined;
      if (call?.type === 'ExpressionStatement') return at !== node;
      if (call?.type !== 'CallExpression' || call.callee === at) return false;
      const name = libraryName(bare(call.callee), this.analysis);
      if (name === undefined || this.library.get(name)?.steps || isChanging(name, this.library)) return false;
      at = call;
    }
  }

  private isExported({ declaredAt, name }: Binding): boolean {
    return this.analysis.program.body.some(
      (node) =>
        node.type === 'ExportDefaultDeclaration' ||
        (node.type === 'ExportNamedDeclaration' &&
          ((declaredAt >= node.start && declaredAt < node.end) ||
            node.specifiers.some(({ local }) => (local as { name?: string }).name === name))),
    );
  }
}

/** True of numbers, text and the like, and of arrays and objects that are made here of such. */
function isFresh(given: Expression): boolean {
  const node = bare(given) as AnyNode;
  switch (node.type) {
    case 'Literal':
      return true;
    case 'Identifier':
      return node.name === 'undefined' || node.name === 'Infinity' || node.name === 'NaN';
    case 'UnaryExpression':
      return isFresh(node.argument);
    case 'ArrayExpression':
      return node.elements.every((item) => item !== null && item.type !== 'SpreadElement' && isFresh(item));
    case 'ObjectExpression':
      return node.properties.every(
        (property) => property.type === 'Property' && !property.computed && isFresh(property.value as Expression),
      );
    default:
      return false;
  }
}
