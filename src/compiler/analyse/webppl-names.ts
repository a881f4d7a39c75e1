/**
 * Names in `.wppl` programs. WebPPL's compiler turns `var x = f(x); rest` into a function of `x` applied to `f(x)`, so that
 * a declaration counts from where it stands, in its own branch of an `if`. JavaScript hoists it to the function. Programs
 * of either kind work: WebPPL's rule is followed where a name would otherwise hide another that the program can see.
 */
import type { SourceText } from '../diagnostics.ts';
import type { LibraryNames } from '../library-names.ts';
import { HOST_GLOBALS } from './hosts.ts';
import { NameTable } from './name-table.ts';
import type { Binding, Reference, Scope } from './scope.ts';

export class WebPPLNameTable extends NameTable {
  /** Branches of `if` that declare variables. */
  private readonly branches = new Set<Scope>();
  private renamed = 0;

  constructor(
    source: SourceText,
    private readonly library: LibraryNames,
  ) {
    super(source);
  }

  protected override homeOf(scope: Scope): Scope {
    if (scope.branch === null) return scope.home;
    this.branches.add(scope.branch);
    return scope.branch;
  }

  override resolveAll(): void {
    this.hoistFromBranches();
    super.resolveAll();
    this.startShadowingVars();
  }

  /** A variable of a branch stays there only if its name means something outside: else it is the function's. */
  private hoistFromBranches(): void {
    const hoisted: Binding[] = [];
    for (const branch of this.branches) {
      for (const binding of branch.names.values()) {
        if (binding.kind !== 'var') continue;
        if (this.isKnownOutside(binding)) this.rename(binding);
        else hoisted.push(binding);
      }
    }
    // Only now: a variable hoisted from one branch must not look like an outer one to the other branch.
    const replacements = new Map<Binding, Binding>();
    for (const binding of hoisted) {
      const { home } = binding.scope;
      const known = home.names.get(binding.name);
      binding.scope.names.delete(binding.name);
      if (known === undefined) home.names.set(binding.name, binding.movedTo(home));
      const target = home.names.get(binding.name) as Binding;
      if (known !== undefined) known.writes.push(...binding.writes);
      replacements.set(binding, target);
    }
    for (const [node, binding] of this.resolutions) {
      const replacement = replacements.get(binding);
      if (replacement !== undefined) this.resolutions.set(node, replacement);
    }
  }

  private isKnownOutside({ name, scope }: Binding): boolean {
    return scope.parent?.resolve(name) !== undefined || this.library.has(name) || HOST_GLOBALS.has(name);
  }

  private rename(binding: Binding): void {
    binding.emitted = `$${++this.renamed}_${binding.name}`;
  }

  /** True if the use stands before the end of the declaration's own initialiser, in the same function. */
  private isEarly({ node, scope }: Reference, binding: Binding): boolean {
    return node.start < binding.initialisedAt && scope.home === binding.scope.home;
  }

  protected override bindingFor(reference: Reference): Binding | undefined {
    const binding = super.bindingFor(reference);
    if (binding === undefined || !this.isEarly(reference, binding)) return binding;
    const ofBranch = binding.kind === 'var' && binding.scope.kind === 'branch';
    const tooEarly = ofBranch || binding.kind === 'let' || binding.kind === 'const';
    if (!tooEarly || !this.isKnownOutside(binding)) return binding;
    if (!ofBranch && !binding.emitted.startsWith('$')) this.rename(binding);
    return binding.scope.parent?.resolve(binding.name);
  }

  /** A `var` of a function that is used early starts with the value of the outer variable it hides. */
  private startShadowingVars(): void {
    for (const reference of this.references) {
      const binding = this.bindingOf(reference.node);
      if (binding?.kind !== 'var' || binding.startsAs !== undefined || binding.scope.kind !== 'function') continue;
      if (!this.isEarly(reference, binding)) continue;
      binding.startsAs = binding.scope.parent?.resolve(binding.name) ?? binding.name;
      this.rename(binding);
    }
  }
}
