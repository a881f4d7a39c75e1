/** The front door of the compiler: program text in, JavaScript and source map out. */
import { definesAccessors } from './analyse/accessors.ts';
import { AddressFree } from './analyse/address-free.ts';
import { type Analysis, analyse } from './analyse/analyse.ts';
import { Closures, type Settled } from './analyse/closures.ts';
import { comparesIdentities } from './analyse/identities.ts';
import { LastingCalls } from './analyse/lasting-calls.ts';
import { modelsApart } from './analyse/models-apart.ts';
import { freeNames } from './analyse/names.ts';
import { type Noise, noisesOf } from './analyse/noise.ts';
import { isResumable, isStateless } from './analyse/stateless.ts';
import { SourceText } from './diagnostics.ts';
import { type Emitted, emitApp, emitUnit } from './emit/emit.ts';
import type { EmittedModule, Linking } from './emit/es-module.ts';
import { parse, tooDeep } from './parse/parse.ts';
import { isTypeImport, type Language } from './parse/syntax.ts';

export interface CompileOptions {
  /** As error messages show it. */
  readonly file: string;
  readonly language: Language;
  /** Every name the library offers. */
  readonly library: ReadonlySet<string>;
  /** Those among them that never make a choice nor call the program back: they need no address. */
  readonly pure: ReadonlySet<string>;
  /** Those that make no choice themselves and call one of their arguments: which. */
  readonly callers?: ReadonlyMap<string, number>;
  /** Objects of the library of whose methods the same is true, but for those that are given a function to call. */
  readonly pureObjects?: ReadonlySet<string>;
  /** Those among them that modules see without importing them. */
  readonly ambient?: ReadonlySet<string>;
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
  /** Let `Linkage.columns` be another whenever `Linkage.onReading` says so. */
  readonly twoReadings?: boolean;
  /** ` Did you mean 'x'?`, or nothing. */
  suggest?(name: string, known: Iterable<string>): string;
}

export interface Compiled extends Emitted {
  /** Library names used without import. */
  readonly free: ReadonlySet<string>;
  /** Modules to hand to the unit, in this order. */
  readonly imports: readonly string[];
  /** Those among them, by index, that TypeScript drops because only types were imported. */
  readonly elided: ReadonlySet<number>;
  readonly nextSite: number;
  /** Whether reading a field of an object of its own may run text of the program. */
  readonly accessors: boolean;
  /** Whether the unit keeps no state of its own. */
  readonly stateless: boolean;
  /** The same, but for what it writes to fields of `globalStore`. */
  readonly resumable: boolean;
  /** How long what its functions see stays the same. */
  readonly settled: Settled;
  /** Whether it can tell objects of the same contents apart. */
  readonly comparesIdentities: boolean;
  /** What keeps executions of its functions from running as one, if anything does. */
  readonly noise: Noise | undefined;
}

const NONE: ReadonlySet<string> = new Set();

/** Compiles one file. `prepareParser` must have been awaited for its language. Throws `CompileError`. */
export function compile(text: string, options: CompileOptions): Compiled {
  const source = new SourceText(text, options.file);
  try {
    return compiled(source, options);
  } catch (thrown) {
    throw thrown instanceof RangeError ? tooDeep(source) : thrown;
  }
}

function compiled(source: SourceText, options: CompileOptions): Compiled {
  const {
    language,
    library,
    pure,
    callers = new Map(),
    pureObjects = NONE,
    ambient = NONE,
    firstSite = 1,
    exportDeclarations = false,
    lifted = false,
    columns = false,
    twoReadings = false,
    accessors = false,
  } = options;
  const program = parse(source, language);
  const analysis = analyse(program, source, language, library);
  const suggest = options.suggest ?? (() => '');
  const free = freeNames(analysis, source, { language, library, ambient, suggest });
  const addressFree = new AddressFree(analysis.calls, analysis.resolve, { pure, callers, pureObjects });
  const closures = new Closures(analysis, pureObjects);
  const own = definesAccessors(analysis, source.text);
  const emitted = emitUnit(analysis, source, {
    language,
    library,
    addressFree,
    free,
    firstSite,
    closures,
    lastingCalls: new LastingCalls(analysis, addressFree, callers),
    apart: modelsApart(analysis, pureObjects, library, exportDeclarations),
    exportDeclarations,
    lifted,
    columns,
    twoReadings,
    accessors: accessors || own,
  });
  return {
    ...emitted,
    free,
    imports: analysis.modules,
    elided: language === 'ts' ? typeOnlyModules(analysis) : new Set(),
    nextSite: firstSite + emitted.sites.length,
    accessors: own,
    stateless: isStateless(analysis, pureObjects),
    resumable: isResumable(analysis, pureObjects),
    settled: closures.settled,
    comparesIdentities: comparesIdentities(analysis),
    noise: noisesOf(analysis, pureObjects, library, exportDeclarations).next().value ?? undefined,
  };
}

/** What an app's module is compiled with. */
export interface ModuleOptions
  extends Pick<CompileOptions, 'file' | 'library' | 'pure' | 'callers' | 'pureObjects' | 'firstSite'> {
  readonly language: 'ts' | 'js';
  /** Whether the text may hold markup. */
  readonly markup?: boolean;
  readonly linking: Linking;
}

/** Compiles a module of an app, whose other parts stay as they are. `prepareParser` must have been awaited. */
export function compileApp(text: string, options: ModuleOptions): EmittedModule {
  const source = new SourceText(text, options.file);
  const { language, library, pure, callers = new Map(), pureObjects = NONE, firstSite = 1, linking } = options;
  try {
    const analysis = analyse(parse(source, language, options.markup), source, language, library, true);
    const addressFree = new AddressFree(analysis.calls, analysis.resolve, { pure, callers, pureObjects });
    const emitting = {
      language,
      library,
      addressFree,
      free: NONE,
      firstSite,
      closures: new Closures(analysis, pureObjects, true),
      lastingCalls: new LastingCalls(analysis, addressFree, callers),
      apart: new Set<never>(),
      exportDeclarations: false,
      lifted: true,
      columns: false,
      twoReadings: false,
      accessors: definesAccessors(analysis, text) || /\bclass\b/.test(text),
    };
    return emitApp(analysis, source, emitting, linking);
  } catch (thrown) {
    throw thrown instanceof RangeError ? tooDeep(source) : thrown;
  }
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

export { CompileError } from './diagnostics.ts';
export { prepareParser } from './parse/parse.ts';
export type { Language } from './parse/syntax.ts';
