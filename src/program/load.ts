/** From a file to a program that can be run: compiles it and everything it imports. */

import { type Language, prepareParser } from '../compiler/compile.ts';
import { SourceText } from '../compiler/diagnostics.ts';
import { languageOf } from '../compiler/language.ts';
import { resolve } from '../host/path.ts';
import { readRegularFile } from '../host/regular-file.ts';
import { resolveImport } from '../host/resolve.ts';
import { currentFolder } from '../host/system.ts';
import { whyNot } from '../io/read-file.ts';
import { describe } from '../runtime/describe.ts';
import { WaymarkError } from '../runtime/errors.ts';
import { loadHostModule } from './host-module.ts';
import { needsColumns, needsRecording } from './needs-columns.ts';
import { needsLifting } from './needs-lifting.ts';
import { Program } from './program.ts';

import { type Extras, loadExtras } from './scope.ts';
import { type LoadedUnit, makeUnit, type Unit } from './unit.ts';
import { choosesMethods } from './unknown-methods.ts';

/** The text of a program that is not in a file. */
export interface ProgramText {
  readonly code: string;
  /** What errors call it; imports are relative to its folder. */
  readonly file?: string;
  readonly language?: Language;
}

/** Loads a program from a file, or from text. Throws `CompileError` if it cannot be compiled. */
export async function loadProgram(given: string | ProgramText): Promise<Program> {
  if (typeof given === 'string') {
    const language = languageOf(given);
    if (language === undefined) throw new WaymarkError(`${given} does not end in .wppl, .ts or .js.`);
    return loadText(textIn(given), given, language);
  }
  if (typeof given?.code !== 'string') {
    throw new WaymarkError(`loadProgram needs the name of a file, or {code: text}, got ${describe(given)}.`);
  }
  const file = given.file ?? 'program.wppl';
  return loadText(given.code, file, given.language ?? languageOf(file) ?? 'wppl');
}

async function loadText(source: string, file: string, language: Language): Promise<Program> {
  const texts = new Texts();
  texts.note(source);
  const needed = new Texts();
  const loader = new Loader(texts, needed);
  const program = await loader.load(source, file, language);
  // A unit alone knows of its accessors.
  if (loader.size === 1) texts.accessors = needed.accessors;
  // Only a module that the program imports asks for it: then all of them must have that text.
  if (needed.equals(texts)) return program;
  return new Loader(needed, new Texts()).load(source, file, language);
}

/** The texts that functions have besides their plain one. */
class Texts {
  lifted = false;
  /** For executions side by side. */
  columns = false;
  /** For recordings, which read the text for columns in their own way. */
  recording = false;
  /** Whether objects may have fields that are functions of the program, called when they are read. */
  accessors = false;

  /** Adds what a unit needs. */
  note(source: string): void {
    const any = choosesMethods(source);
    this.lifted ||= any || needsLifting(source);
    this.columns ||= any || needsColumns(source);
    this.recording ||= any || needsRecording(source);
  }

  equals({ lifted, columns, recording, accessors }: Texts): boolean {
    const sameTexts = this.lifted === lifted && this.columns === columns && this.recording === recording;
    return sameTexts && this.accessors === accessors;
  }
}

class Loader {
  private readonly units = new Map<string, LoadedUnit>();
  /** In the order in which they are to run: what is imported before what imports it. */
  private readonly order: LoadedUnit[] = [];
  /** Modules of the host that are imported. */
  private readonly hosts: string[] = [];
  private readonly extras: Extras = {};
  private nextSite = 1;

  constructor(
    private readonly texts: Texts,
    /** What the units turn out to need. */
    private readonly needed: Texts,
  ) {}

  /** How many units there are. */
  get size(): number {
    return this.units.size;
  }

  async load(source: string, file: string, language: Language): Promise<Program> {
    const main = await this.add(source, file, language, false);
    const { lifted, columns, recording } = this.texts;
    if (lifted) this.extras.lifting = await import('../lifting/linkage.ts');
    if (columns) this.extras.columns = await import('../lanes/columns/linkage.ts');
    this.extras.recording = recording;
    return new Program(main, this.order, this.extras, this.nextSite, this.hosts);
  }

  private async add(source: string, file: string, language: Language, imported: boolean): Promise<LoadedUnit> {
    await prepareParser(language);
    this.needed.note(source);
    const { nextSite } = this;
    const { lifted, columns, recording, accessors } = this.texts;
    const unit = makeUnit(source, {
      file,
      language,
      firstSite: nextSite,
      exportDeclarations: imported,
      lifted,
      columns: columns || recording,
      twoReadings: columns && recording,
      accessors,
    });
    this.nextSite = unit.compiled.nextSite;
    this.needed.accessors ||= unit.compiled.accessors;
    const loaded: LoadedUnit = { unit, imports: [] };
    // Known before its imports are followed, so that a cycle comes back to it.
    this.units.set(resolve(file), loaded);
    await loadExtras(unit.compiled.free, source, this.extras);
    for (const [i, specifier] of unit.compiled.imports.entries()) {
      loaded.imports.push(unit.compiled.elided.has(i) ? {} : await this.follow(unit, specifier, i));
    }
    this.order.push(loaded);
    return loaded;
  }

  private async follow(unit: Unit, specifier: string, index: number): Promise<LoadedUnit | object> {
    const text = new SourceText(unit.source, unit.file);
    const mention = Math.max(0, unit.source.search(new RegExp(`['"]${specifier.replace(/\W/g, '\\$&')}['"]`)));
    const names = unit.compiled.importedNames.filter(({ module }) => module === index);
    const check = (isOffered: (name: string) => boolean): void => {
      const missing = names.find(({ name }) => !isOffered(name));
      if (missing !== undefined) throw text.error(`'${specifier}' has no export '${missing.name}'.`, missing.offset);
    };
    const resolved = resolveImport(specifier, resolve(unit.file));
    if (resolved === undefined) {
      const hint = specifier.startsWith('.')
        ? 'Paths are relative to the importing file.'
        : `Install the package with npm install ${specifier}, in a folder above the program.`;
      throw text.error(`There is no module '${specifier}'.`, mention, hint);
    }
    if (resolved.kind === 'program') {
      const { file } = resolved;
      const language = languageOf(file) as Language;
      const known = this.units.get(file) ?? (await this.add(textIn(file), shown(file), language, true));
      const { exports, exportsAll } = known.unit.compiled;
      check((name) => exports.includes(name) || exportsAll || (name === 'default' && language === 'wppl'));
      return known;
    }
    this.hosts.push(resolved.url);
    const namespace = await loadHostModule(resolved.url).catch((thrown) => {
      throw text.error(`'${specifier}' could not be loaded: ${thrown?.message ?? thrown}`, mention);
    });
    check((name) => name in namespace);
    return namespace;
  }
}

function textIn(file: string): string {
  try {
    return new TextDecoder().decode(readRegularFile(file));
  } catch (error) {
    throw new WaymarkError(`The program ${file} cannot be read: ${whyNot('read', error, file)}.`);
  }
}

/** Files are named as a person at the prompt would: relative to the current folder if they are in it. */
function shown(file: string): string {
  const here = `${currentFolder()}/`;
  return file.startsWith(here) ? file.slice(here.length) : file;
}
