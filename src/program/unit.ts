/** One file of a program, compiled and ready to run. */
import { type Compiled, type CompileOptions, compile, type Language } from '../compiler/compile.ts';
import { SourceText } from '../compiler/diagnostics.ts';
import type { UnitFunction } from '../compiler/linkage.ts';
import { tooDeep } from '../compiler/parse/parse.ts';
import { callers, pureObjects } from '../library/pure.ts';
import { didYouMean } from '../runtime/errors.ts';
import { ambientNames, libraryNames, pureNames } from './scope.ts';

export interface Unit {
  /** By which stack traces name it. */
  readonly url: string;
  readonly file: string;
  readonly language: Language;
  readonly source: string;
  readonly compiled: Compiled;
  readonly execute: UnitFunction;
}

/** A unit with what it imports: other units, or modules of the host. */
export interface LoadedUnit {
  readonly unit: Unit;
  readonly imports: (LoadedUnit | object)[];
}

/** The form of a unit's url; `src/program/locate.ts` looks for it in stack traces. */
export const UNIT_URL = /waymark:\/\/\d+\/[^\s:()]*/;

const NONE: ReadonlySet<string> = new Set();

let count = 0;

export function makeUnit(
  source: string,
  options: Pick<
    CompileOptions,
    'file' | 'language' | 'firstSite' | 'exportDeclarations' | 'lifted' | 'columns' | 'twoReadings' | 'accessors'
  >,
  /** Names that mean what others have defined, whatever the library has under them. */
  own: ReadonlySet<string> = NONE,
): Unit {
  const without = (names: ReadonlySet<string>) => (own.size === 0 ? names : new Set([...names].filter((name) => !own.has(name)))); // biome-ignore format: one thought
  const compiled = compile(source, {
    ...options,
    library: own.size === 0 ? libraryNames : new Set([...libraryNames, ...own]),
    pure: without(pureNames),
    callers: own.size === 0 ? callers : new Map([...callers].filter(([name]) => !own.has(name))),
    pureObjects: without(pureObjects),
    ambient: options.language === 'js' ? ambientNames : undefined,
    suggest: didYouMean,
  });
  const url = `waymark://${++count}/${encodeURIComponent(options.file.replace(/^.*[/\\]/, '')).replace(/[()]/g, '_')}`;
  const execute = evaluated(`${compiled.code}\n//# sourceURL=${url}`, source, options.file);
  return { url, file: options.file, language: options.language, source, compiled, execute };
}

function evaluated(code: string, source: string, file: string): UnitFunction {
  try {
    // Indirect evaluation: the unit sees the globals and nothing else. Works in browsers too, unlike node:vm.
    // biome-ignore lint/security/noGlobalEval: running program text is what this is for
    return globalThis.eval(code) as UnitFunction;
  } catch (thrown) {
    if (thrown instanceof RangeError) throw tooDeep(new SourceText(source, file));
    throw new Error(
      `The compiler made JavaScript of ${file} that is none (${thrown}). This is a bug: please report it.`,
    );
  }
}
