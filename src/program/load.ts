/** From a file to a program that can be run: compiles it and everything it imports. */
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { type Language, prepareParser } from '../compiler/compile.ts';
import { SourceText } from '../compiler/diagnostics.ts';
import { WaymarkError } from '../runtime/errors.ts';
import { loadHostModule } from './host-module.ts';
import { needsColumns } from './needs-columns.ts';
import { needsLifting } from './needs-lifting.ts';
import { Program } from './program.ts';
import { languageOf, resolveImport } from './resolve.ts';
import { type Extras, loadExtras } from './scope.ts';
import { type LoadedUnit, makeUnit, type Unit } from './unit.ts';

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
    return loadText(readFileSync(given, 'utf8'), given, language);
  }
  const file = given.file ?? 'program.wppl';
  return loadText(given.code, file, given.language ?? languageOf(file) ?? 'wppl');
}

async function loadText(source: string, file: string, language: Language): Promise<Program> {
  const lifted = needsLifting(source);
  const columns = needsColumns(source);
  const loader = new Loader(lifted, columns);
  const program = await loader.load(source, file, language);
  // Only a module that the program imports asks for it: then all of them must have that text.
  if (loader.needsLifting === lifted && loader.needsColumns === columns) return program;
  return new Loader(loader.needsLifting, loader.needsColumns).load(source, file, language);
}

class Loader {
  private readonly units = new Map<string, LoadedUnit>();
  /** In the order in which they are to run: what is imported before what imports it. */
  private readonly order: LoadedUnit[] = [];
  private readonly extras: Extras = {};
  private nextSite = 1;
  /** Whether some unit so far needs lifted text, or text for executions side by side. */
  needsLifting = false;
  needsColumns = false;

  constructor(
    private readonly lifted: boolean,
    private readonly columns: boolean,
  ) {}

  async load(source: string, file: string, language: Language): Promise<Program> {
    const main = await this.add(source, file, language, false);
    if (this.lifted) this.extras.lifting = await import('../lifting/linkage.ts');
    if (this.columns) this.extras.columns = await import('../lanes/columns/linkage.ts');
    return new Program(main, this.order, this.extras, this.nextSite);
  }

  private async add(source: string, file: string, language: Language, imported: boolean): Promise<LoadedUnit> {
    await prepareParser(language);
    this.needsLifting ||= needsLifting(source);
    this.needsColumns ||= needsColumns(source);
    const { lifted, columns, nextSite } = this;
    const options = { file, language, firstSite: nextSite, exportDeclarations: imported, lifted, columns };
    const unit = makeUnit(source, options);
    this.nextSite = unit.compiled.nextSite;
    const loaded: LoadedUnit = { unit, imports: [] };
    // Known before its imports are followed, so that a cycle comes back to it.
    this.units.set(resolve(file), loaded);
    await loadExtras(unit.compiled.free, this.extras);
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
      const known = this.units.get(file) ?? (await this.add(readFileSync(file, 'utf8'), shown(file), language, true));
      const { exports, exportsAll } = known.unit.compiled;
      check((name) => exports.includes(name) || exportsAll || (name === 'default' && language === 'wppl'));
      return known;
    }
    const namespace = await loadHostModule(resolved.url).catch((thrown) => {
      throw text.error(`'${specifier}' could not be loaded: ${thrown?.message ?? thrown}`, mention);
    });
    check((name) => name in namespace);
    return namespace;
  }
}

/** Files are named as a person at the prompt would: relative to the current folder if they are in it. */
function shown(file: string): string {
  const here = `${process.cwd()}/`;
  return file.startsWith(here) ? file.slice(here.length) : file;
}
