/** How Node finds and loads modules once `waymark/register` is in force. They run in a thread of Node's own. */
import { readFileSync, statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { compileModule } from '../modules/compile-module.ts';
import { isCompiled } from '../modules/is-compiled.ts';
import { complaint, idOf, withMap } from './compiling.ts';
import { withoutTypes } from './without-types.ts';

interface Resolution {
  readonly url: string;
  readonly format?: string | null;
  readonly shortCircuit?: boolean;
}

interface Loaded {
  readonly format: string;
  readonly source?: string | ArrayBuffer | Uint8Array;
  readonly shortCircuit?: boolean;
}

interface Context {
  readonly parentURL?: string;
  readonly format?: string | null;
}

type Resolve = (specifier: string, context: Context) => Promise<Resolution>;
type Load = (url: string, context: Context) => Promise<Loaded>;

const TYPESCRIPT = /\.[cm]?ts$/;

/** `./model.js` may mean `./model.ts`, as in TypeScript, and `./model` either. */
export async function resolve(specifier: string, context: Context, next: Resolve): Promise<Resolution> {
  const { parentURL } = context;
  if (!/^\.{1,2}\//.test(specifier) || !parentURL?.startsWith('file:')) return next(specifier, context);
  const isThere = (name: string): boolean => isFile(new URL(name, parentURL));
  if (isThere(specifier)) return next(specifier, context);
  const typescript = specifier.replace(/\.([cm]?)js$/, '.$1ts');
  const others = [typescript, ...ENDINGS.map((ending) => `${specifier.replace(/\/$/, '')}${ending}`)];
  return next(others.find(isThere) ?? specifier, context);
}

/** What may be left out of a specifier, as bundlers and older settings of TypeScript allow. */
const ENDINGS = ['.ts', '.js', '.mts', '.mjs', '/index.ts', '/index.js'];

const isFile = (url: URL): boolean => statSync(url, { throwIfNoEntry: false })?.isFile() === true;

export async function load(url: string, context: Context, next: Load): Promise<Loaded> {
  if (!url.startsWith('file:') || url.includes('/node_modules/')) return next(url, context);
  const file = fileURLToPath(url.replace(/[?#].*$/, ''));
  if (!/\.(?:[cm]?[jt]s|wppl)$/.test(file)) return next(url, context);
  const text = readFileSync(file, 'utf8');
  if (isCompiled(file, text)) return { format: 'module', source: await compiled(text, file), shortCircuit: true };
  if (!TYPESCRIPT.test(file)) return next(url, context);
  try {
    return await next(url, context);
  } catch (error) {
    // Older versions of Node know nothing of TypeScript.
    if ((error as NodeJS.ErrnoException).code !== 'ERR_UNKNOWN_FILE_EXTENSION') throw error;
    return { format: 'module', source: await withoutTypes(text, file), shortCircuit: true };
  }
}

async function compiled(text: string, file: string): Promise<string> {
  let code = text;
  try {
    code = withMap(await compileModule(text, { file, id: idOf(file) }), file);
  } catch (thrown) {
    complaint(thrown, file);
  }
  return TYPESCRIPT.test(file) ? withoutTypes(code, file) : code;
}
