/** Modules of apps, compiled: what the plugins for bundlers and `waymark/register` do. */
import { type CompileError, compileApp, prepareParser, UnreadableModule } from '../compiler/compile.ts';
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

export const RUNTIME = 'waymark/compiled';
export const GRADIENTS = 'waymark/gradients';
export const COLUMNS = 'waymark/columns';

/** An import of the library, also for its effects alone: `import 'waymark'` has a module compiled that needs nothing of it. */
const IMPORTS_LIBRARY = /(?:^|[;\s}])(?:import|from)\s*['"]waymark(?:\/webppl)?['"]/;

/** What is imported for its types alone is not there when the module runs. */
const TYPES_ALONE = /\b(?:import|export)\s+type\b[^;'"]*from\s*['"]waymark(?:\/webppl)?['"]/g;

/** Files that may be modules of an app. */
const MODULE_FILE = /\.(?:[cm]?[jt]s|[jt]sx)$/;

/** Whether a module is compiled. */
export function isCompiled(file: string, text: string): boolean {
  if (file.endsWith('.wppl')) return true;
  return MODULE_FILE.test(file) && !file.endsWith('.d.ts') && IMPORTS_LIBRARY.test(text.replace(TYPES_ALONE, ''));
}

/** Compiles a module that imports from `waymark`, or a `.wppl` program. What is not compiled of TypeScript stays TypeScript. */
export async function compileModule(text: string, options: CompileModuleOptions): Promise<CompiledModule> {
  const { file, id = file } = options;
  const firstSite = siteOf(id);
  if (file.endsWith('.wppl')) return wpplModule(text, file, id, firstSite);
  await prepareParser('ts');
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
export function siteOf(id: string): number {
  let hash = 0;
  for (let i = 0; i < id.length; i++) hash = (Math.imul(hash, 31) + id.charCodeAt(i)) | 0;
  return ((hash >>> 0) % (2 ** 17 - 1)) * 2 ** 13 + 1;
}

export { type CompileError, UnreadableModule };
