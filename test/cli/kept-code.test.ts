/** Chunks of the build as a module and a script, and code that is kept for scripts. */
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, describe, expect, test, vi } from 'vitest';
import { divided } from '../../build/kept-code-plugin.ts';

const CHUNK = `import { a as one, b } from "./other.js";
import fs from "node:fs";
const here = import.meta.url;
class Importer { import(x) { return x; } }
async function later() { return (await import("./other.js")).a; }
const sum = one + b;
export { sum as $, here as t, later, Importer };
`;

describe('a chunk in two', () => {
  test('exports what it did', async () => {
    const { module, script } = divided(CHUNK, 'chunk.script.js');
    expect(module).toContain('import { a as one, b } from "./other.js";\nimport fs from "node:fs";\n');
    expect(module).toContain("load(new URL('./chunk.script.js', import.meta.url))(one, b, fs, import.meta,");
    expect(module).toContain('export { $0 as $, $1 as t, $2 as later, $3 as Importer };');
    const run = new Function(`return ${script}`)();
    const [sum, here, later, Importer] = run(1, 2, null, { url: 'here' }, async (name: string) => ({ a: name }));
    expect([sum, here, await later(), new Importer().import(5)]).toEqual([3, 'here', './other.js', 5]);
  });

  test('is refused where that would not be the same', () => {
    expect(() => divided('let count = 0;\nexport { count as t };', 'x.js')).toThrow(
      'x.js: the export count may change',
    );
    expect(() => divided('await 1;\nconst x = 1;\nexport { x };', 'x.js')).toThrow(SyntaxError);
    expect(() => divided('export const x = 1;', 'x.js')).toThrow('only lists of exports are understood');
  });
});

describe('kept code', () => {
  const folder = mkdtempSync(join(tmpdir(), 'waymark-code-'));
  const script = pathToFileURL(join(folder, 'f.script.js'));
  afterAll(() => rmSync(folder, { recursive: true }));
  const kept = (): string[] => readdirSync(folder).filter((name) => name.startsWith('f.script.js.'));

  /** The loader as in a process of its own, which is the build's or not. */
  async function loaderOf(build: boolean) {
    vi.resetModules();
    vi.stubEnv('WAYMARK_KEEP_CODE', build ? 'yes' : '');
    try {
      return await import('../../src/cli/kept-code.ts');
    } finally {
      vi.unstubAllEnvs();
    }
  }

  test('is written only for the build, read again, and not needed', async () => {
    writeFileSync(script, '(function(a) { function twice() { return 2 * a; } return [twice()]; })');
    const user = await loaderOf(false);
    expect(user.load(script)(21)).toEqual([42]);
    user.keep();
    expect(kept()).toEqual([]);
    const exits = process.listeners('exit');
    const builder = await loaderOf(true);
    for (const listener of process.listeners('exit')) if (!exits.includes(listener)) process.off('exit', listener);
    expect(builder.load(script)(21)).toEqual([42]);
    builder.keep();
    expect(kept()).toHaveLength(1);
    expect(user.load(script)(21)).toEqual([42]);
    writeFileSync(join(folder, kept()[0]), 'not what V8 expects');
    expect(user.load(script)(21)).toEqual([42]);
  });
});
