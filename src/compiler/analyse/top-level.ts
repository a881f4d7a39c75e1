/**
 * Functions that no model can call, because they are called at top level and nowhere else: helpers that prepare data or make
 * a table of results. What they do counts like what is done at top level, while nothing of a model runs.
 */
import type { AnyNode, CallExpression, Node } from 'acorn';
import type { LibraryNames } from '../library-names.ts';
import { bare, children, isFunction } from '../parse/syntax.ts';
import type { Analysis } from './analysis.ts';
import { CALLBACK_TAKERS } from './hosts.ts';
import { type Binding, outsideName } from './scope.ts';

export class TopLevel {
  /** Functions that are called at top level only, and those given to `map` and its like there. */
  private readonly functions = new Set<Node>();
  private readonly parents = new Map<Node, Node>();
  /** Names of the program's own methods, which may do anything with a function. */
  private readonly fields = new Set<string>();

  constructor(
    private readonly analysis: Analysis,
    private readonly library: LibraryNames,
  ) {
    const waiting: Node[] = [...analysis.program.body];
    for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
      if (node.type === 'Literal') continue;
      const { key } = node as { key?: { name?: string; value?: unknown } };
      if (key !== undefined) this.fields.add(String(key.name ?? key.value));
      for (const child of children(node)) {
        this.parents.set(child, node);
        waiting.push(child);
      }
    }
    this.find();
  }

  /** Whether what the node does is done at top level. */
  includes(node: Node): boolean {
    for (let at: Node | undefined = this.parents.get(node); at !== undefined; at = this.parents.get(at)) {
      if (isFunction(at) && !this.functions.has(at) && !this.isCalledAtOnce(at)) return false;
    }
    return true;
  }

  /** Starts from all functions with a name, and leaves out those that may be called elsewhere, until there are no more of them. */
  private find(): void {
    const mentions = new Map<Binding, Node[]>();
    const { unit, program, references } = this.analysis;
    const isModule = program.body.some(
      ({ type }) => type === 'ExportNamedDeclaration' || type === 'ExportAllDeclaration',
    );
    if (isModule) return;
    const candidates = new Map<Binding, Node>();
    for (const binding of unit.names.values()) {
      const fn = functionOf(binding);
      if (fn !== undefined) candidates.set(binding, fn);
    }
    for (const { node, write } of references) {
      const binding = this.analysis.resolve(node);
      if (binding === undefined || write !== undefined || !candidates.has(binding)) continue;
      mentions.set(binding, [...(mentions.get(binding) ?? []), node]);
    }
    for (const fn of candidates.values()) this.functions.add(fn);
    for (let before = -1; before !== this.functions.size; ) {
      before = this.functions.size;
      for (const [binding, fn] of candidates) {
        if (!(mentions.get(binding) ?? []).every((node) => this.isCallAtTopLevel(node))) this.functions.delete(fn);
      }
    }
  }

  private isCallAtTopLevel(node: Node): boolean {
    const parent = this.parents.get(node) as AnyNode | undefined;
    return parent?.type === 'CallExpression' && bare(parent.callee) === node && this.includes(node);
  }

  /** Whether a function is an argument of something that calls it there and then. */
  private isCalledAtOnce(fn: Node): boolean {
    const call = this.parents.get(fn) as AnyNode | undefined;
    if (call?.type !== 'CallExpression' || bare(call.callee) === fn) return call?.type === 'CallExpression';
    const callee = bare((call as CallExpression).callee) as AnyNode;
    if (callee.type === 'MemberExpression') {
      const { name } = callee.property as { name: string };
      return !callee.computed && CALLBACK_TAKERS.has(name) && !this.fields.has(name);
    }
    if (callee.type !== 'Identifier') return false;
    return this.library.get(outsideName(callee.name, this.analysis.resolve(callee)) ?? '')?.calls !== undefined;
  }
}

/** The function that a variable always holds. */
function functionOf({ kind, writes }: Binding): Node | undefined {
  if (kind === 'import' || kind === 'parameter' || writes.length !== 1) return undefined;
  const [{ value }] = writes;
  return value !== undefined && isFunction(bare(value)) ? bare(value) : undefined;
}
