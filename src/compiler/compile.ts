/** The front door of the compiler: program text in, JavaScript and source map out. */
import type { Node, Program } from 'acorn';
import { definesAccessors } from './analyse/accessors.ts';
import { AddressFree } from './analyse/address-free.ts';
import { analyse } from './analyse/analyse.ts';
import type { Analysis } from './analyse/analysis.ts';
import { AppModels } from './analyse/app-models.ts';
import { Closures, type Settled } from './analyse/closures.ts';
import { type Evenness, evennessOf } from './analyse/even.ts';
import { comparesIdentities } from './analyse/identities.ts';
import { LastingCalls } from './analyse/lasting-calls.ts';
import { aloneUnit } from './analyse/linked-units.ts';
import { changesLodash } from './analyse/lodash-state.ts';
import { modelsApart } from './analyse/models-apart.ts';
import { freeNames } from './analyse/names.ts';
import { neededTexts } from './analyse/needed-texts.ts';
import { looksOutside } from './analyse/outward.ts';
import { type SideEffect, sideEffectsOf } from './analyse/side-effects.ts';
import { isResumable, isStateless } from './analyse/stateless.ts';
import { CompileError, SourceText } from './diagnostics.ts';
import { AppNotes } from './emit/app-notes.ts';
import type { ModelNote } from './emit/emission.ts';
import { type Emitted, emitApp, emitUnit } from './emit/emit.ts';
import type { EmittedModule, Linking } from './emit/es-module.ts';
import type { LibraryNames, MethodNames } from './library-names.ts';
import { parse, tooDeep } from './parse/parse.ts';
import { isTypeImport, type Language } from './parse/syntax.ts';

/** Options that reading a file depends on. */
interface ReadOptions {
  /** As error messages show it. */
  readonly file: string;
  readonly language: Language;
  /** Every name the library offers, and what is to be known of it. */
  readonly library: LibraryNames;
  /** The names among them that modules see without importing them. */
  readonly ambient?: ReadonlySet<string>;
  /** ` Did you mean 'x'?`, or nothing. */
  suggest?(name: string, known: Iterable<string>): string;
}

/** Options that the emitted text of a file depends on. */
export interface TextOptions {
  /** The number of the first call site, so that sites are unique among the units of a program. */
  readonly firstSite?: number;
  /** Export what a `.wppl` program declares at top level, for modules that import it. */
  readonly exportDeclarations?: boolean;
  /** Give each function a second text, for execution under gradients (`Linkage.lifted` must then be there). */
  readonly lifted?: boolean;
  /** Give each function a text for executions side by side (`Linkage.columns` must then be there). */
  readonly columns?: boolean;
  /** Whether reading a field of an object of another unit, or making a number of it, may run text of the program. */
  readonly accessors?: boolean;
  /** It becomes a module of an app, by this name: texts wait for what they need, and the runtime is told of its models. */
  readonly asModule?: string;
}

interface CompileOptions extends ReadOptions, TextOptions {}

/** A file that was read: what its names stand for. Which texts it gets is decided when all files of a program were. */
export interface ReadUnit {
  readonly source: SourceText;
  readonly options: ReadOptions;
  readonly analysis: Analysis;
  /** Library names used without import. */
  readonly free: ReadonlySet<string>;
  /** Whether it uses what lodash remembers. */
  readonly changesLodash: boolean;
  /** Modules to hand to the unit, in this order. */
  readonly imports: readonly string[];
  /** Those among them, by index, that TypeScript drops because only types were imported. */
  readonly elided: ReadonlySet<number>;
  /** Whether reading a field of an object of its own may run text of the program. */
  readonly accessors: boolean;
}

export interface Compiled extends Emitted {
  readonly nextSite: number;
  /** Whether the unit keeps no state of its own. */
  readonly stateless: boolean;
  /** The same, but for what it writes to fields of `globalStore`. */
  readonly resumable: boolean;
  /** Whether its functions use the clock or the console. */
  readonly looksOutside: boolean;
  /** Whether executions of its functions are expected to do much the same. */
  readonly evenness: Evenness;
  /** How long what its functions see stays the same. */
  readonly settled: Settled;
  /** Whether it can tell objects of the same contents apart. */
  readonly comparesIdentities: boolean;
  /** What keeps executions of its functions from running as one, if anything does. */
  readonly sideEffect: SideEffect | undefined;
  /** The same, changes of objects left out that a function makes and keeps to itself. */
  readonly lasting: SideEffect | undefined;
}

const NONE: ReadonlySet<string> = new Set();

/** Compiles one file. `prepareParser` must have been awaited for its language. Throws `CompileError`. */
export function compile(text: string, options: CompileOptions): Compiled {
  return compileUnit(readUnit(text, options), options);
}

/** Reads one file. `prepareParser` must have been awaited for its language. Throws `CompileError`. */
export function readUnit(text: string, options: ReadOptions): ReadUnit {
  const source = new SourceText(text, options.file);
  return deepEnough(source, () => {
    const { language, library, ambient = NONE, suggest = () => '' } = options;
    const analysis = analyse(parse(source, language), source, language, library);
    return {
      source,
      options,
      analysis,
      free: freeNames(analysis, source, { language, library, ambient, suggest }),
      changesLodash: changesLodash(analysis),
      imports: analysis.modules,
      elided: language === 'ts' ? typeOnlyModules(analysis) : new Set(),
      accessors: definesAccessors(analysis, source.text),
    };
  });
}

/** Makes the texts of a file. Throws `CompileError`. */
export function compileUnit(unit: ReadUnit, options: TextOptions): Compiled {
  return deepEnough(unit.source, () => compiled(unit, options));
}

