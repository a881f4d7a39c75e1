/**
 * Models in modules of apps. A program is known as a whole; of an app each module is compiled alone, and the rest of it may do
 * anything. So what a model can come to is followed as far as the module goes. Where it leads out of it, to imports and to
 * variables whose values are not written down, the values are looked at when the inference begins (`modules/app-models.ts`): data
 * are harmless, and so are functions of which another compiled module says the same.
 */
import type { AnyNode, CallExpression, MemberExpression, Node } from 'acorn';
import type { LibraryNames } from '../library-names.ts';
import { bare, isFunction, nodesOf, parentsIn } from '../parse/syntax.ts';
import type { Analysis } from './analysis.ts';
import { HOST_GLOBALS } from './hosts.ts';
import { storedIn } from './reach.ts';
import { type Binding, outsideName, type Reference, type Scope } from './scope.ts';
import { type SideEffect, sideEffectsOf } from './side-effects.ts';
import { statePlaces, storeFields } from './stateless.ts';

/** What is known of a function that reaches nothing in its module which keeps executions from running as one. */
export interface Calm {
  /** Variables whose values are to be looked at. */
  readonly names: ReadonlySet<Binding>;
  /** Whether the function keeps no state at all; and whether it keeps none besides fields of `globalStore`. */
  readonly stateless: boolean;
  readonly resumable: boolean;
}

export const isCalm = (found: Calm | SideEffect): found is Calm => 'names' in found;

const HOSTS_OWN = 'it has code that is not compiled';

export class AppModels {
  private readonly sideEffects: readonly SideEffect[];
  private readonly stored: readonly Node[];
  private readonly state: readonly number[];
  private readonly stateBesidesStore: readonly number[];
  private readonly following = new Set<Binding>();

  constructor(
    private readonly analysis: Analysis,
    private readonly library: LibraryNames,
  ) {
    const left = analysis.hostPlaces.map((offset) => ({ reason: HOSTS_OWN, offset }));
    this.sideEffects = [...sideEffectsOf(analysis, library, true), ...left];
    this.stored = storedIn(analysis, parentsIn(analysis.program).values());
    this.state = [...statePlaces(analysis, library)];
    this.stateBesidesStore = [...statePlaces(analysis, library, storeFields(analysis))];
  }

  /** What is known of the arguments of inferences that are models, or hold one. */
  arguments(): Map<Node, Calm | SideEffect> {
    const found = new Map<Node, Calm | SideEffect>();
    const scopes = new Map(this.analysis.references.map(({ node, scope }) => [node as Node, scope]));
    for (const call of nodesOf(this.analysis.program)) {
      const callee = call.type === 'CallExpression' ? this.inferring(call) : undefined;
      const scope = callee && scopes.get(callee);
      if (scope === undefined) continue;
      const models = modelArguments(call as CallExpression);
      // With all arguments: callbacks among them are called while the inference runs.
      const known = models.length === 0 ? undefined : this.reach((call as CallExpression).arguments, scope);
      for (const argument of models) found.set(argument, known!);
    }
    return found;
  }

  /** What is known of a function at top level. */
  functionAt(node: Node): Calm | SideEffect {
    return this.reach([node], this.analysis.unit);
  }

  /** The name by which a call calls an inference. */
  private inferring(call: CallExpression): Node | undefined {
    const callee = bare(call.callee) as AnyNode;
    const whole = callee.type === 'MemberExpression' && !callee.computed ? (bare(callee.object) as AnyNode) : callee;
    if (whole.type !== 'Identifier') return undefined;
    const outside = outsideName(whole.name, this.analysis.resolve(whole));
    const name =
      whole === callee ? outside : outside === '*' ? nameOf((callee as MemberExpression).property) : undefined;
    return this.library.get(name ?? '')?.infers === undefined ? undefined : whole;
  }

