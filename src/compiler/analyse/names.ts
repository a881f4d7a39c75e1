/** Names that a unit uses without declaring them: the library's, JavaScript's, or slips. */
import type { SourceText } from '../diagnostics.ts';
import type { LibraryNames } from '../library-names.ts';
import type { Language } from '../parse/syntax.ts';
import type { Analysis } from './analysis.ts';
import { ASYNCHRONOUS_GLOBALS, HOST_GLOBALS } from './hosts.ts';
import { libraryModuleOf } from './module-list.ts';
import type { Reference, Scope } from './scope.ts';

interface KnownNames {
  readonly language: Language;
  readonly library: LibraryNames;
  /** Library names that modules see without importing them. */
  readonly ambient: ReadonlySet<string>;
  /** ` Did you mean 'x'?`, or nothing. */
  suggest(name: string, known: Iterable<string>): string;
}

/** The one mutable object of the language, which the compiler knows by name. */
export const STORE = 'globalStore';

/** The library names in use, without import; throws at the first name that is known nowhere. */
export function freeNames(analysis: Analysis, source: SourceText, known: KnownNames): Set<string> {
  const free = new Set<string>();
  for (const reference of analysis.references) {
    const { node, use } = reference;
    const binding = analysis.resolve(node);
    if (binding !== undefined) {
      const isStore = binding.import?.module === undefined && binding.import?.name === STORE;
      if (isStore && use === 'write') throw storeAssignment(source, node.start);
      if (typeof binding.startsAs === 'string') {
        if (known.library.has(binding.startsAs)) free.add(binding.startsAs);
        else if (!HOST_GLOBALS.has(binding.startsAs)) binding.startsAs = undefined;
      }
      continue;
    }
    const { name } = node;
    const visible: { has(name: string): boolean } = known.language === 'wppl' ? known.library : known.ambient;
    if (use === 'write') {
      if (name === STORE) throw storeAssignment(source, node.start);
      throw undeclaredAssignment(reference, source, known);
    }
    if (visible.has(name)) free.add(name);
    else if (!HOST_GLOBALS.has(name) && use !== 'typeof') throw undefinedName(reference, source, known);
  }
  for (const binding of analysis.unit.names.values()) {
    const from = binding.import;
    if (from === undefined || from.module !== undefined || from.name === '*') continue;
    const row = known.library.get(from.name);
    const home = row && libraryModuleOf(row);
    if (home === from.library) continue;
    const elsewhere = home === undefined ? known.suggest(from.name, known.library.keys()) : ` '${home}' has it.`;
    throw source.error(`'${from.library}' has no export '${from.name}'.${elsewhere}`, binding.declaredAt);
  }
  return free;
}

function storeAssignment(source: SourceText, offset: number) {
  return source.error(`${STORE} itself cannot be assigned to.`, offset, `Assign to its fields: ${STORE}.count = 1.`);
}

function undeclaredAssignment({ node, scope }: Reference, source: SourceText, known: KnownNames) {
  const suggestion = known.suggest(node.name, declaredNames(scope));
  return source.error(
    `${node.name} is assigned to but never declared. Is a 'var' or 'let' missing?${suggestion}`,
    node.start,
    `Write var ${node.name} = …. Only declared variables and fields (such as ${STORE}.x) can be assigned to.`,
  );
}

/** What a file written for `require` expects to find. */
const COMMONJS = new Set(['module', 'exports', '__dirname', '__filename']);

/** Names of JavaScript that programs cannot have, and what to do instead. */
const REFUSED: ReadonlyMap<string, string> = new Map([
  ['Function', "Write the function itself; typeof f === 'function' tells whether something is one."],
  ['Proxy', 'Write functions that give what is asked for: the fields of an object must be known.'],
  ['WeakRef', 'Keep the object itself.'],
  ['FinalizationRegistry', 'An execution ends before its objects are given up.'],
]);

function undefinedName({ node, scope }: Reference, source: SourceText, known: KnownNames) {
  const { name } = node;
  if (ASYNCHRONOUS_GLOBALS.has(name)) {
    return source.error(
      `${name} cannot be used in a program: an execution cannot wait.`,
      node.start,
      'Get the data before the program runs, or with loadData.',
    );
  }
  const instead = REFUSED.get(name);
  if (instead !== undefined) return source.error(`${name} cannot be used in a program.`, node.start, instead);
  if (known.language !== 'wppl' && COMMONJS.has(name)) {
    return source.error(
      `${name} is not defined.`,
      node.start,
      'Programs are modules: use import and export. A file ending in .cjs is imported as plain JavaScript.',
    );
  }
  const row = known.library.get(name);
  if (known.language !== 'wppl' && row !== undefined) {
    return source.error(
      `${name} is not defined.`,
      node.start,
      `Import it: import { ${name} } from '${libraryModuleOf(row)}'.`,
    );
  }
  const candidates = [
    ...declaredNames(scope),
    ...(known.language === 'wppl' ? known.library.keys() : []),
    ...[...HOST_GLOBALS].filter((global) => global !== 'undefined'),
  ];
  return source.error(`${name} is not defined.${known.suggest(name, candidates)}`, node.start);
}

/** All names the program declares that can be seen from a scope, nearest first. */
function declaredNames(from: Scope): string[] {
  const names: string[] = [];
  for (let scope: Scope | null = from; scope !== null; scope = scope.parent) names.push(...scope.names.keys());
  return names;
}
