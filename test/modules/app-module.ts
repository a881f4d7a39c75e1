/** Runs a module of an app as a bundler would: as it is, or compiled. */
import { transformSync } from 'esbuild';
import * as library from '../../src/index.ts';
import { compileModule } from '../../src/modules/compile-module.ts';
import { link } from '../../src/modules/link.ts';
import * as webppl from '../../src/webppl.ts';
import '../../src/modules/columns.ts';
import '../../src/modules/gradients.ts';

type Exports = Record<string, unknown>;

/** What modules import, besides what a test gives. */
const KNOWN: Readonly<Record<string, object>> = {
  waymark: library,
  'waymark/webppl': webppl,
  'waymark/compiled': { link },
  'waymark/columns': {},
  'waymark/gradients': {},
};

function evaluate(code: string, given: Readonly<Record<string, object>>): Exports {
  const { code: script } = transformSync(code, {
    loader: 'ts',
    format: 'cjs',
    target: 'node20',
    tsconfigRaw: { compilerOptions: { experimentalDecorators: true } },
  });
  const module: { exports: Exports } = { exports: {} };
  const require = (name: string): object => {
    const found = given[name] ?? KNOWN[name];
    if (found === undefined) throw new Error(`There is no module ${name}.`);
    return found;
  };
  new Function('module', 'exports', 'require', script)(module, module.exports, require);
  return module.exports;
}

export const asItIs = (text: string, given = {}): Exports => evaluate(text, given);

let count = 0;

export async function compiled(text: string, given = {}, file = `app${count++}.ts`): Promise<Exports> {
  const { code } = await compileModule(text, { file });
  return evaluate(code, given);
}
