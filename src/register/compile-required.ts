/** Modules that are loaded by `require`, compiled. Nothing here can wait, so that the parser comes along. */
import { tsPlugin } from '@sveltejs/acorn-typescript';
import { compileModuleNow, useTypescript } from '../modules/compile-module.ts';
import { complaint, idOf, withMap } from './compiling.ts';
import { asCommonJs } from './without-types.ts';

useTypescript(tsPlugin);

/** The text of a module as CommonJS; undefined if it has to stay as it is. */
export function compileRequired(text: string, file: string): string | undefined {
  try {
    const code = asCommonJs(withMap(compileModuleNow(text, { file, id: idOf(file) }), file), file);
    if (code === undefined) {
      process.emitWarning(
        `${file} is loaded by require, and esbuild, which would make it CommonJS once it is compiled, is not installed: ` +
          'Optimize, HMC, NUTS and networks do not work in it. Install it: npm install --save-dev esbuild.',
      );
    }
    return code;
  } catch (thrown) {
    complaint(thrown, file);
    return undefined;
  }
}
