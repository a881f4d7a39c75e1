/** Units of a program as others see them: what a unit exports under a name. */
import type { AnyNode, ExportNamedDeclaration, Node } from 'acorn';
import { boundNames } from '../parse/syntax.ts';
import type { Analysis } from './analysis.ts';
import { isLibrary } from './module-list.ts';
import type { Binding } from './scope.ts';

/** A unit with the units that it imports. */
export interface LinkedUnit {
  readonly analysis: Analysis;
  /** The unit that the module of this number is; undefined of a host module. */
  imported(module: number): LinkedUnit | undefined;
  /** Whether all that it declares at top level is exported, and its last expression is its default export. */
  readonly exportsDeclarations: boolean;
}

/** A unit whose imports are not looked into. */
export const aloneUnit = (analysis: Analysis): LinkedUnit => ({
  analysis,
  imported: () => undefined,
  exportsDeclarations: false,
});

/** What stands behind an exported name. */
type Exported =
  | { readonly unit: LinkedUnit; readonly binding: Binding }
  | { readonly unit: LinkedUnit; readonly expression: Node }
  /** A name of the library, passed on. */
  | { readonly library: string };

/** What a unit exports under a name; undefined if that cannot be told. */
export function exportedAs(unit: LinkedUnit, name: string, seen = new Set<LinkedUnit>()): Exported | undefined {
  if (seen.has(unit)) return undefined;
  seen.add(unit);
  const { analysis, exportsDeclarations } = unit;
  const { body } = analysis.program;
  if (exportsDeclarations) {
    const last = body.at(-1);
    if (name === 'default')
      return last?.type === 'ExpressionStatement' ? { unit, expression: last.expression } : undefined;
    return bound(unit, analysis.unit.names.get(name));
  }
  for (const statement of body as readonly AnyNode[]) {
    if (statement.type === 'ExportDefaultDeclaration' && name === 'default') {
      return { unit, expression: statement.declaration };
    }
    if (statement.type !== 'ExportNamedDeclaration') continue;
    if (declares(statement, name)) return bound(unit, analysis.unit.names.get(name));
    const specifier = statement.specifiers.find(({ exported }) => nameOf(exported) === name);
    if (specifier === undefined) continue;
    const local = nameOf(specifier.local);
    if (!statement.source) return bound(unit, analysis.unit.names.get(local));
    if (isLibrary(statement.source.value)) return { library: local };
    const from = moduleOf(unit, String(statement.source.value));
    return from && exportedAs(from, local, seen);
  }
  for (const statement of body as readonly AnyNode[]) {
    if (statement.type !== 'ExportAllDeclaration' || statement.exported) continue;
    if (isLibrary(statement.source.value)) return { library: name };
    const from = moduleOf(unit, String(statement.source.value));
    const found = from && exportedAs(from, name, seen);
    if (found !== undefined) return found;
  }
  return undefined;
}

function bound(unit: LinkedUnit, binding: Binding | undefined): Exported | undefined {
  return binding && { unit, binding };
}

function moduleOf(unit: LinkedUnit, specifier: string): LinkedUnit | undefined {
  const module = unit.analysis.modules.indexOf(specifier);
  return module === -1 ? undefined : unit.imported(module);
}

function declares({ declaration }: ExportNamedDeclaration, name: string): boolean {
  if (!declaration) return false;
  if (declaration.type !== 'VariableDeclaration') return declaration.id?.name === name;
  let found = false;
  for (const { id } of declaration.declarations) {
    boundNames(id, (one) => {
      found ||= one.name === name;
    });
  }
  return found;
}

function nameOf(node: Node): string {
  const { name, value } = node as { name?: string; value?: unknown };
  return name ?? String(value);
}
