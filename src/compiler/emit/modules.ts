/** Imports and exports. A module's exports are getters, so that importers always see the current value. */
import type { AnyNode, ExportAllDeclaration, ExportDefaultDeclaration, ExportNamedDeclaration, Node } from 'acorn';
import { isLibrary } from '../analyse/module-list.ts';
import { bare, boundNames, isTypeImport, isTypeOnly } from '../parse/syntax.ts';
import type { Emission } from './emission.ts';
import { emitNamed } from './functions.ts';
import { field, reference } from './names.ts';

const DEFAULT = '$default';

export function emitExportNamed(e: Emission, node: ExportNamedDeclaration): void {
  if (node.declaration && !isTypeImport(node)) e.statement(node.declaration, false);
}

export function emitExportDefault(e: Emission, node: ExportDefaultDeclaration): void {
  const value = bare(node.declaration as Node) as AnyNode;
  if (isTypeOnly(value)) return;
  if (value.type === 'FunctionDeclaration' && value.id) {
    emitNamed(e, value);
    e.text('\n');
    return;
  }
  e.marked(node.start, `const ${DEFAULT} = `);
  if (value.type === 'FunctionDeclaration') emitNamed(e, value);
  else e.expression(value);
  e.text(';\n');
}

export function emitExportAll(e: Emission, node: ExportAllDeclaration): void {
  if (node.exported || isTypeImport(node)) return;
  e.text(`$.exportAll($x, ${moduleText(e, String(node.source.value))});\n`);
}

const moduleText = (e: Emission, specifier: string): string =>
  isLibrary(specifier) ? '$.library' : `$i${e.analysis.modules.indexOf(specifier)}`;

const nameOf = (node: Node): string => (node as { name?: string }).name ?? String((node as { value?: unknown }).value);

/** The exports of a module: name, and the text that reads it. */
export function exportedNames(e: Emission): Map<string, string> {
  const found = new Map<string, string>();
  const add: Exporting = (name, text, { start }) => {
    if (found.has(name)) {
      const twice = name === 'default' ? 'This module has two default exports.' : `'${name}' is exported twice.`;
      throw e.source.error(twice, start, 'Export one of the two under another name, or not at all.');
    }
    found.set(name, text);
  };
  for (const statement of e.analysis.program.body as AnyNode[]) {
    if (isTypeImport(statement)) continue;
    if (statement.type === 'ExportDefaultDeclaration') {
      const value = bare(statement.declaration as Node) as AnyNode;
      if (isTypeOnly(value)) continue;
      const named = value.type === 'FunctionDeclaration' && value.id ? e.binding(value.id)?.emitted : undefined;
      add('default', named ?? DEFAULT, statement);
    } else if (statement.type === 'ExportAllDeclaration' && statement.exported) {
      add(nameOf(statement.exported), moduleText(e, String(statement.source.value)), statement);
    } else if (statement.type === 'ExportNamedDeclaration') namedExports(e, statement, add);
  }
  return found;
}

/** Notes an export: its name, the text that reads it, and where it is. */
type Exporting = (name: string, text: string, node: Node) => void;

function namedExports(e: Emission, node: ExportNamedDeclaration, add: Exporting): void {
  const { declaration } = node;
  if (declaration?.type === 'VariableDeclaration' && !isTypeOnly(declaration)) {
    for (const { id } of declaration.declarations) {
      boundNames(id, (name) => add(name.name, e.binding(name)?.emitted ?? name.name, name));
    }
  } else if (declaration?.type === 'FunctionDeclaration') {
    add(declaration.id.name, e.binding(declaration.id)?.emitted ?? declaration.id.name, declaration.id);
  }
  for (const specifier of node.specifiers) {
    if (isTypeImport(specifier)) continue;
    const local = nameOf(specifier.local);
    if (node.source)
      add(nameOf(specifier.exported), moduleText(e, String(node.source.value)) + field(local), specifier);
    // A name that is no value is a type.
    else if (e.binding(specifier.local) !== undefined) {
      add(nameOf(specifier.exported), reference(e, specifier.local as never), specifier);
    }
  }
}

/** Imports from other modules that the unit really uses, as names to check against what those modules offer. */
export function importedNames(e: Emission): { module: number; name: string; offset: number }[] {
  const found: { module: number; name: string; offset: number }[] = [];
  for (const binding of e.analysis.unit.names.values()) {
    const from = binding.import;
    if (from?.module === undefined || from.name === '*' || binding.references === 0) continue;
    found.push({ module: from.module, name: from.name, offset: binding.declaredAt });
  }
  return found;
}
