/** Chunks of the build as a module and a script, and code that is kept for scripts. */
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { divided } from '../../build/kept-code-plugin.ts';
import { withCopies } from '../../build/own-text-plugin.ts';
import { canStore, sealed, store, unsealed, userFolder } from '../../src/cli/v8/code-store.ts';
import { root } from './built.ts';
import { Command } from './command.ts';

const CHUNK = `import { a as one, b } from "./other.js";
import fs from "node:fs";
import * as zlib from "node:zlib";
const here = import.meta.url;
class Importer { import(x) { return x; } }
async function later() { return (await import("./other.js")).a; }
const sum = one + b;
export { sum as $, here as t, later, Importer };
`;

describe('a chunk in two', () => {
  test('exports what it did', async () => {
    const { module, script } = divided(CHUNK, './chunk.js');
    expect(module).toContain('const { "$": $0, "t": $1, "later": $2, "Importer": $3 } = chunk(\'./chunk.js\');');
    expect(module).toContain('export { $0 as $, $1 as t, $2 as later, $3 as Importer };');
    const { imports, run } = new Function(`return ${script}`)();
    expect(imports).toEqual([
      ['./other.js', ['a', 'b']],
      ['node:fs', ['default']],
      ['node:zlib', ['*']],
    ]);
    const { $, t, later, Importer } = run(1, 2, null, null, { url: 'here' }, async (name: string) => ({ a: name }));
    expect([$, t, await later(), new Importer().import(5)]).toEqual([3, 'here', './other.js', 5]);
  });

  test('is plain ASCII, and means the same', () => {
    const { script } = divided(
      "const x = ['é…', `–😀`, /^[–…]$/.test('…'), /^😀$/u.test('😀')];\n// é\nexport { x };",
      './x.js',
    );
    expect([...script].every((unit) => unit.charCodeAt(0) < 128)).toBe(true);
    expect(new Function(`return ${script}`)().run().x).toEqual(['é…', '–😀', true, true]);
  });

  test('is refused where that would not be the same', () => {
    expect(() => divided('let count = 0;\nexport { count as t };', './x.js')).toThrow(
      './x.js: the export count may change',
    );
    expect(() => divided('await 1;\nconst x = 1;\nexport { x };', './x.js')).toThrow(SyntaxError);
    expect(() => divided('export const x = 1;', './x.js')).toThrow('only lists of exports are understood');
  });
});

describe('copies of a function', () => {
  test('are written out where the source asks for them', () => {
    const text = withCopies('function make(x) { return x + 1; }\nconst copies = writtenOut(make);');
    const copies: ((x: number) => number)[] = new Function(`${text}; return copies;`)();
    expect(new Set(copies).size).toBe(copies.length);
    expect(copies.length).toBeGreaterThan(1);
    expect(copies.map((copy) => copy(2))).toEqual(copies.map(() => 3));
    expect(() => withCopies('const copies = writtenOut(make);')).toThrow('writtenOut(make): there is no function');
  });
});

describe('a file of compiled code', () => {
  const source = Buffer.from('(function() { return 1; })');
  const code = Buffer.from(Array.from({ length: 300 }, (_, i) => (i * 37) % 251));
  const file = sealed(source, code);

  test('is taken up for the source it was compiled from', () => {
    expect(unsealed(file, source)).toEqual({ code, words: 0 });
    expect(unsealed(sealed(source, code, 2 ** 31 + 5), source)).toEqual({ code, words: 2 ** 31 + 5 });
    expect(unsealed(file, Buffer.from('(function() { return 2; })'))).toBeUndefined();
    expect(unsealed(file, source.subarray(1))).toBeUndefined();
  });

  test('is not if any byte is another, or any is missing or too many', () => {
    for (let i = 0; i < file.length; i++) {
      for (const bit of [1, 0x80]) {
        const changed = Buffer.from(file);
        changed[i] ^= bit;
        expect(unsealed(changed, source)).toBeUndefined();
      }
      expect(unsealed(file.subarray(0, i), source)).toBeUndefined();
    }
    expect(unsealed(Buffer.concat([file, Buffer.alloc(1)]), source)).toBeUndefined();
    expect(unsealed(Buffer.concat([file, file]), source)).toBeUndefined();
  });
});

