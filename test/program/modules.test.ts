import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { CompileError } from '../../src/compiler/diagnostics.ts';
import { loadProgram } from '../../src/program/load.ts';
import { quietRun } from './quiet-run.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'waymark-modules-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

/** Writes files and runs the first of them. */
async function runFiles(files: Record<string, string>): Promise<unknown> {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  const program = await loadProgram(join(folder, Object.keys(files)[0]));
  return program.run(quietRun());
}

async function failure(files: Record<string, string>): Promise<CompileError> {
  const thrown = await runFiles(files).then(
    () => undefined,
    (error) => error,
  );
  expect(thrown).toBeInstanceOf(CompileError);
  return thrown;
}

describe('modules', () => {
  test('the default export is the value, and the library is imported by name', async () => {
    expect(
      await runFiles({
        'a.ts': `import { sample, Bernoulli as Coin, map, type Distribution } from 'waymark';
          const dist: Distribution<boolean> = Coin({ p: 1 });
          export default map((x: number): boolean => sample(dist) && x > 1, [1, 2]);`,
      }),
    ).toEqual([false, true]);
  });

  test('the whole library as one object, and the store', async () => {
    expect(
      await runFiles({
        'b.js': `import * as w from 'waymark';
          import { globalStore as store, sum } from 'waymark';
          store.n = 1; store.n += 4; w.globalStore.m = 2;
          const names = Object.keys(w);
          export default [w.sum([1, 2]), sum([3]), store.n, w.globalStore.m, store.m, names.includes('Gaussian')];`,
      }),
    ).toEqual([3, 3, 5, 2, 2, true]);
  });

  test('TypeScript leaves nothing behind', async () => {
    expect(
      await runFiles({
        'types.ts': `import type { Shape } from './nowhere.ts';
          import { type Other, Third } from './also-nowhere.ts';
          export type { Shape };
          interface Point<T = number> { x: T; y?: T }
          type Pair<A, B> = [A, B];
          declare const ghost: number;
          declare function spirit(x: number): string;
          function f(x: number): number;
          function f(x: string): string;
          function f(x: any): any { return x; }
          const id = <T,>(x: T): T => x;
          const p = { x: 1 } satisfies Point;
          let later!: number;
          later = (id<number>(2) as unknown as number)! + f(3);
          const [a, b]: Pair<number, string> = [1, 'b'];
          const opt = (x?: { deep: { n: number } }): number | undefined => x?.deep!.n;
          function assertIs(x: unknown): asserts x is number {}
          assertIs(3);
          const m = new Map<string, number>([['k', 1]]);
          const third: Third | Other | null = null;
          const as = 1, type = 2;
          for (const q of [1, 2] as const) later += q;
          export default { p, later, a, b, o: opt({ deep: { n: 9 } }), m: m.get('k'), third, sum: as + type, t: <number>5 };`,
      }),
    ).toEqual({ p: { x: 1 }, later: 8, a: 1, b: 'b', o: 9, m: 1, third: null, sum: 3, t: 5 });
  });

  test('TypeScript in odd places', async () => {
    expect(
      await runFiles({
        'odd-types.ts': `export interface Public { n: number }
          export type Alias = Public & { readonly [key: string]: unknown };
          export declare const ambient: number;
          declare namespace Ghost { const x: number }
          declare global { interface Array<T> { ghost: T } }
          declare class Spectre { haunt(): void }
          declare enum Shade { Dark }
          const o = { n: 1, m: { k: [1, 2] } } as Alias & { m: { k: number[] } };
          (o as { n: number }).n = 5;
          o!.n += 2;
          (o.n as number)++;
          o.m!.k![0] *= 3;
          let a: number, b: number;
          [a as any, b] = [1, 2];
          ({ n: (a as any) } = o);
          const fn = function <T extends Public>(this_: T, { n }: Public = { n: 1 }, ...rest: readonly number[]): n is never { return n + rest.length as never; };
          const methods = { get size(): number { return 3; }, f<T>(x: T): T { return x; }, async: 1, of: 2 };
          abstractly(<any>[1]);
          function abstractly<const T>(x: T): void {}
          const opt = (x: number, y?: number): string => \`\${x}\${y ?? ''}\`;
          label: for (const x of [1, 2] satisfies number[]) { if (x === 1) continue label; }
          let u: Odd | undefined;
          type Odd = number;
          const tuple: [first: number, second?: string] = [1];
          const g = fn<Public>;
          export { a, type Alias as Renamed };
          export default [o.n, o.m.k, a, b, fn(o, o, 1, 2), methods.size, methods.f<string>('x'), opt(1), tuple, typeof g, u];`,
      }),
    ).toEqual([8, [3, 2], 8, 2, 10, 3, 'x', '1', [1], 'function', undefined]);
  });

  test('all forms of export and import', async () => {
    expect(
      await runFiles({
        'main.ts': `import def, { one, two as zwei, count, next, 'odd name' as odd } from './lib.ts';
          import * as all from './lib';
          import { passed, inner, lib3 } from './pass.js';
          const before = count; next(); next();
          export default [def(1), one, zwei, odd, before, count, all.count, passed, inner.one, lib3, Object.keys(all).sort()];`,
        'lib.ts': `export const one = 1; const b = 2; export { b as two, b as 'odd name' };
          export let count = 0; export function next() { count++; }
          export default function (x: number) { return x + 1; }`,
        'pass.js': `export { one as passed } from './lib.ts'; export * as inner from './lib.ts'; export * from './lib3.js';`,
        'lib3.js': `export const lib3 = 'three'; export default 5;`,
      }),
    ).toEqual([2, 1, 2, 2, 0, 2, 2, 1, 1, 'three', ['count', 'default', 'next', 'odd name', 'one', 'two']]);
  });

  test('exports under other names, and taken apart', async () => {
    expect(
      await runFiles({
        'taker.js': `import { default as d, a, c, later } from './giver.js'; import again from './giver.js'; export { d as default }; export const x = [a, c, later(), again];`,
        'giver.js': `export const { a, b: [c] } = { a: 1, b: [2] }; const inner = a + c; export { inner as default }; export function later() { return hidden; } var hidden = 4;`,
      }),
    ).toBe(3);
  });

  test('the library can be passed on', async () => {
    expect(
      await runFiles({
        'uses.js': `import { add, product } from './passes-on.js'; export default [add([1, 2]), product([3, 4])];`,
        'passes-on.js': `export { sum as add } from 'waymark'; export * from 'waymark';`,
      }),
    ).toEqual([3, 12]);
  });

  test('names of WebPPL have a module of their own', async () => {
    expect(
      await runFiles({
        'webppl.ts': `import { idF, numeric } from 'waymark/webppl'; import * as w from 'waymark/webppl';
          import { flip, map, sum } from 'waymark'; import { also } from './passes-them-on.js'; import seen from './all.wppl';
          const model = () => flip(1);
          export default [sum(map(idF, [1, 2])), numeric.fact(3), w.Enumerate(model).support(), also(4), seen];`,
        'passes-them-on.js': `export { idF as also } from 'waymark/webppl';`,
        'all.wppl': 'isEven(2) && sum([1])',
      }),
    ).toEqual([3, 6, [true], 4, 1]);
  });

  test('exported variables stay live after export default of a value', async () => {
    expect(await runFiles({ 'live.js': 'let x = 1; export default x; x = 2;' })).toBe(1);
  });

  test('files may import each other', async () => {
    expect(
      await runFiles({
        'even.ts': `import { odd } from './odd.ts';
          export const even = (n: number): boolean => n === 0 || odd(n - 1);
          export default [even(10), even(7)];`,
        'odd.ts': `import { even } from './even.ts'; export const odd = (n: number): boolean => n !== 0 && even(n - 1);`,
      }),
    ).toEqual([true, false]);
  });

  test('a module is run once, before those that import it', async () => {
    expect(
      await runFiles({
        'd1.js': `import { log } from './log.js'; import './d2.js'; import './d3.js'; log.push('d1'); export default log;`,
        'd2.js': `import { log } from './log.js'; import './d3.js'; log.push('d2');`,
        'd3.js': `import { log } from './log.js'; log.push('d3');`,
        'log.js': `export const log = [];`,
      }),
    ).toEqual(['d3', 'd2', 'd1']);
  });

  test('.wppl programs are imported for their value and their declarations', async () => {
    expect(
      await runFiles({
        'user.ts': `import value, { twice, n } from './lib.wppl'; export default [value, twice(n)];`,
        'lib.wppl': `var twice = function(x) { x * 2 }; var n = 4; sum([n, 1])`,
      }),
    ).toEqual([5, 8]);
  });

  test('Node, packages and plain modules', async () => {
    expect(
      await runFiles({
        'host.js': `import { basename } from 'node:path'; import path from 'path'; import pkg, { half } from 'some-package';
          import { plain } from './plain.mjs'; import data from './data.cjs'; import json from './data.json';
          export default [basename('/a/b'), path.extname('c.d'), pkg, half(4), plain(), data.x, require('./data.cjs').x, json];`,
        'data.json': '{"rows": [1, 2]}',
        'plain.mjs': `class Hidden { go() { return 'plain'; } } export const plain = () => new Hidden().go();`,
        'data.cjs': `module.exports = { x: 7 };`,
        'node_modules/some-package/package.json': `{"name": "some-package", "type": "module", "exports": {".": {"import": "./main.js"}}}`,
        'node_modules/some-package/main.js': `export default 'package'; export const half = x => x / 2;`,
      }),
    ).toEqual(['b', '.d', 'package', 2, 'plain', 7, 7, { rows: [1, 2] }]);
  });

  test('a program can be run again from the start', async () => {
    await runFiles({
      'again.js': `import { bump } from './state.js'; export default bump();`,
      'state.js': `let n = 0; export const bump = () => ++n;`,
    });
    const program = await loadProgram(join(folder, 'again.js'));
    expect([program.run(quietRun()), program.run(quietRun())]).toEqual([1, 1]);
  });
});

