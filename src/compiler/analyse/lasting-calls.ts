/**
 * Calls whose results last: of functions of the program that make no choices, may take long, and do nothing that does not
 * follow from their arguments. A model that first works out a table would work it out again in every execution; so the
 * runtime is asked for what such a call gave before (`src/inference/recall.ts`). A function may take long if it calls itself,
 * has a loop or goes through a list, or calls one that does.
 */
import type { AnyNode, CallExpression, Node } from 'acorn';
import type { LibraryNames } from '../library-names.ts';
import { bare, children, isFunction, isLoop } from '../parse/syntax.ts';
import type { AddressFree } from './address-free.ts';
import type { Analysis } from './analysis.ts';
import { CALLBACK_TAKERS } from './hosts.ts';
import { type Binding, outsideName } from './scope.ts';

/** What is known of a function with a name. */
interface Named {
  readonly fn: Node;
  readonly calls: ReadonlySet<Binding>;
  readonly repeats: boolean;
}

export class LastingCalls {
  private known: Map<Binding, Named> | undefined;
  private readonly long = new Map<Binding, boolean>();

  constructor(
    private readonly analysis: Analysis,
    private readonly addressFree: AddressFree,
    private readonly library: LibraryNames,
  ) {}

  isLasting(call: CallExpression): boolean {
    const callee = bare(call.callee) as AnyNode;
    if (callee.type !== 'Identifier' || call.optional || call.arguments.some(({ type }) => type === 'SpreadElement'))
      return false;
    const binding = this.analysis.resolve(callee);
    if (binding === undefined) return false;
    this.known ??= this.find();
    if (!this.known.has(binding) || !this.takesLong(binding)) return false;
    // Calls inside such a function need not be asked about: the result of the whole is kept.
    for (const [other, { fn }] of this.known) {
      if (fn.start <= call.start && call.end <= fn.end && this.takesLong(other)) return false;
    }
    return true;
  }

  private find(): Map<Binding, Named> {
    const found = new Map<Binding, Named>();
    for (const { node } of this.analysis.references) {
      const binding = this.analysis.resolve(node);
      if (binding === undefined || found.has(binding) || binding.startsAs !== undefined) continue;
      const value = binding.writes.length === 1 ? binding.writes[0].value : undefined;
      if (value === undefined || !isFunction(bare(value)) || !this.addressFree.isFreeFunction(node)) continue;
      const named = this.lookInto(bare(value));
      if (named !== undefined) found.set(binding, named);
    }
    return found;
  }

  private lookInto(fn: Node): Named | undefined {
    const calls = new Set<Binding>();
    let repeats = false;
    const waiting: Node[] = [fn];
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      const node = bare(next) as AnyNode;
      if (node.type === 'Literal') continue;
      if (node.type === 'ThisExpression') return undefined;
      if (isLoop(node)) repeats = true;
      if (node.type === 'Identifier') {
        const binding = this.analysis.resolve(node);
        const { params, calls: place } = this.library.get(outsideName(node.name, binding) ?? '') ?? {};
        // A function that reads parameters makes no choices, and yet its results change.
        if (node.name === 'arguments' || params !== undefined) return undefined;
        if (place !== undefined) repeats = true;
        if (binding !== undefined) calls.add(binding);
      }
      if (node.type === 'MemberExpression' && CALLBACK_TAKERS.has((node.property as { name?: string }).name ?? ''))
        repeats = true;
      for (const child of children(node)) waiting.push(child);
    }
    return { fn, calls, repeats };
  }

  private takesLong(binding: Binding): boolean {
    let long = this.long.get(binding);
    if (long === undefined) {
      long = this.reaches(binding);
      this.long.set(binding, long);
    }
    return long;
  }

  /** Whether calls lead from a function to one that repeats something, or back to itself. */
  private reaches(start: Binding): boolean {
    const seen = new Set<Binding>();
    const waiting = [start];
    for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
      const named = this.known!.get(at);
      if (named === undefined) continue;
      if (named.repeats || named.calls.has(start)) return true;
      for (const next of named.calls) {
        if (seen.has(next)) continue;
        seen.add(next);
        waiting.push(next);
      }
    }
    return false;
  }
}
