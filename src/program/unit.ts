/** One file of a program, compiled and ready to run. */
import { type Compiled, type CompileOptions, compile, type Language } from '../compiler/compile.ts';
import type { UnitFunction } from '../compiler/linkage.ts';
import { pureObjects } from '../library/pure.ts';
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

let count = 0;

export function makeUnit(
  source: string,
  options: Pick<CompileOptions, 'file' | 'language' | 'firstSite' | 'exportDeclarations' | 'lifted'>,
): Unit {
  const compiled = compile(source, {
    ...options,
    library: libraryNames,
    pure: pureNames,
    pureObjects,
    ambient: options.language === 'js' ? ambientNames : undefined,
    suggest: didYouMean,
  });
  const url = `waymark://${++count}/${encodeURIComponent(options.file.replace(/^.*[/\\]/, '')).replace(/[()]/g, '_')}`;
  // Indirect evaluation: the unit sees the globals and nothing else. Works in browsers too, unlike node:vm.
  // biome-ignore lint/security/noGlobalEval: running program text is what this is for
  const execute = globalThis.eval(`${compiled.code}\n//# sourceURL=${url}`) as UnitFunction;
  return { url, file: options.file, language: options.language, source, compiled, execute };
}
