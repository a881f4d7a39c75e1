/** What an import in a program refers to. */
import { existsSync, readFileSync, statSync } from 'node:fs';
import { createRequire, isBuiltin } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { ENDINGS, languageOf } from '../compiler/language.ts';

export type Resolved =
  /** Another file of the program, to be compiled. */
  | { readonly kind: 'program'; readonly file: string }
  /** A host module, to be imported as it is. */
  | { readonly kind: 'host'; readonly url: string };

/** Resolves an import of the program file `from`; undefined if there is no such module. */
export function resolveImport(specifier: string, from: string): Resolved | undefined {
  if (isBuiltin(specifier)) return { kind: 'host', url: specifier };
  if (specifier.startsWith('file:')) return classify(fileURLToPath(specifier));
  if (/^\.{0,2}\//.test(specifier)) {
    const file = existing(resolve(dirname(from), specifier));
    return file === undefined ? undefined : classify(file);
  }
  const file = packageFile(specifier, from);
  return file === undefined ? undefined : { kind: 'host', url: pathToFileURL(file).href };
}

function classify(file: string): Resolved {
  return languageOf(file) === undefined ? { kind: 'host', url: pathToFileURL(file).href } : { kind: 'program', file };
}

/** The file itself, or with an ending; `./a.js` may also mean `./a.ts`, as in TypeScript. */
function existing(path: string): string | undefined {
  const candidates = [path, ...ENDINGS.map((ending) => path + ending), path.replace(/\.js$/, '.ts')];
  return candidates.find((candidate) => existsSync(candidate) && statSync(candidate).isFile());
}

function packageFile(specifier: string, from: string): string | undefined {
  try {
    return createRequire(from).resolve(specifier);
  } catch {
    return moduleOnlyPackage(specifier, from);
  }
}

/** Packages that offer nothing to `require`: what their package.json exports to `import`. */
function moduleOnlyPackage(specifier: string, from: string): string | undefined {
  const [, name, rest] = /^((?:@[^/]+\/)?[^/]+)(.*)$/.exec(specifier) as RegExpExecArray;
  for (let folder = dirname(from); ; folder = dirname(folder)) {
    const home = join(folder, 'node_modules', name);
    if (existsSync(join(home, 'package.json'))) {
      const { exports } = JSON.parse(readFileSync(join(home, 'package.json'), 'utf8'));
      const target = exportTarget(exports, `.${rest}`);
      return target === undefined ? undefined : join(home, target);
    }
    if (dirname(folder) === folder) return undefined;
  }
}

const CONDITIONS = ['node', 'import', 'default'];

function exportTarget(exports: unknown, path: string): string | undefined {
  if (typeof exports === 'string') return exports;
  if (typeof exports !== 'object' || exports === null) return undefined;
  const table = exports as Record<string, unknown>;
  if (path in table) return exportTarget(table[path], path);
  for (const condition of CONDITIONS) {
    if (condition in table) return exportTarget(table[condition], path);
  }
  return undefined;
}
