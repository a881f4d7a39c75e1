/**
 * What functions are closed over. Where nothing that a function can see ever changes, two functions made from the same
 * text with the same values of these variables do the same, which lets an inner inference be recalled in place of being
 * made again (`src/inference/recall.ts`).
 */
import type { AnyNode, Node } from 'acorn';
import type { LibraryNames } from '../library-names.ts';
import { bare, children, isFunction, isLoop } from '../parse/syntax.ts';
import type { Analysis } from './analysis.ts';
import { OUTSIDE_NAMES } from './hosts.ts';
import { madeFunctions } from './made-functions.ts';
import { type Binding, outsideName, type Reference, type Scope } from './scope.ts';
import { isStateless } from './stateless.ts';
import { TopLevel } from './top-level.ts';

/** Methods whose results differ from call to call. */
const FICKLE_METHODS = new Set([
  'random',
  'now',
  'shuffle',
  'sample',
  'sampleSize',
  'uniqueId',
  'getTime',
  'toLocaleString',
]);

/** How long what a function sees stays the same: within one inference at top level, or as long as the program runs. */
export type Settled = 'never' | 'inference' | 'always';

export class Closures {
  private known: Settled | undefined;
  /** Identifiers that are called: if there is no function yet, that throws. */
  private readonly callees = new Set<Node>();
  /** Scopes of functions that are there before the statements around them have run. */
  private readonly hoisted = new Set<Scope>();
  private catches = false;
  /** Whether a function may see a variable of the unit before it has its value. */
  private seesEarly = false;
  private made: ReadonlySet<Node> | undefined;

  constructor(
    private readonly analysis: Analysis,
    private readonly library: LibraryNames,
  ) {}

  get settled(): Settled {
    if (this.known === undefined) {
      const holds = this.isSettled();
      this.known = !holds ? 'never' : this.seesEarly ? 'inference' : 'always';
    }
    return this.known;
  }

  /**
   * The variables of functions around it that a function literal uses, in a unit in which what functions see never
   * changes; undefined in any other unit. Variables of the unit itself are left out: they are the same for all.
   */
  variablesOf(literal: Node): readonly Binding[] | undefined {
    if (this.settled === 'never') return undefined;
    const found = new Set<Binding>();
    for (const { node } of this.analysis.references) {
      if (node.start < literal.start || node.end > literal.end) continue;
      const binding = this.analysis.resolve(node);
      if (binding === undefined || binding.scope.home.kind === 'unit') continue;
      if (binding.declaredAt < literal.start || binding.declaredAt > literal.end) found.add(binding);
    }
    return [...found];
  }

  /** Whether the literal makes functions that stay, inside another function. */
  isMade(literal: Node): boolean {
    this.made ??= madeFunctions(this.analysis, this.library);
    return this.made.has(literal);
  }

  /** True if what a function sees is the same whenever it is called, within one inference at top level. */
  private isSettled(): boolean {
    const { analysis } = this;
    if (!isStateless(analysis, this.library)) return false;
    const waiting: { node: Node; looped: boolean }[] = analysis.program.body.map((node) => ({ node, looped: false }));
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      const node = bare(next.node) as AnyNode;
      if (node.type === 'Literal') continue;
      if (node.type === 'MemberExpression' && FICKLE_METHODS.has((node.property as { name?: string }).name ?? '')) {
        return false;
      }
      if (node.type === 'CallExpression' && !node.optional) this.callees.add(bare(node.callee));
      if (node.type === 'TryStatement') this.catches = true;
      if (node.type === 'FunctionDeclaration') this.hoisted.add(analysis.functions.get(node)!);
      // Variables that a loop gives another value in each iteration look as if they were written once.
      if (next.looped && isFunction(node)) return false;
      const looped = next.looped || isLoop(node);
      for (const child of children(node)) waiting.push({ node: child, looped });
    }
    const topLevel = new TopLevel(analysis, this.library);
    return analysis.references.every((reference) => this.staysTheSame(reference, topLevel));
  }

  private staysTheSame({ node, scope }: Reference, topLevel: TopLevel): boolean {
    const binding = this.analysis.resolve(node);
    const outside = outsideName(node.name, binding);
    if (outside !== undefined) {
      const speaks = this.library.get(outside)?.outside === true || OUTSIDE_NAMES.has(outside);
      return !speaks || topLevel.includes(node);
    }
    if (binding === undefined || binding.import !== undefined || scope.home === binding.scope.home) return true;
    if (binding.writes.length > 1 || binding.startsAs !== undefined) return false;
    if (binding.kind === 'function' || !this.isEarly(node, scope, binding)) return true;
    // A call before that throws, and leaves no result to keep.
    if (this.callees.has(node) && !this.catches) return true;
    // At top level nothing is declared while an inference is going on.
    if (binding.scope.home.kind !== 'unit') return false;
    this.seesEarly = true;
    return true;
  }

  /** Whether a function that uses a variable may run before the variable has its value. */
  private isEarly(node: Node, scope: Scope, binding: Binding): boolean {
    const value = binding.writes[0]?.value;
    const isThere =
      value === undefined || isFunction(bare(value)) || binding.initialisedAt === Number.POSITIVE_INFINITY;
    if (node.start < (isThere ? binding.declaredAt : binding.initialisedAt)) return true;
    for (let at = scope.home; at !== binding.scope.home; at = at.parent!.home) if (this.hoisted.has(at)) return true;
    return false;
  }
}
