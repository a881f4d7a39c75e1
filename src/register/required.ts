/** Modules that import from `waymark`, and are loaded by `require`: those of tsx and others, in projects of CommonJS. */
import { readFileSync } from 'node:fs';
import Module, { createRequire } from 'node:module';
import { dirname } from 'node:path';
import { isCompiled } from '../modules/is-compiled.ts';
import { asImports } from './as-imports.ts';
import type { compileRequired } from './compile-required.ts';

/** What a module of CommonJS has that Node does not document; tsx, ts-node and their like rely on it too. */
interface Loading {
  filename: string;
  paths: string[];
  loaded: boolean;
  _compile(code: string, file: string): unknown;
}

type Load = (this: Loading, file: string) => void;

interface Inner {
  readonly prototype: { load: Load };
  _nodeModulePaths(folder: string): string[];
}

const OWN_FILE = /^(?!.*[\\/]node_modules[\\/]).*\.(?:[cm]?[jt]s|[jt]sx|wppl)$/s;

/** The compiler is large: it is loaded when the first such module is met. */
const compiler = (): { compileRequired: typeof compileRequired } =>
  createRequire(import.meta.url)('./register-required.js');

/** From now on they are compiled. */
export function compileWhatIsRequired(): void {
  const inner = Module as unknown as Inner;
  const load = inner.prototype.load;
  inner.prototype.load = function (file) {
    const text = OWN_FILE.test(file) ? asImports(readFileSync(file, 'utf8')) : '';
    const code = isCompiled(file, text) ? compiler().compileRequired(text, file) : undefined;
    if (code === undefined) return load.call(this, file);
    this.filename = file;
    this.paths = inner._nodeModulePaths(dirname(file));
    this._compile(code, file);
    this.loaded = true;
  };
}
