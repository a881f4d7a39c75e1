/** How Node finds and loads modules once `waymark/register` is in force. They run in a thread of Node's own. */
import { readFileSync, statSync } from 'node:fs';
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { CompileError } from '../compiler/diagnostics.ts';
import { compileModule, isCompiled, UnreadableModule } from '../modules/compile-module.ts';
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
  try {
    const { code, map } = await compileModule(text, { file, id: relative(process.cwd(), file).replaceAll('\\', '/') });
    const encoded = Buffer.from(JSON.stringify({ ...map, sources: [file] })).toString('base64');
    const mapped = `${code}\n//# sourceMappingURL=data:application/json;base64,${encoded}\n`;
    return TYPESCRIPT.test(file) ? await withoutTypes(mapped, file) : mapped;
  } catch (thrown) {
    if (thrown instanceof UnreadableModule) {
      process.emitWarning(thrown.message);
      return TYPESCRIPT.test(file) ? withoutTypes(text, file) : text;
    }
    if (!(thrown instanceof CompileError)) throw thrown;
    const { message, hint, line, column } = thrown;
    throw new SyntaxError(`${file}:${line}:${column}: ${message}${hint === undefined ? '' : ` ${hint}`}`);
  }
}