function deepEnough<R>(source: SourceText, work: () => R): R {
  try {
    return work();
  } catch (thrown) {
    throw thrown instanceof RangeError ? tooDeep(source) : thrown;
  }
}

function compiled(unit: ReadUnit, options: TextOptions): Compiled {
  const { source, analysis, free } = unit;
  const { language, library } = unit.options;
  const { firstSite = 1, exportDeclarations = false, lifted = false, columns = false } = options;
  const addressFree = new AddressFree(analysis.calls, analysis.resolve, library);
  const closures = new Closures(analysis, library);
  const notes =
    options.asModule === undefined ? undefined : appNotes(analysis, source, options.asModule, library, closures);
  const emitted = emitUnit(analysis, source, {
    language,
    library,
    addressFree,
    free,
    firstSite,
    closures,
    lastingCalls: new LastingCalls(analysis, addressFree, library),
    apart: notes?.models ?? apartNotes(analysis, library, exportDeclarations),
    notes,
    exportDeclarations,
    lifted,
    columns,
    accessors: options.accessors || unit.accessors,
  });
  const sideEffects = [...sideEffectsOf(analysis, library, exportDeclarations)];
  return {
    ...emitted,
    nextSite: firstSite + emitted.sites.length,
    stateless: isStateless(analysis, library),
    resumable: isResumable(analysis, library),
    looksOutside: looksOutside(analysis, library),
    evenness: evennessOf(analysis, library),
    settled: closures.settled,
    comparesIdentities: comparesIdentities(analysis),
    sideEffect: sideEffects[0],
    lasting: sideEffects.find(({ own }) => own !== true),
  };
}

/** Models that do not reach the side effects of the unit. */
function apartNotes(analysis: Analysis, library: LibraryNames, isImported: boolean): ReadonlyMap<Node, ModelNote> {
  return new Map([...modelsApart(analysis, library, isImported)].map((node) => [node, () => '']));
}

function appNotes(
  analysis: Analysis,
  source: SourceText,
  file: string,
  library: LibraryNames,
  closures: Closures,
): AppNotes {
  const facts = {
    settled: closures.settled !== 'never',
    comparesContents: !comparesIdentities(analysis),
    evenness: evennessOf(analysis, library),
  };
  return new AppNotes(new AppModels(analysis, library), source, file, facts, ({ emitted }) => emitted);
}

/** What an app's module is compiled with. */
interface ModuleOptions extends Pick<ReadOptions, 'file' | 'library'>, Pick<TextOptions, 'firstSite'> {
  /** The name that messages give to places of the module; the file, if absent. */
  readonly id?: string;
  readonly language: 'ts' | 'js';
  /** Whether the text may hold markup. */
  readonly markup?: boolean;
  readonly methods: MethodNames;
  /** What it imports; what gradients and executions side by side need only if the module needs that. */
  readonly linking: Linking;
}

/** A module of an app that the parser does not understand: perhaps another compiler does, or says what is wrong with it. */
export class UnreadableModule extends Error {
  override name = 'UnreadableModule';

  constructor({ file, line, column, message }: CompileError) {
    super(
      `${file}:${line}:${column}: this module is not compiled, because it could not be read here: ${message} ` +
        'Optimize, HMC, NUTS and networks do not work in it.',
    );
  }
}

function readModule(source: SourceText, language: Language, markup?: boolean): Program {
  try {
    return parse(source, language, markup);
  } catch (thrown) {
    throw thrown instanceof CompileError ? new UnreadableModule(thrown) : thrown;
  }
}

/** Compiles a module of an app, whose other parts stay as they are. `prepareParser` must have been awaited. */
export function compileApp(text: string, options: ModuleOptions): EmittedModule {
  const source = new SourceText(text, options.file);
  const { language, library, methods, firstSite = 1, linking } = options;
  return deepEnough(source, () => {
    const analysis = analyse(readModule(source, language, options.markup), source, language, library, true);
    const addressFree = new AddressFree(analysis.calls, analysis.resolve, library);
    const closures = new Closures(analysis, library);
    const notes = appNotes(analysis, source, options.id ?? options.file, library, closures);
    const emitting = {
      language,
      library,
      addressFree,
      free: NONE,
      firstSite,
      closures,
      lastingCalls: new LastingCalls(analysis, addressFree, library),
      apart: notes.models,
      notes,
      exportDeclarations: false,
      lifted: true,
      columns: true,
      accessors: definesAccessors(analysis, text),
    };
    const { lifted, columns, recording } = neededTexts([aloneUnit(analysis)], library, methods);
    const needed = [...(lifted ? [linking.gradients] : []), ...(columns || recording ? [linking.columns] : [])];
    return emitApp(analysis, source, emitting, linking.runtime, needed);
  });
}

/** Modules from which names are imported, none of them used as a value. */
function typeOnlyModules(analysis: Analysis): Set<number> {
  const elided = new Set<number>();
  analysis.modules.forEach((specifier, module) => {
    const mentions = analysis.program.body.filter(
      (node) => 'source' in node && node.source?.value === specifier && !isTypeImport(node),
    );
    const used = [...analysis.unit.names.values()].some(
      (binding) => binding.import?.module === module && binding.references > 0,
    );
    const forNamesOnly = mentions.every((node) => node.type === 'ImportDeclaration' && node.specifiers.length > 0);
    if (!used && forNamesOnly) elided.add(module);
  });
  return elided;
}

export { aloneUnit } from './analyse/linked-units.ts';
export { neededTexts, needsOf } from './analyse/needed-texts.ts';
export type { Needs, Texts } from './library-names.ts';
export { prepareParser, useTypescript } from './parse/parse.ts';
export type { Language } from './parse/syntax.ts';
export { CompileError };
