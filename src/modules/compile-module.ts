/** Modules of apps, compiled: what the plugins for bundlers and `waymark/register` do. */
import { type CompileError, compileApp, prepareParser, UnreadableModule, useTypescript } from '../compiler/compile.ts';
import type { StandardMap } from '../compiler/emit/source-map.ts';
import { libraryNames } from '../program/scope.ts';
import { appMethodNames } from './app-methods.ts';
import { wpplModule } from './wppl-module.ts';

export interface CompiledModule {
  readonly code: string;
  readonly map: StandardMap;
}

/** How modules are compiled. */
export interface CompileModuleOptions {
  /** What errors and source maps call it. */
  readonly file: string;
  /** What call sites are numbered by: the same wherever the app lies. The file, if absent. */
  readonly id?: string;
}

const RUNTIME = 'waymark/compiled';
const GRADIENTS = 'waymark/gradients';
const COLUMNS = 'waymark/columns';

/** Compiles a module that imports from `waymark`, or a `.wppl` program. What is not compiled of TypeScript stays TypeScript. */
export async function compileModule(text: string, options: CompileModuleOptions): Promise<CompiledModule> {
  await prepareParser('ts');
  return compileModuleNow(text, options);
}

/** The same for callers that cannot wait: the parser must be loaded (`prepareParser`, `useTypescript`). */
export function compileModuleNow(text: string, options: CompileModuleOptions): CompiledModule {
  const { file, id = file } = options;
  const firstSite = siteOf(id);
  if (file.endsWith('.wppl')) return wpplModule(text, file, id, firstSite);
  const { code, map } = compileApp(text, {
    file,
    id,
    language: /\.[cm]?jsx?$/.test(file) ? 'js' : 'ts',
    markup: /x$/.test(file),
    library: libraryNames,
    firstSite,
    methods: appMethodNames,
    linking: { runtime: RUNTIME, gradients: GRADIENTS, columns: COLUMNS },
  });
  return { code, map: map.standard() };
}

/** Numbers that are small integers, which engines compare quickly; modules have some 8,000 each. */
function siteOf(id: string): number {
  let hash = 0;
  for (let i = 0; i < id.length; i++) hash = (Math.imul(hash, 31) + id.charCodeAt(i)) | 0;
  return ((hash >>> 0) % (2 ** 17 - 1)) * 2 ** 13 + 1;
}

export { type CompileError, UnreadableModule, useTypescript };
