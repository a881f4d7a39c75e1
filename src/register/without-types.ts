/** TypeScript as JavaScript: by Node, esbuild or TypeScript, whichever is there. */

import { existsSync, readFileSync } from 'node:fs';
import * as module from 'node:module';
import { dirname, join } from 'node:path';

interface Options {
  readonly loader: 'ts' | 'tsx' | 'js';
  readonly format: 'esm' | 'cjs';
  readonly target: string;
  readonly sourcemap: 'inline';
  readonly sourcefile: string;
  readonly tsconfigRaw?: string;
}

interface Esbuild {
  transform(code: string, options: Options): Promise<{ code: string }>;
  transformSync(code: string, options: Options): { code: string };
}

/** Versions of Node since 22.13 have this. */
type Strip = (code: string, options: { mode: 'transform'; sourceMap: true; sourceUrl: string }) => string;

/** The module in JavaScript. The map at its end, if there is one, is carried on. */
export async function withoutTypes(code: string, file: string): Promise<string> {
  const esbuild = esbuildFor(file);
  if (esbuild !== undefined) {
    return (await esbuild.transform(code, optionsFor(file, 'ts', 'esm'))).code;
  }
  const { stripTypeScriptTypes } = module as unknown as { stripTypeScriptTypes?: Strip };
  if (stripTypeScriptTypes !== undefined) {
    return stripTypeScriptTypes(code, { mode: 'transform', sourceMap: true, sourceUrl: file });
  }
  throw new Error(
    `${file} is TypeScript, which Node ${process.versions.node} cannot run by itself. ` +
      'Install esbuild (npm install --save-dev esbuild), or use Node 22.18 or later.',
  );
}

/** A module as CommonJS, which esbuild alone can make of it; undefined where there is none. */
export function asCommonJs(code: string, file: string): string | undefined {
  const loader = /\.[cm]?ts$/.test(file) ? 'ts' : /x$/.test(file) ? 'tsx' : 'js';
  return esbuildFor(file)?.transformSync(code, optionsFor(file, loader, 'cjs')).code;
}

function optionsFor(file: string, loader: Options['loader'], format: Options['format']): Options {
  const target = `node${process.versions.node}`;
  return { loader, format, target, sourcemap: 'inline', sourcefile: file, tsconfigRaw: tsconfigFor(file) };
}

function esbuildFor(file: string): Esbuild | undefined {
  for (const from of [file, import.meta.url]) {
    try {
      return module.createRequire(from)('esbuild') as Esbuild;
    } catch {
      // Not installed there.
    }
  }
  return undefined;
}

/** Of the nearest configuration: it says which decorators are meant, among other things. */
function tsconfigFor(file: string): string | undefined {
  for (let folder = dirname(file); ; folder = dirname(folder)) {
    const place = join(folder, 'tsconfig.json');
    if (existsSync(place)) return readFileSync(place, 'utf8');
    if (dirname(folder) === folder) return undefined;
  }
}
