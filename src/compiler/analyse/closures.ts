/**
 * What functions are closed over. Where nothing that a function can see ever changes, two functions made from the same
 * text with the same values of these variables do the same, which lets an inner inference be recalled in place of being
 * made again (`src/inference/recall.ts`).
 */
import type { AnyNode, Node } from 'acorn';
import { bare, children, isFunction } from '../parse/syntax.ts';
import type { Analysis } from './analyse.ts';
import type { Binding, Reference } from './scope.ts';
import { isStateless } from './stateless.ts';

/** Names inside functions by which they speak to the outside, or hear from it. */
const OUTSIDE_NAMES = new Set(['print', 'display', 'viz', 'util', 'console', 'Date', 'performance', 'argv']);

/** Methods that do not always give the same. */
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

const LOOPS = new Set(['ForStatement', 'ForInStatement', 'ForOfStatement', 'WhileStatement', 'DoWhileStatement']);

export class Closures {
  private settled: boolean | undefined;

  constructor(
    private readonly analysis: Analysis,
    private readonly pureObjects: ReadonlySet<string>,
  ) {}

  /**
   * The variables of functions around it that a function literal uses, in a unit in which what functions see never
   * changes; undefined in any other unit. Variables of the unit itself are left out: they are the same for all.
   */
  variablesOf(literal: Node): readonly Binding[] | undefined {
    const found = new Set<Binding>();
    for (const { node } of this.analysis.references) {
      if (node.start < literal.start || node.end > literal.end) continue;
      const binding = this.analysis.resolve(node);
      if (binding === undefined || binding.scope.home.kind === 'unit') continue;
      if (binding.declaredAt < literal.start || binding.declaredAt > literal.end) found.add(binding);
    }
    this.settled ??= this.isSettled();
    return this.settled ? [...found] : undefined;
  }

  /** True if what a function sees is the same whenever it is called, within one inference at top level. */
  private isSettled(): boolean {
    const { analysis } = this;
    if (!isStateless(analysis, this.pureObjects)) return false;
    if (!analysis.references.every((reference) => this.staysTheSame(reference))) return false;
    const waiting: { node: Node; looped: boolean }[] = analysis.program.body.map((node) => ({ node, looped: false }));
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      const node = bare(next.node) as AnyNode;
      if (node.type === 'Literal') continue;
      if (node.type === 'MemberExpression' && FICKLE_METHODS.has((node.property as { name?: string }).name ?? '')) {
        return false;
      }
      // Variables that a loop gives another value in each iteration look as if they were written once.
      if (next.looped && isFunction(node)) return false;
      const looped = next.looped || LOOPS.has(node.type);
      for (const child of children(node)) waiting.push({ node: child, looped });
    }
    return true;
  }

  private staysTheSame({ node, scope }: Reference): boolean {
    const binding = this.analysis.resolve(node);
    if (binding === undefined) return scope.home.kind === 'unit' || !OUTSIDE_NAMES.has(node.name);
    if (binding.import !== undefined) return !OUTSIDE_NAMES.has(binding.import.name);
    if (scope.home === binding.scope.home) return true;
    if (binding.writes.length > 1 || binding.startsAs !== undefined) return false;
    // At top level nothing is declared while an inference is going on.
    return binding.scope.home.kind === 'unit' || binding.kind === 'function' || node.start > binding.declaredAt;
  }
}
