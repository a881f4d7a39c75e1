/** What `run` and `loadProgram` are given by JavaScript, whose types nobody checks. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { loadProgram, run } from '../../src/program/index.ts';

describe('run', () => {
  test.each<[unknown[], string]>([
    [[], 'run needs the text of a program, got undefined.'],
    [[undefined], 'run needs the text of a program, got undefined.'],
    [[null], 'run needs the text of a program, got null.'],
    [[42], 'run needs the text of a program, got 42.'],
    [[{ code: '1' }], 'run needs the text of a program, got an object with code.'],
    [['1', null], 'run needs its options in an object, got null.'],
    [['1', { seed: Number.NaN }], 'run: seed must be a whole number, got NaN.'],
    [['1', { seed: Infinity }], 'run: seed must be a whole number, got Infinity.'],
    [['1', { seed: 1.5 }], 'run: seed must be a whole number, got 1.5.'],
    [['1', { seed: '7' }], 'run: seed must be a whole number, got the string "7".'],
    [['1', { seed: null }], 'run: seed must be a whole number, got null.'],
    [['1', { seed: 2 ** 53 }], 'run: seed must be a whole number, got 9007199254740992.'],
    [['1', { file: 3 }], 'run: file must be the name of a file, got 3.'],
    [['1', { args: 'x' }], 'run: args must be an array of strings, got the string "x".'],
    [['1', { args: [1] }], 'run: args must be an array of strings, got an array of length 1.'],
    [['1', { language: 'python' }], `run: language must be 'wppl', 'ts', 'js', got the string "python".`],
    [['1', { sed: 3 }], "run has no option 'sed'; it takes seed, file, language, "],
    [['1', { sed: 3 }], "Did you mean 'seed'?"],
    [['1', { output: 5 }], 'run: output must be a function, got 5.'],
  ])('refuses %j', async (given, message) => {
    await expect((run as (...given: unknown[]) => Promise<unknown>)(...given)).rejects.toThrow(message);
  });

  test('takes negative seeds and that of the largest size', async () => {
    const code = 'gaussian(0, 1)';
    for (const seed of [-3, 0, Number.MAX_SAFE_INTEGER]) {
      expect((await run(code, { seed })).value).toBe((await run(code, { seed })).value);
    }
  });
});

describe('loadProgram', () => {
  const folder = mkdtempSync(join(tmpdir(), 'waymark-'));
  afterAll(() => rmSync(folder, { recursive: true }));
  mkdirSync(join(folder, 'folder.wppl'));
  execFileSync('mkfifo', [join(folder, 'pipe.wppl')]);
  execFileSync('mkfifo', [join(folder, 'pipe.js')]);
  writeFileSync(join(folder, 'imports.js'), "import x from './pipe.js';\nexport default x;\n");

  test.each<[unknown, string]>([
    [undefined, 'loadProgram needs the name of a file, or {code: text}, got undefined.'],
    [{}, 'loadProgram needs the name of a file, or {code: text}, got an empty object.'],
    [join(folder, 'gone.wppl'), 'gone.wppl cannot be read: there is no file'],
    [join(folder, 'folder.wppl'), 'is a folder.'],
    [join(folder, 'pipe.wppl'), 'is a pipe, not a file.'],
    [join(folder, 'imports.js'), 'pipe.js'],
  ])('refuses %j', async (given, message) => {
    await expect(loadProgram(given as string)).rejects.toThrow(message);
  });
});