describe('imports that fail', () => {
  test.each<[string, Record<string, string>, string, number, number]>([
    [
      'a missing file',
      { 'f1.ts': `export default 1;\nimport x from './missing.ts';\nx;` },
      "There is no module './missing.ts'.",
      2,
      15,
    ],
    [
      'a missing package',
      { 'f2.ts': `import x from 'no-such-package';\nx;` },
      "There is no module 'no-such-package'.",
      1,
      15,
    ],
    [
      'a missing name',
      { 'f3.ts': `import { nope } from './f3b.ts';\nnope;`, 'f3b.ts': 'export const a = 1;' },
      "'./f3b.ts' has no export 'nope'.",
      1,
      10,
    ],
    [
      'a missing name of the host',
      { 'f4.ts': `import { nope } from 'node:path';\nnope;` },
      "'node:path' has no export 'nope'.",
      1,
      10,
    ],
    [
      'a module that fails',
      { 'f10.ts': `import x from './f10.mjs';\nx;`, 'f10.mjs': "throw new Error('no luck');" },
      "'./f10.mjs' could not be loaded: no luck",
      1,
      15,
    ],
    [
      'a slip in a library name',
      { 'f5.ts': `import { sampel } from 'waymark';` },
      "'waymark' has no export 'sampel'. Did you mean 'sample'?",
      1,
      10,
    ],
    [
      'a name of WebPPL that is imported from elsewhere',
      { 'f11.ts': `import { idF } from 'waymark';` },
      "'waymark' has no export 'idF'. 'waymark/webppl' has it.",
      1,
      10,
    ],
    [
      'a name that is none of WebPPL’s alone',
      { 'f12.ts': `import { flip } from 'waymark/webppl';` },
      "'waymark/webppl' has no export 'flip'. 'waymark' has it.",
      1,
      10,
    ],
    [
      'a default import of the library',
      { 'f6.ts': `import w from 'waymark';` },
      "'waymark' has no default export.",
      1,
      8,
    ],
    [
      'an error in the imported file',
      { 'f7.ts': `import './f7b.ts';`, 'f7b.ts': 'const x = 1;\nx = 2;' },
      'x is a constant and cannot be assigned to.',
      2,
      1,
    ],
    [
      'an assignment to an import',
      { 'f8.ts': `import { sum } from 'waymark';\nsum = 3;` },
      'sum is imported and cannot be assigned to.',
      2,
      1,
    ],
    ['a library name that is not imported', { 'f9.ts': `export default sum([1]);` }, 'sum is not defined.', 1, 16],
  ])('%s', async (_, files, message, line, column) => {
    const error = await failure(files);
    expect(error.message).toBe(message);
    expect([error.line, error.column]).toEqual([line, column]);
  });
});

describe('require of what is not there', () => {
  test.each<[string, Record<string, string>]>([
    [
      "There is no module 'no-such-package'. npm install no-such-package may help.",
      { 'r1.js': "require('no-such-package');" },
    ],
    [
      "There is no module './missing.cjs'. Paths are relative to the file of the program.",
      { 'r2.js': "require('./missing.cjs');" },
    ],
    [
      "'./r3.cjs' needs 'no-such-package', which is not there. npm install no-such-package may help.",
      { 'r3.js': "require('./r3.cjs');", 'r3.cjs': "require('no-such-package');" },
    ],
  ])('%s', async (message, files) => {
    await expect(runFiles(files)).rejects.toThrow(message);
  });
});