describe("the user's folder", () => {
  test.skipIf(process.platform !== 'linux')('is where the environment says', () => {
    expect(userFolder({ WAYMARK_CACHE: '/a' })).toBe('/a');
    expect(userFolder({ WAYMARK_CACHE: 'off' })).toBeUndefined();
    expect(userFolder({ XDG_CACHE_HOME: '/b' })).toBe('/b/waymark');
    // As the convention has it, a relative one is left alone.
    expect(userFolder({ XDG_CACHE_HOME: 'b' })).toMatch(/\/\.cache\/waymark$/);
  });

  test('holds so many files and no more', () => {
    const folder = mkdtempSync(join(tmpdir(), 'waymark-code-'));
    const files = new Map(Array.from({ length: 80 }, (_, i) => [`${i}`, Buffer.alloc(1)]));
    expect(canStore(join(folder, 'inner'), 0o700)).toBe(true);
    store(join(folder, 'inner'), files);
    expect(readdirSync(join(folder, 'inner'))).toHaveLength(64);
    writeFileSync(join(folder, 'file'), '');
    expect(canStore(join(folder, 'file'), 0o700)).toBe(false);
    rmSync(folder, { recursive: true });
  });
});

describe('the command', () => {
  let waymark: Command;
  beforeAll(() => {
    waymark = new Command('kept-code');
    waymark.write(
      'p.wppl',
      "var d = Infer({method: 'enumerate', model() { return flip(0.5) + flip(0.5); }}); d.score(1)",
    );
  });
  afterAll(() => waymark.remove());

  const kept = (): string[] => readdirSync(waymark.cache).sort();
  const right = { code: 0, stdout: `${Math.log(0.5)}\n`, stderr: '' };
  const run = () => waymark.run('run', 'p.wppl', '--seed', '1');

  test('keeps what its first run compiles, and takes it up', async () => {
    expect(await run()).toEqual(right);
    const names = kept();
    expect(names.length).toBeGreaterThan(0);
    const times = () => names.map((name) => statSync(join(waymark.cache, name)).mtimeMs);
    const before = times();
    expect(await run()).toEqual(right);
    expect(kept()).toEqual(names);
    expect(times()).toEqual(before);
  });

  test('takes it up after a run that has set V8 up otherwise', async () => {
    const forward = waymark.with({ WAYMARK_CACHE: join(waymark.home, 'cache-forward') });
    waymark.write(
      'forward.wppl',
      "Infer({method: 'forward', samples: 5000, model() { return flip(0.5) && flip(0.5); }}); 1",
    );
    const times = () =>
      readdirSync(join(waymark.home, 'cache-forward')).map(
        (name) => statSync(join(waymark.home, 'cache-forward', name)).mtimeMs,
      );
    await forward.run('run', 'forward.wppl', '--seed', '1');
    const before = times();
    expect(before.length).toBeGreaterThan(0);
    await forward.run('run', 'forward.wppl', '--seed', '1');
    expect(times()).toEqual(before);
  });

  test('keeps it again when a program does what none has done, once', async () => {
    const names = kept();
    const times = () => names.map((name) => statSync(join(waymark.cache, name)).mtimeMs);
    waymark.write(
      'q.wppl',
      "var d = Infer({method: 'enumerate', model() { var f = mem(flip); return f(0.5) + f(0.5); }}); d.score(2)",
    );
    const again = () => waymark.run('run', 'q.wppl', '--seed', '1');
    const before = times();
    expect(await again()).toEqual(right);
    const after = times();
    expect(after).not.toEqual(before);
    expect(await again()).toEqual(right);
    expect(await run()).toEqual(right);
    expect(times()).toEqual(after);
  });

  test('keeps code of lodash, which is the one that modules are given, and mends it', async () => {
    const cache = join(waymark.home, 'cache-lodash');
    const own = waymark.with({ WAYMARK_CACHE: cache });
    const lodash = join(root, 'node_modules/lodash/lodash.js');
    waymark.write('module.cjs', `module.exports = require(${JSON.stringify(lodash)});`);
    waymark.write('lodash.wppl', "var given = require('./module.cjs');\n[given === _, _.chunk([1, 2, 3], 2)]");
    const keptOf = () => readdirSync(cache).filter((name) => name.startsWith('lodash.js.'));
    const headers = new Set<string>();
    for (const damaged of [false, false, true]) {
      if (damaged) for (const name of keptOf()) writeFileSync(join(cache, name), 'not what V8 expects');
      const { stdout } = await own.run('run', 'lodash.wppl');
      expect(stdout).toBe('[true, [[1, 2], [3]]]\n');
      expect(keptOf()).toHaveLength(1);
      headers.add(readFileSync(join(cache, keptOf()[0])).subarray(0, 16).toString('hex'));
    }
    expect(headers.size).toBe(1);
  });

  /** What becomes of a file of compiled code; its number is that among all. */
  const DAMAGE: readonly (readonly [string, (content: Buffer, place: number, all: readonly Buffer[]) => Buffer])[] = [
    ['is empty', () => Buffer.alloc(0)],
    ['is text', () => Buffer.from('not what V8 expects')],
    ['ends early', (content) => content.subarray(0, content.length / 2)],
    ['has one bit changed', (content, place) => withByte(content, 100 + 997 * place, (byte) => byte ^ 4)],
    ['has zeros in it', (content) => Buffer.from(content).fill(0, 1000, content.length >> 1)],
    ['has another header', (content) => withByte(content, 8, (byte) => byte ^ 1)],
    ['is that of another script', (_, place, all) => all[(place + 1) % all.length]],
    ['is from the V8 of nobody', (content) => Buffer.concat([content.subarray(0, 32), Buffer.alloc(2000, 7)])],
  ];

  const withByte = (content: Buffer, at: number, change: (byte: number) => number): Buffer => {
    const copy = Buffer.from(content);
    copy[at % copy.length] = change(copy[at % copy.length]);
    return copy;
  };

  test.each(DAMAGE)('gives the right result, and mends the file, where it %s', async (_, damage) => {
    const places = kept().map((name) => join(waymark.cache, name));
    const sound = places.map((place) => readFileSync(place));
    for (const [i, place] of places.entries()) writeFileSync(place, damage(sound[i], i, sound));
    expect(await run()).toEqual(right);
    const headers = (files: readonly Buffer[]) => files.map((file) => file.subarray(0, 16));
    expect(headers(places.map((place) => readFileSync(place)))).toEqual(headers(sound));
  });

  test('runs a source that was edited, and is as long as before', async () => {
    const dist = join(waymark.home, 'dist');
    const script = readdirSync(dist).find(
      (name) => name.endsWith('.script.js') && readFileSync(join(dist, name), 'utf8').includes('needs a model'),
    );
    const text = readFileSync(join(dist, script ?? ''), 'utf8');
    writeFileSync(join(dist, script ?? ''), text.replaceAll('needs a model', 'NEEDS A MODEL'));
    waymark.write('wrong.wppl', "Infer({method: 'enumerate'})");
    const { stderr } = await waymark.run('run', 'wrong.wppl');
    writeFileSync(join(dist, script ?? ''), text);
    expect(stderr).toContain('Infer NEEDS A MODEL');
  });

  test('takes up what the build has kept, and keeps nothing of its own then', async () => {
    rmSync(waymark.cache, { recursive: true });
    process.env.WAYMARK_KEEP_CODE = 'yes';
    expect(await run()).toEqual(right);
    delete process.env.WAYMARK_KEEP_CODE;
    expect(existsSync(waymark.cache)).toBe(false);
    expect(await run()).toEqual(right);
    expect(existsSync(waymark.cache)).toBe(false);
    rmSync(join(waymark.home, 'dist/kept'), { recursive: true });
    await run();
  });

  test('gives the same without what is done for V8, and keeps nothing then', async () => {
    rmSync(waymark.cache, { recursive: true });
    const without = waymark.with({ WAYMARK_WITHOUT: 'kept-code,flags,wasm-tiers,own-text,call-apart' });
    expect(await without.run('run', 'p.wppl', '--seed', '1')).toEqual(right);
    expect(existsSync(waymark.cache)).toBe(false);
    await run();
  });

  test('does without a folder to keep code in', async () => {
    rmSync(waymark.cache, { recursive: true });
    writeFileSync(waymark.cache, 'a file');
    expect(await run()).toEqual(right);
    rmSync(waymark.cache);
  });

  test('may be started many times at once', async () => {
    expect(await Promise.all(Array.from({ length: 4 }, run))).toEqual([right, right, right, right]);
    expect(kept().filter((name) => name.endsWith('.draft'))).toEqual([]);
    expect(await run()).toEqual(right);
  });
});
