/** One file of a program, compiled and ready to run. */

import {
  type Compiled,
  compileUnit,
  type Language,
  type ReadUnit,
  readUnit,
  type TextOptions,
} from '../compiler/compile.ts';
import { LineTable, SourceText } from '../compiler/diagnostics.ts';
import { guideOffset } from '../compiler/guide-places.ts';
import type { LibraryName } from '../compiler/library-names.ts';
import type { UnitFunction } from '../compiler/linkage.ts';
import { once } from '../compiler/once.ts';
import { tooDeep } from '../compiler/parse/parse.ts';
import { siteNamesOf } from '../compiler/site-names.ts';
import { didYouMean, WaymarkError } from '../runtime/errors.ts';
import { ambientNames, libraryNames } from './scope.ts';

export interface Unit {
  /** By which stack traces name it. */
  readonly url: string;
  readonly file: string;
  readonly language: Language;
  readonly source: string;
  readonly compiled: Compiled;
  readonly execute: UnitFunction;
  /** Names of its call sites, where they cannot be found in its text. */
  readonly siteNames?: ReadonlyMap<number, string>;
}

/** A unit with what it imports: other units, or host modules. */
export interface LoadedUnit {
  readonly unit: Unit;
  readonly imports: (LoadedUnit | object)[];
}

/** The form of a unit's url; `src/program/locate.ts` looks for it in stack traces. */
export const UNIT_URL = /waymark:\/\/\d+\/[^\s:()]*/;

const NONE: ReadonlySet<string> = new Set();

let count = 0;

/** Reads a file of a program. `prepareParser` must have been awaited for its language. */
export function readFile(
  source: string,
  file: string,
  language: Language,
  /** Names that mean what others have defined, whatever the library has under them. */
  own: ReadonlySet<string> = NONE,
): ReadUnit {
  const ambient = language === 'js' ? ambientNames : undefined;
  const library = own.size === 0 ? libraryNames : new Map([...libraryNames, ...[...own].map(named)]);
  return readUnit(source, { file, language, library, ambient, suggest: didYouMean });
}

/** A name of which nothing more is known. */
const named = (name: string): [string, LibraryName] => [name, { own: true }];

/** Where the call site of this number is, in one of these units. */
export const placeOfSite = (units: Iterable<Unit>, number: number): string | undefined =>
  placeFrom(units, number, (_, call) => call);

/** Where the guide is written that the call of this number gives, where that can be told. */
export const guideOfSite = (units: Iterable<Unit>, number: number): string | undefined =>
  placeFrom(units, number, ({ source, file, language }, call) =>
    guideOffset(new SourceText(source, file), language, call),
  );

function placeFrom(
  units: Iterable<Unit>,
  number: number,
  offsetOf: (unit: Unit, call: number) => number | undefined,
): string | undefined {
  for (const unit of units) {
    const site = unit.compiled.sites.find((one) => one.number === number);
    if (site === undefined) continue;
    const offset = offsetOf(unit, site.offset);
    if (offset === undefined) return undefined;
    const { line, column } = new LineTable(unit.source).position(offset);
    return `${unit.file}:${line}:${column}`;
  }
  return undefined;
}

/** The name of the call site of this number, in one of these units. */
export function nameOfSite(units: Iterable<Unit>, number: number): string | undefined {
  for (const unit of units) {
    const found = namesIn(unit).get(number);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Names of the call sites of a unit. Few ask for them: its text is parsed again. */
export const namesIn = once((unit: Unit): ReadonlyMap<number, string> => {
  const { source, file, language, compiled, siteNames } = unit;
  if (siteNames !== undefined) return siteNames;
  const texts = siteNamesOf(new SourceText(source, file), language, compiled.sites);
  return new Map(compiled.sites.map(({ number: site }, i) => [site, texts[i]]));
});

/** Makes the texts of a file that was read. */
export function makeUnit(read: ReadUnit, options: TextOptions): Unit {
  const { file, language } = read.options;
  const source = read.source.text;
  const compiled = compileUnit(read, options);
  const url = `waymark://${++count}/${encodeURIComponent(file.replace(/^.*[/\\]/, '')).replace(/[()]/g, '_')}`;
  const execute = evaluated(`${compiled.code}\n//# sourceURL=${url}`, source, file);
  return { url, file, language, source, compiled, execute };
}

const FORBIDDEN =
  "Programs given as text need 'unsafe-eval' in the script-src of the page's content security policy. Where the page must not allow that, " +
  'run them in a worker served with a policy of its own, or write the model in a module that is compiled when the page is built.';

function evaluated(code: string, source: string, file: string): UnitFunction {
  try {
    // Indirect evaluation: the unit sees the globals and nothing else. Works in browsers too, unlike node:vm.
    // biome-ignore lint/security/noGlobalEval: running program text is what this is for
    return globalThis.eval(code) as UnitFunction;
  } catch (thrown) {
    if (thrown instanceof RangeError) throw tooDeep(new SourceText(source, file));
    if (thrown instanceof EvalError) throw new WaymarkError(FORBIDDEN);
    throw new Error(
      `The compiler made JavaScript of ${file} that is none (${thrown}). This is a bug: please report it.`,
    );
  }
}
