/** From a file to a program that can be run: compiles it and everything it imports. */
import type { Analysis } from '../compiler/analyse/analysis.ts';
import type { LinkedUnit } from '../compiler/analyse/linked-units.ts';
import { type Language, type Needs, needsOf, prepareParser, type ReadUnit, type Texts } from '../compiler/compile.ts';
import type { SourceText } from '../compiler/diagnostics.ts';
import { languageOf } from '../compiler/language.ts';
import { resolve } from '../host/path.ts';
import { readRegularFile } from '../host/regular-file.ts';
import { resolveImport } from '../host/resolve.ts';
import { currentFolder } from '../host/system.ts';
import { methodNames } from '../inference/methods.ts';
import { whyNot } from '../io/read-file.ts';
import { foresee } from '../lanes/columns/foresight.ts';
import { describe } from '../runtime/describe.ts';
import { WaymarkError } from '../runtime/errors.ts';
import { loadHostModule } from './host-module.ts';
import { Program } from './program.ts';
import { prepareReadings } from './readings.ts';
import { type Extras, libraryNames, loadExtras, namesUsed } from './scope.ts';
import { type LoadedUnit, makeUnit, readFile, type Unit } from './unit.ts';

/** The text of a program that is not in a file. */
export interface ProgramText {
  readonly code: string;
  /** What errors call it; imports are relative to its folder. */
  readonly file?: string;
  readonly language?: Language;
}

/** Loads a program from a file, or from text. Throws `CompileError` if it cannot be compiled. */
export async function loadProgram(given: string | ProgramText): Promise<Program> {
  return new Loader().load(sourceOf(given));
}

/** The texts that functions of a program get besides their plain one. */
export async function textsOf(given: string | ProgramText): Promise<Texts> {
  return (await new Loader().needs(sourceOf(given))).texts;
}

function sourceOf(given: string | ProgramText): Required<ProgramText> {
  if (typeof given === 'string') {
    const language = languageOf(given);
    if (language === undefined) throw new WaymarkError(`${given} does not end in .wppl, .ts or .js.`);
    return { code: textIn(given), file: given, language };
  }
  if (typeof given?.code !== 'string') {
    throw new WaymarkError(`loadProgram needs the name of a file, or {code: text}, got ${describe(given)}.`);
  }
  const { code, file = 'program.wppl' } = given;
  return { code, file, language: given.language ?? languageOf(file) ?? 'wppl' };
}

/** A file that was read, with what it imports: other files, or host modules. */
class ReadFile implements LinkedUnit {
  readonly analysis: Analysis;
  readonly imports: (ReadFile | object)[] = [];
  readonly exportsDeclarations: boolean;

  constructor(
    readonly read: ReadUnit,
    /** Whether others import it. */
    readonly isImported: boolean,
  ) {
    this.analysis = read.analysis;
    this.exportsDeclarations = isImported && read.options.language === 'wppl';
  }

  imported(module: number): ReadFile | undefined {
    const target = this.imports[module];
    return target instanceof ReadFile ? target : undefined;
  }
}

class Loader {
  /** In the order in which they were found. */
  private readonly files = new Map<string, ReadFile>();
  /**
   * In the order in which they are to run: what is imported before what imports it. Call sites are numbered in this order, so that a model in a
   * module of its own has the same addresses in all programs that import it, and what was learned for it can be used elsewhere.
   */
  private readonly order: ReadFile[] = [];
  /** Host modules that are imported. */
  private readonly hosts: string[] = [];
  private readonly extras: Extras = {};

  async needs({ code, file, language }: Required<ProgramText>): Promise<Needs> {
    await this.add(code, file, language, false);
    return needsOf([...this.files.values()], libraryNames, methodNames);
  }

  async load(source: Required<ProgramText>): Promise<Program> {
    const { texts, counts } = await this.needs(source);
    if (texts.columns) foresee(new Set(this.order.flatMap(({ read }) => [...namesUsed(read)])), counts);
    const { units, nextSite } = this.compile(texts);
    for (const one of this.files.values()) checkImports(one, units);
    if (texts.lifted) this.extras.lifting = await import('../lifting/linkage.ts');
    if (texts.columns) this.extras.columns = await import('../lanes/columns/linkage.ts');
    this.extras.recording = texts.recording;
    prepareReadings(this.extras);
    const order = this.order.map((one) => units.get(one)!);
    // What nothing imports runs last.
    return new Program(order[order.length - 1], order, this.extras, nextSite, this.hosts);
  }

