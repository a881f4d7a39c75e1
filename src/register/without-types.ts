/** TypeScript as JavaScript: by Node, esbuild or TypeScript, whichever is there. */

import { existsSync, readFileSync } from 'node:fs';
import * as module from 'node:module';
import { dirname, join } from 'node:path';

interface Esbuild {
  transform(
    code: string,
    options: {
      loader: 'ts';
      format: 'esm';
      target: string;
      sourcemap: 'inline';
      sourcefile: string;
      tsconfigRaw?: string;
    },
  ): Promise<{ code: string }>;
}

/** Versions of Node since 22.13 have this. */
type Strip = (code: string, options: { mode: 'transform'; sourceMap: true; sourceUrl: string }) => string;

/** The module in JavaScript. The map at its end, if there is one, is carried on. */
export async function withoutTypes(code: string, file: string): Promise<string> {
  const esbuild = esbuildFor(file);
  if (esbuild !== undefined) {
    const options = { loader: 'ts', format: 'esm', sourcemap: 'inline', sourcefile: file } as const;
    const target = `node${process.versions.node}`;
    return (await esbuild.transform(code, { ...options, target, tsconfigRaw: tsconfigFor(file) })).code;
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
