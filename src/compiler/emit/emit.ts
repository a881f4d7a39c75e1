/** The text of a whole unit. */
import type { Node } from 'acorn';
import type { AddressFree } from '../analyse/address-free.ts';
import type { Analysis } from '../analyse/analysis.ts';
import type { Closures } from '../analyse/closures.ts';
import type { LastingCalls } from '../analyse/lasting-calls.ts';
import type { SourceText } from '../diagnostics.ts';
import type { LibraryNames } from '../library-names.ts';
import { bare, isFunction, type Language } from '../parse/syntax.ts';
import type { AppNotes } from './app-notes.ts';
import { columnMode, columnName } from './columns.ts';
import { Emission, type ModelNote, type Site } from './emission.ts';
import { type EmittedModule, emitModule } from './es-module.ts';
import { emitStatements } from './functions.ts';
import { liftedMode, liftedName } from './lifted.ts';
import { Meanings } from './meanings.ts';
import { exportedNames, importedNames } from './modules.ts';
import { emitPattern } from './patterns.ts';
import { plainMode } from './plain.ts';
import { Prelude } from './prelude.ts';
import { SourceMap } from './source-map.ts';
import { statementTable } from './statements.ts';

interface EmitOptions {
  readonly language: Language;
  readonly library: LibraryNames;
  readonly addressFree: AddressFree;
  readonly free: ReadonlySet<string>;
  readonly firstSite: number;
  readonly closures: Closures;
  readonly lastingCalls: LastingCalls;
  /** What the runtime is told of arguments with models. */
  readonly apart: ReadonlyMap<Node, ModelNote>;
  /** Of a module of an app. */
  readonly notes?: AppNotes;
  readonly accessors: boolean;
  /** Emit a second text of each function, for execution under gradients. */
  readonly lifted: boolean;
  /** Emit a text of each function for executions side by side and recordings: it has two meanings, one at a time. */
  readonly columns: boolean;
  /** Export what a `.wppl` program declares at top level. */
  readonly exportDeclarations: boolean;
}

export interface Emitted {
  readonly code: string;
  readonly map: SourceMap;
  readonly sites: readonly Site[];
  readonly exports: readonly string[];
  /** True if `export * from` adds names that only running the unit tells. */
  readonly exportsAll: boolean;
  readonly importedNames: readonly { readonly module: number; readonly name: string; readonly offset: number }[];
}

/** The name of the function around a unit's text, by which stack traces show its top level. */
export const UNIT_FUNCTION = '$program';

function emissionOf(analysis: Analysis, source: SourceText, options: EmitOptions): Emission {
  const { language, addressFree, library, free, firstSite } = options;
  return new Emission(
    analysis,
    source,
    language,
    addressFree,
    library,
    free,
    new Prelude(),
    plainMode,
    options.lifted ? liftedMode : undefined,
    options.columns ? columnMode : undefined,
    statementTable,
    emitPattern,
    firstSite,
    options.closures,
    options.lastingCalls,
    options.apart,
    options.accessors,
  );
}

/** The text of a module of a user's app. */
export function emitApp(
  analysis: Analysis,
  source: SourceText,
  options: EmitOptions & { readonly notes: AppNotes },
  runtime: string,
  needed: readonly string[],
): EmittedModule {
  const e = emissionOf(analysis, source, options);
  return emitModule(e, options.library, options.notes, runtime, needed);
}

export function emitUnit(analysis: Analysis, source: SourceText, options: EmitOptions): Emitted {
  const { language } = options;
  const e = emissionOf(analysis, source, options);
  e.text(`(function ${UNIT_FUNCTION}($, $x, $i) { "use strict";\nconst $m = $.machine;\n`);
  const head = e.slot();
  emitStatements(e, analysis.program.body, language === 'wppl');
  e.text('})');

  const exports = exportedNames(e);
  if (options.exportDeclarations && language === 'wppl') {
    for (const { name, emitted } of analysis.unit.names.values()) exports.set(name, emitted);
  }
  head.fill(
    [
      e.prelude.text(),
      libraryNames(e, options),
      ...analysis.modules.map((_, i) => `const $i${i} = $i[${i}];`),
      exportText(exports),
      e.fn.prologue(),
      '',
    ].join('\n'),
  );
  const { code, marks } = e.out.finish();
  return {
    code,
    map: new SourceMap(marks, source.lines, source.file, source.text),
    sites: e.sites,
    exports: [...exports.keys()],
    exportsAll: analysis.program.body.some((node) => node.type === 'ExportAllDeclaration' && !node.exported),
    importedNames: importedNames(e),
  };
}

/** Library names become constants of the unit; those the program redefines with `var` start with the library's value. */
function libraryNames(e: Emission, options: EmitOptions): string {
  const { analysis } = e;
  const { free, library, language, lifted, columns, notes } = options;
  const lines: string[] = [];
  // A module of an app waits for what gradients need.
  const inLifted = new Meanings('$L', '$.lifted', notes === undefined ? undefined : 'onGradients');
  const inColumns = new Meanings('$C', '$.columns', 'onReading');
  const constant = (local: string, of: (library: string) => string): void => {
    lines.push(`const ${local} = ${of('$.library')};`);
    inLifted.add(liftedName(local), of('$L.library'));
    inColumns.add(columnName(local), of('$C.library'));
  };
  for (const name of free) constant(name, (all) => `${all}.${name}`);
  for (const { name, emitted, kind, import: from } of analysis.unit.names.values()) {
    if (from !== undefined && from.module === undefined) {
      constant(emitted, (all) => (from.name === '*' ? `$.namespace(${all})` : `${all}.${from.name}`));
    } else if (language === 'wppl' && kind === 'var' && library.has(name)) {
      lines.push(`var ${emitted} = $.library.${name};`);
    }
  }
  if (columns) lines.push(topFunctions(analysis));
  if (notes !== undefined) lines.push(notes.text(e));
  return [...lines, lifted ? inLifted.text() : '', columns ? inColumns.text() : ''].join('\n');
}

/** Tells the runtime of the functions declared at top level, which can see nothing of an execution. */
function topFunctions(analysis: Analysis): string {
  const names: string[] = [];
  for (const { emitted, kind, writes } of analysis.unit.names.values()) {
    const value = writes.length === 1 && kind !== 'import' ? writes[0].value : undefined;
    if (value !== undefined && isFunction(bare(value))) names.push(`() => ${emitted}`);
  }
  return names.length === 0 ? '' : `$.functions.push(${names.join(', ')});`;
}

function exportText(exports: ReadonlyMap<string, string>): string {
  if (exports.size === 0) return '';
  const getters = [...exports].map(([name, text]) => `[${JSON.stringify(name)}]: () => ${text}`);
  return `$.exports($x, {${getters.join(', ')}});`;
}