  /** Makes the texts of all files. */
  private compile({ lifted, columns, recording }: Texts): { units: Map<object, LoadedUnit>; nextSite: number } {
    const units = new Map<object, LoadedUnit>();
    const accessors = this.order.some(({ read }) => read.accessors);
    let firstSite = 1;
    for (const file of this.order) {
      const unit = makeUnit(file.read, {
        firstSite,
        exportDeclarations: file.isImported,
        lifted,
        columns: columns || recording,
        accessors,
      });
      firstSite = unit.compiled.nextSite;
      units.set(file, { unit, imports: [] });
    }
    for (const [file, { imports }] of units as Map<ReadFile, LoadedUnit>) {
      for (const imported of file.imports) imports.push(units.get(imported) ?? imported);
    }
    return { units, nextSite: firstSite };
  }

  private async add(source: string, file: string, language: Language, imported: boolean): Promise<ReadFile> {
    await prepareParser(language);
    const read = readFile(source, file, language);
    const added = new ReadFile(read, imported);
    // Known before its imports are followed, so that a cycle comes back to it.
    this.files.set(resolve(file), added);
    await loadExtras(read, this.extras);
    for (const [i, specifier] of read.imports.entries()) {
      added.imports.push(read.elided.has(i) ? {} : await this.follow(read, specifier));
    }
    this.order.push(added);
    return added;
  }

  private async follow({ source, options }: ReadUnit, specifier: string): Promise<ReadFile | object> {
    const resolved = resolveImport(specifier, resolve(options.file));
    if (resolved === undefined) {
      const hint = specifier.startsWith('.')
        ? 'Paths are relative to the importing file.'
        : `Install the package with npm install ${specifier}, in a folder above the program.`;
      throw source.error(`There is no module '${specifier}'.`, mentionOf(specifier, source), hint);
    }
    if (resolved.kind === 'program') {
      const { file } = resolved;
      const language = languageOf(file) as Language;
      return this.files.get(file) ?? (await this.add(textIn(file), shown(file), language, true));
    }
    this.hosts.push(resolved.url);
    return loadHostModule(resolved.url).catch((thrown) => {
      const reason = thrown?.message ?? thrown;
      throw source.error(`'${specifier}' could not be loaded: ${reason}`, mentionOf(specifier, source));
    });
  }
}

/** Where a module is mentioned. */
function mentionOf(specifier: string, { text }: SourceText): number {
  return Math.max(0, text.search(new RegExp(`['"]${specifier.replace(/\W/g, '\\$&')}['"]`)));
}

/** Throws unless a file's imports export the names that it takes from them. */
function checkImports(file: ReadFile, units: ReadonlyMap<object, LoadedUnit>): void {
  const { read, imports } = file;
  for (const { module, name, offset } of units.get(file)!.unit.compiled.importedNames) {
    const from = imports[module];
    if (read.elided.has(module) || (from instanceof ReadFile ? isOffered(units.get(from)!.unit, name) : name in from)) {
      continue;
    }
    throw read.source.error(`'${read.imports[module]}' has no export '${name}'.`, offset);
  }
}

function isOffered({ compiled, language }: Unit, name: string): boolean {
  return compiled.exports.includes(name) || compiled.exportsAll || (name === 'default' && language === 'wppl');
}

function textIn(file: string): string {
  try {
    // A mark at the start says that the text is Unicode's, and is no part of it.
    return readRegularFile(file)
      .toString()
      .replace(/^\ufeff/, '');
  } catch (error) {
    throw new WaymarkError(`The program ${file} cannot be read: ${whyNot('read', error, file)}.`);
  }
}

/** Files are named as a person at the prompt would: relative to the current folder if they are in it. */
function shown(file: string): string {
  const here = `${currentFolder()}/`;
  return file.startsWith(here) ? file.slice(here.length) : file;
}
