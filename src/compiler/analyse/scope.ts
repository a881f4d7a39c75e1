/** Names and what they stand for. */
import type { Expression, Identifier } from 'acorn';

export type BindingKind = 'var' | 'let' | 'const' | 'function' | 'parameter' | 'catch' | 'import' | 'own name';

/** Where an imported name comes from. */
export interface ImportSource {
  /** Index in the unit's list of imported modules; undefined for the library itself. */
  readonly module: number | undefined;
  /** The library's module that it is imported from. */
  readonly library?: string;
  /** The exported name; `*` for the whole module. */
  readonly name: string;
}

/** One value a binding is given: by its declaration, an assignment, or `++`. */
export interface Write {
  readonly operator: string;
  /** Undefined where it is not written down (parameters, destructuring, loop variables); else also a declared function. */
  readonly value: Expression | undefined;
}

export class Binding {
  /** The name in the emitted text. */
  emitted: string;
  readonly writes: Write[] = [];
  references = 0;
  /** Where the first initialiser of a `var` ends; until then WebPPL still sees the outer name. */
  initialisedAt = Number.POSITIVE_INFINITY;
  /** For a `var` that is read before its initialiser: the outer name whose value it starts with. */
  startsAs: Binding | string | undefined;
  import: ImportSource | undefined;

  constructor(
    readonly name: string,
    readonly kind: BindingKind,
    readonly scope: Scope,
    readonly declaredAt: number,
  ) {
    this.emitted = emittedName(name);
  }

  /** The same variable, of another scope. */
  movedTo(scope: Scope): Binding {
    const moved = new Binding(this.name, this.kind, scope, this.declaredAt);
    moved.writes.push(...this.writes);
    moved.initialisedAt = this.initialisedAt;
    return moved;
  }
}

/** The name of the library or of JavaScript that an identifier stands for, if it is one. */
export function outsideName(name: string, binding: Binding | undefined): string | undefined {
  if (binding === undefined) return name;
  return binding.import !== undefined && binding.import.module === undefined ? binding.import.name : undefined;
}

/** Words that strict code does not allow as names, though WebPPL programs may use them. */
const RESERVED = new Set(
  'implements interface let package private protected public static yield await eval arguments'.split(' '),
);

/** The compiler's own names start with `$` and a letter or digit, so a program's never do. */
function emittedName(name: string): string {
  if (name.startsWith('$')) return `$${name}`;
  return RESERVED.has(name) ? `$_${name}` : name;
}

export class Scope {
  readonly names = new Map<string, Binding>();
  /** The function, or the whole unit, that this scope belongs to. */
  readonly home: Scope;
  /** False inside loops, `switch` and `try`, which WebPPL does not have. */
  private readonly sequential: boolean;
  /** The branch of an `if` that the scope is, or lies in with nothing but blocks between; null inside loops and such. */
  readonly branch: Scope | null;

  constructor(
    readonly kind: 'unit' | 'function' | 'branch' | 'block' | 'other block',
    readonly parent: Scope | null,
  ) {
    const inside = kind !== 'unit' && kind !== 'function' && parent !== null;
    this.home = inside ? parent.home : this;
    this.sequential = inside ? kind !== 'other block' && parent.sequential : true;
    const branch = kind === 'branch' ? this : inside ? parent.branch : null;
    this.branch = this.sequential ? branch : null;
  }

  /** What the name stands for here; undefined if the program does not declare it. */
  resolve(name: string): Binding | undefined {
    for (let scope: Scope | null = this; scope !== null; scope = scope.parent) {
      const found = scope.names.get(name);
      if (found !== undefined) return found;
    }
    return undefined;
  }
}

/** One use of a name. */
export interface Reference {
  readonly node: Identifier;
  readonly scope: Scope;
  /** `read`, `write`, both (`x += 1`), or the operand of `typeof`, which may be undeclared. */
  readonly use: 'read' | 'write' | 'typeof';
  readonly write?: Write;
}