  /** What these nodes can reach; `scope` is where the values of variables can be looked at. */
  private reach(nodes: readonly Node[], scope: Scope): Calm | SideEffect {
    const names = new Set<Binding>();
    const seen = new Set<Node | Binding>();
    const waiting = [...nodes];
    let stateless = true;
    let resumable = true;
    for (let range = waiting.pop(); range !== undefined; range = waiting.pop()) {
      if (seen.has(range)) continue;
      seen.add(range);
      const { start, end } = range;
      const inside = (place: number): boolean => place >= start && place < end;
      const sideEffect = this.sideEffects.find(({ offset }) => inside(offset));
      if (sideEffect !== undefined) return sideEffect;
      stateless &&= !this.state.some(inside);
      resumable &&= !this.stateBesidesStore.some(inside);
      for (const reference of this.analysis.references) {
        const { node } = reference;
        if (node.start < start || node.end > end) continue;
        const binding = this.analysis.resolve(node);
        if (binding === undefined) {
          if (!this.isHarmless(reference))
            return { reason: `functions of the module use ${node.name}`, offset: node.start };
          continue;
        }
        if (seen.has(binding) || inside(binding.declaredAt)) continue;
        seen.add(binding);
        const literals = functionsOf(binding);
        if (literals !== undefined) waiting.push(...literals);
        else if (outsideName(node.name, binding) === undefined) {
          const further = this.follow(binding, scope, node);
          if (!isCalm(further)) return further;
          for (const name of further.names) names.add(name);
          stateless &&= further.stateless;
          resumable &&= further.resumable;
        }
      }
    }
    return { names, stateless, resumable };
  }

  /** What a variable may hold, by what is written, or else by what it holds when the inference begins. */
  private follow(binding: Binding, scope: Scope, { start }: Node): Calm | SideEffect {
    if (this.following.has(binding)) return { names: new Set(), stateless: true, resumable: true };
    const values = binding.writes
      .filter(({ operator }) => operator !== '++' && operator !== '--')
      .map(({ value }) => value);
    let found: Calm | SideEffect = { reason: `it is not known what ${binding.name} is`, offset: start };
    if (
      binding.import === undefined &&
      binding.startsAs === undefined &&
      values.every((value) => value !== undefined)
    ) {
      this.following.add(binding);
      found = this.reach([...(values as Node[]), ...this.stored], scope);
      this.following.delete(binding);
    }
    if (isCalm(found)) return found;
    for (let at: Scope | null = scope; at !== null; at = at.parent) {
      if (at === binding.scope) return { names: new Set([binding]), stateless: true, resumable: true };
    }
    return found;
  }

  /** Whether a name that the module does not declare is one through which nothing changes. */
  private isHarmless({ node, use }: Reference): boolean {
    return use === 'typeof' || HOST_GLOBALS.has(node.name) || this.library.has(node.name) || node.name === 'arguments';
  }
}

/** The functions that a variable stands for, if it stands for nothing else. */
function functionsOf({ writes, startsAs }: Binding): readonly Node[] | undefined {
  if (writes.length === 0 || startsAs !== undefined) return undefined;
  const values = writes.map(({ value }) => value && bare(value));
  return values.every((value) => value !== undefined && isFunction(value)) ? (values as Node[]) : undefined;
}

/** The arguments of an inference that may be its model, or an object with the model in it. */
function modelArguments({ arguments: given }: CallExpression): readonly AnyNode[] {
  const all = given.slice(0, 2).map((argument) => bare(argument) as AnyNode);
  return all.filter(
    (node) => node.type !== 'SpreadElement' && (node.type !== 'ObjectExpression' || mayHoldModel(node)),
  );
}

const mayHoldModel = ({ properties }: Extract<AnyNode, { type: 'ObjectExpression' }>): boolean =>
  properties.some((one) => one.type !== 'Property' || one.computed || nameOf(one.key) === 'model');

function nameOf(node: Node): string | undefined {
  const { name, value } = node as { name?: string; value?: unknown };
  return name ?? (typeof value === 'string' ? value : undefined);
}
