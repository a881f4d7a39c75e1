/**
 * What a function of the program can reach: all that it mentions, what that was given, and so on. Whatever cannot be
 * followed counts as anything. So a model that cannot come to a function which changes something is known from others.
 */
import type { AnyNode, CallExpression, Node } from 'acorn';
import type { LibraryNames } from '../library-names.ts';
import { bare, children, isFunction, parentsIn } from '../parse/syntax.ts';
import type { Analysis } from './analysis.ts';
import { ASSIGNERS, MUTATORS } from './hosts.ts';
import { type Binding, outsideName, type Reference } from './scope.ts';

export class Reach {
  private readonly parents: ReadonlyMap<Node, Node>;
  private readonly functions = new Map<unknown, Node>();
  private readonly mentions = new Map<Binding, Node[]>();
  /** What is put into objects after they are made, and may be or hold a function: any code may find it there. */
  private readonly stored: readonly Node[];

  constructor(
    private readonly analysis: Analysis,
    private readonly library: LibraryNames,
  ) {
    for (const [node, scope] of analysis.functions) this.functions.set(scope, node);
    for (const { node, write } of analysis.references) {
      const binding = analysis.resolve(node);
      if (binding === undefined || write !== undefined) continue;
      this.mentions.set(binding, [...(this.mentions.get(binding) ?? []), node]);
    }
    this.parents = parentsIn(analysis.program);
    this.stored = storedIn(analysis, this.parents.values());
  }

  /** Whether a function can reach none of these places. */
  avoids(start: Node, places: readonly number[]): boolean {
    const waiting: Node[] = [start, ...this.stored];
    const seen = new Set<Node | Binding>();
    for (let range = waiting.pop(); range !== undefined; range = waiting.pop()) {
      if (seen.has(range)) continue;
      seen.add(range);
      const { start: from, end: to } = range;
      if (places.some((place) => place >= from && place < to)) return false;
      for (const reference of this.analysis.references) {
        const { node } = reference;
        if (node.start < from || node.end > to) continue;
        const next = this.behind(reference, from, to, seen);
        if (next === undefined) return false;
        waiting.push(...next);
      }
    }
    return true;
  }

  /** What a name may stand for; undefined if that is not known. */
  private behind(
    { node }: Reference,
    from: number,
    to: number,
    seen: Set<Node | Binding>,
  ): readonly Node[] | undefined {
    const binding = this.analysis.resolve(node);
    if (binding === undefined || seen.has(binding)) return [];
    if (binding.import !== undefined) return binding.import.module === undefined ? [] : undefined;
    if (binding.startsAs !== undefined) return undefined;
    // Its own variables are given what is written inside.
    if (binding.declaredAt >= from && binding.declaredAt < to) return [];
    seen.add(binding);
    if (binding.kind === 'parameter') return this.argumentsFor(binding);
    const values: Node[] = [];
    for (const { value, operator } of binding.writes) {
      if (value !== undefined) values.push(value);
      else if (operator !== '++' && operator !== '--') return undefined;
    }
    return values;
  }

  /** What the function that a parameter belongs to may be called with. */
  private argumentsFor(parameter: Binding): readonly Node[] | undefined {
    const fn = this.functions.get(parameter.scope.home);
    const parent = fn && (this.parents.get(fn) as AnyNode | undefined);
    if (fn === undefined || parent === undefined) return undefined;
    if (parent.type === 'CallExpression') return this.handedTo(fn, parent);
    if (this.watchesSteps(parent)) return [];
    const name = nameOf(fn as AnyNode, parent);
    const binding = name && this.analysis.resolve(name);
    if (binding === undefined || binding.writes.length !== 1) return undefined;
    const calls = (this.mentions.get(binding) ?? []).map((mention) => this.parents.get(mention) as AnyNode | undefined);
    const areCalls = calls.every((call, i) => isCallOf(call, this.mentions.get(binding)![i]));
    return areCalls ? calls.flatMap((call) => (call as CallExpression).arguments) : undefined;
  }

  /** What a function that is an argument of a call may be called with: other arguments, and what comes of what it names itself. */
  private handedTo(fn: Node, call: CallExpression): readonly Node[] {
    if (holdsFunctions(fn)) return [call];
    const isInside = ({ node }: Reference): boolean => node.start >= fn.start && node.end <= fn.end;
    const named = this.analysis.references.filter(
      (reference) => isInside(reference) && this.analysis.resolve(reference.node) !== undefined,
    );
    const others = [call.callee, ...call.arguments].filter((node) => bare(node) !== bare(fn));
    return [...others, ...named.map(({ node }) => node)];
  }

  /** Whether a property is a callback between the steps of an optimisation, which is told numbers. */
  private watchesSteps(property: AnyNode): boolean {
    if (property.type !== 'Property' || property.computed || property.key.type !== 'Identifier') return false;
    const options = this.parents.get(property);
    const call = options && (this.parents.get(options) as AnyNode | undefined);
    if (call?.type !== 'CallExpression' || !call.arguments.includes(options as never)) return false;
    const callee = bare(call.callee) as AnyNode;
    const name = callee.type === 'Identifier' && outsideName(callee.name, this.analysis.resolve(callee));
    const { steps } = this.library.get(name || '') ?? {};
    return steps === true && ['onStep', 'onFinish'].includes(property.key.name);
  }
}

/** Whether a function has others inside. */
const holdsFunctions = (fn: Node): boolean =>
  children(fn).some((child) => isFunction(child) || (child.type !== 'Literal' && holdsFunctions(child)));

/** Values that these nodes put into existing objects, and that may be or hold a function. */
export function storedIn(analysis: Analysis, nodes: Iterable<Node>): readonly Node[] {
  const stored: Node[] = [];
  for (const node of new Set(nodes)) {
    for (const value of storedBy(bare(node) as AnyNode)) if (holdsFunction(value, analysis)) stored.push(value);
  }
  return stored;
}

function holdsFunction(node: Node, analysis: Analysis): boolean {
  if (isFunction(node)) return true;
  if (node.type === 'Identifier') {
    const binding = analysis.resolve(node);
    return binding === undefined || binding.writes.some(({ value }) => value === undefined || isFunction(bare(value)));
  }
  return node.type !== 'Literal' && children(node).some((child) => holdsFunction(child, analysis));
}

function isCallOf(call: AnyNode | undefined, callee: Node): boolean {
  return call?.type === 'CallExpression' && bare(call.callee) === callee;
}

/** The name by which a function is known, if it has one alone. */
function nameOf(fn: AnyNode, parent: AnyNode): Node | undefined {
  if (fn.type === 'FunctionDeclaration') return fn.id ?? undefined;
  return parent.type === 'VariableDeclarator' && parent.id.type === 'Identifier' ? parent.id : undefined;
}

/** The value that a node puts into an existing object. */
function storedBy(node: AnyNode): readonly Node[] {
  if (node.type === 'AssignmentExpression') return bare(node.left).type === 'Identifier' ? [] : [node.right];
  if (node.type !== 'CallExpression') return [];
  const callee = bare(node.callee) as AnyNode;
  if (callee.type !== 'MemberExpression' || callee.computed) return [];
  const { name } = callee.property as { name: string };
  return MUTATORS.has(name) || ASSIGNERS.has(name) ? node.arguments : [];
}
