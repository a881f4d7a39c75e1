/** Which declaration each identifier of a unit belongs to. */
import type { Identifier, Node } from 'acorn';
import type { CompileError, SourceText } from '../diagnostics.ts';
import { Binding, type BindingKind, type Reference, type Scope } from './scope.ts';

export class NameTable {
  readonly references: Reference[] = [];
  readonly bindings: Binding[] = [];
  protected readonly resolutions = new Map<Node, Binding>();

  constructor(private readonly source: SourceText) {}

  bindingOf(identifier: Node): Binding | undefined {
    return this.resolutions.get(identifier);
  }

  /** Declares a name, `var` in the function around the scope; declaring it again changes nothing. */
  declare(node: Node & { name: string }, kind: BindingKind, scope: Scope): Binding {
    const home = kind === 'var' ? this.homeOf(scope) : scope;
    let binding = home.names.get(node.name);
    if (binding === undefined) {
      binding = new Binding(node.name, kind, home, node.start);
      home.names.set(node.name, binding);
      this.bindings.push(binding);
    }
    this.resolutions.set(node, binding);
    return binding;
  }

  /** Where a `var` written in this scope belongs. */
  protected homeOf(scope: Scope): Scope {
    return scope.home;
  }

  /** What a use of a name stands for. */
  protected bindingFor({ node, scope }: Reference): Binding | undefined {
    return scope.resolve(node.name);
  }

  /** Notes a use of a name. What it stands for is known once everything is declared. */
  refer(reference: Reference): void {
    this.references.push(reference);
  }

  resolveAll(): void {
    for (const reference of this.references) {
      const { node, use, write } = reference;
      const binding = this.bindingFor(reference);
      if (binding === undefined) continue;
      this.resolutions.set(node, binding);
      if (use !== 'write') binding.references++;
      if (write === undefined) continue;
      binding.writes.push(write);
      const problem = unassignable(binding);
      if (problem !== undefined) throw this.error(node, ...problem);
    }
  }

  private error(node: Identifier, what: string, hint: string): CompileError {
    return this.source.error(`${node.name} is ${what} and cannot be assigned to.`, node.start, hint);
  }
}

/** Why a binding cannot be assigned to, and what to do instead. */
function unassignable({ kind }: Binding): [what: string, hint: string] | undefined {
  switch (kind) {
    case 'const':
      return ['a constant', 'Declare it with let.'];
    case 'import':
      return ['imported', 'Copy it to a variable of another name first.'];
    case 'own name':
      return ["the function's own name", 'Use a variable of another name.'];
    default:
      return undefined;
  }
}
