import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Command } from './command.ts';

let waymark: Command;

beforeAll(() => {
  waymark = new Command('batch');
});

afterAll(() => waymark.remove());

/** Lines of text in, parsed lines out. */
async function batch(lines: readonly unknown[], ...args: string[]) {
  const input = lines.map((line) => `${typeof line === 'string' ? line : JSON.stringify(line)}\n`).join('');
  const { code, stdout, stderr } = await waymark.feed(input, 'batch', ...args);
  return {
    code,
    stderr,
    results: stdout
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line)),
  };
}

describe('batch', () => {
  test('one line per program, in order', async () => {
    const { code, stderr, results } = await batch([
      { id: 'a', code: '1 + 1', seed: 1 },
      { id: 2, code: 'display("x"); undefined', seed: 1 },
      { id: null, code: '0 / 0', seed: 1 },
      { id: { any: ['json'] }, code: 'function() { return 1; }', seed: 1 },
    ]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(results).toEqual(
      [
        { id: 'a', ok: true, value: 2, outputs: [] },
        { id: 2, ok: true, value: { undefined: true }, outputs: ['x'] },
        { id: null, ok: true, value: { number: 'NaN' }, outputs: [] },
        { id: { any: ['json'] }, ok: expect.any(Boolean) },
      ].map((expected, i) => (i < 3 ? expected : expect.objectContaining(expected))),
    );
  });

  test('nothing in, nothing out', async () => {
    expect(await batch([])).toEqual({ code: 0, stderr: '', results: [] });
  });

  test('a malformed line is an error with its number, and the rest goes on', async () => {
    const { code, results } = await batch(['{oops', '', '[1]', { id: 3, seed: 1 }, { id: 4, code: '4', seed: 1 }]);
    expect(code).toBe(0);
    expect(results).toEqual([
      {
        id: null,
        ok: false,
        error: {
          message: expect.stringMatching(/^Line 1 of the input: this is not JSON/),
          file: 'stdin',
          line: 1,
          column: 1,
        },
      },
      {
        id: null,
        ok: false,
        error: {
          message: expect.stringMatching(/^Line 3 of the input: expected an object/),
          file: 'stdin',
          line: 3,
          column: 1,
        },
      },
      {
        id: 3,
        ok: false,
        error: {
          message: expect.stringMatching(/^Line 4 of the input: "code" must be/),
          file: 'stdin',
          line: 4,
          column: 1,
        },
      },
      { id: 4, ok: true, value: 4, outputs: [] },
    ]);
  });

  test('a program that fails does not stop the others', async () => {
    const { code, results } = await batch([
      { id: 0, code: 'error("oh no")', seed: 1 },
      { id: 1, code: 'var x = ;', seed: 1 },
      { id: 2, code: 'var f = function(n) { return 1 + f(n + 1); };\nf(0)', seed: 1 },
      { id: 3, code: '_top.process.exit(5)', seed: 1 },
      { id: 4, code: 'var o = {}; _.assign(o, {self: o}); o', seed: 1 },
      { id: 5, code: '5', seed: 1 },
    ]);
    expect(code).toBe(0);
    expect(results.map(({ id, ok }) => [id, ok])).toEqual([
      [0, false],
      [1, false],
      [2, false],
      [3, false],
      [4, false],
      [5, true],
    ]);
    expect(results[0].error).toEqual({ message: 'oh no', file: 'line 1', line: 1, column: 1 });
    expect(results[1].error).toMatchObject({ file: 'line 2', line: 1, column: 9 });
    expect(results[2].error.message).toMatch(/^The recursion is too deep/);
    expect(results[3].error.message).toBe('The program ended its own thread, with exit code 5.');
    expect(results[4].error.message).toContain('value.self is value itself');
    expect(results[5]).toEqual({ id: 5, ok: true, value: 5, outputs: [] });
  });

  test('programs do not see each other', async () => {
    const { results } = await batch([
      { id: 0, code: 'globalStore.x = 1; globalStore.x', seed: 1 },
      { id: 1, code: 'globalStore.x', seed: 1 },
    ]);
    expect(results.map(({ value }) => value)).toEqual([1, { undefined: true }]);
  });

  test('the same seed gives the same value, whatever ran before', async () => {
    const code = 'gaussian(0, 1)';
    const { results } = await batch([
      { id: 0, code, seed: 9 },
      { id: 1, code, seed: 10 },
      { id: 2, code, seed: 9 },
      { id: 3, code },
    ]);
    const values = results.map(({ value }) => value);
    expect(values[2]).toBe(values[0]);
    expect(new Set(values).size).toBe(3);
  });

  test('what programs print goes to stderr', async () => {
    const { stderr, results } = await batch([{ id: 0, code: 'console.log("noise"); 1', seed: 1 }]);
    expect(stderr).toBe('noise\n');
    expect(results).toEqual([{ id: 0, ok: true, value: 1, outputs: [] }]);
  });

  test('--timeout gives up on a program that does not end', async () => {
    const lines = [
      { id: 0, code: 'while (true) {}', seed: 1 },
      { id: 1, code: '1', seed: 1 },
    ];
    const { results } = await batch(lines, '--timeout', '0.5');
    expect(results).toEqual([
      {
        id: 0,
        ok: false,
        error: { message: 'The program was given up after 0.5 seconds.', file: null, line: null, column: null },
      },
      { id: 1, ok: true, value: 1, outputs: [] },
    ]);
  });

  /** Programs that change what all programs share, and what another then makes of it. */
  test.each([
    ['_top.Math.exp = function() { return 7; }; _top.Math.exp(1)', 7, '_top.Math.exp(1)', Math.E],
    ['Array.prototype.map = 3; 1', 1, '[1].map(function(x) { return x + 1; })', [2]],
    ['Object.prototype.extra = 1; ({}).extra', 1, '({}).extra === undefined', true],
    ['_top.leak = 5; _top.leak', 5, '_top.leak === undefined', true],
    ['_.sum = function() { return 3; }; 1', 1, '_.sum([1, 1])', 2],
    ['T.add = 3; 1', 1, 'T.toScalars(T.add(Vector([1]), 1))', [2]],
    ['_top.setTimeout(function() { _top.leak = 1; }, 0); 1', 1, '_top.leak === undefined', true],
  ])('what a program changes is not changed for others: %s', async (changing, value, other, expected) => {
    const { results } = await batch([
      { id: 0, code: changing, seed: 1 },
      { id: 1, code: other, seed: 1 },
    ]);
    expect(results).toEqual([
      { id: 0, ok: true, value, outputs: [] },
      { id: 1, ok: true, value: expected, outputs: [] },
    ]);
  });

  const FORGED =
    'The program has changed how its result is written (JSON.stringify, a toJSON of all objects), or has sent something in its place.';
  const send = (message: string): string =>
    `_top.process.mainModule.require('worker_threads').parentPort.postMessage(${message}); 1`;
  const own = { ok: true, value: 1, outputs: [] };

  /** Programs that give a result in another way, and what becomes of them. */
  test.each([
    ['JSON.stringify = function() { return "{}"; }; 1', { ok: false, error: { message: FORGED } }],
    ['Object.prototype.toJSON = function() { return 5; }; 1', { ok: false, error: { message: FORGED } }],
    [send('null'), { ok: false, error: { message: FORGED } }],
    [send('{result: "1", spoilt: false}'), { ok: false, error: { message: FORGED } }],
    [send(`{number: 7, result: '{"ok":true,"value":2}', spoilt: false}`), own],
    [send(`{number: 1, result: '{"ok":true,"value":2}', spoilt: false}`), { ok: true, value: 2 }],
  ])('a result that is forged spoils neither the output nor that of others: %s', async (code, expected) => {
    const { results } = await batch([
      { id: 0, code, seed: 1 },
      { id: 1, code: '5', seed: 1 },
      { id: 2, code: '6', seed: 1 },
    ]);
    expect(results[0]).toMatchObject({ id: 0, ...expected });
    expect(results.slice(1)).toEqual([
      { id: 1, ok: true, value: 5, outputs: [] },
      { id: 2, ok: true, value: 6, outputs: [] },
    ]);
  });

  test('a program that ends its process does not end the batch', async () => {
    const { code, stderr, results } = await batch([
      { id: 0, code: "_top.process.kill(_top.process.pid, 'SIGKILL'); while (true) {}", seed: 1 },
      { id: 1, code: 'console.log("FATAL ERROR: of the program"); 1', seed: 1 },
      { id: 2, code: "_top.process.kill(_top.process.pid, 'SIGTERM'); while (true) {}", seed: 1 },
      { id: 3, code: '3', seed: 1 },
    ]);
    expect(code).toBe(0);
    expect(stderr).toBe('FATAL ERROR: of the program\n');
    expect(results.map(({ id, ok, error }) => [id, ok, error?.message])).toEqual([
      [0, false, expect.stringMatching(/^The program's process was killed/)],
      [1, true, undefined],
      [2, false, 'The program ended its process, by SIGTERM.'],
      [3, true, undefined],
    ]);
  });

  test.each([
    ['values', 'var f = function(a) { return f(a.concat(a)); }; f([1, 2])'],
    ['buffers', 'var b = []; while (true) { b.push(new Float64Array(1e6).fill(1)); }'],
  ])('--memory gives up on a program that keeps too many %s', async (_, code) => {
    const lines = [
      { id: 0, code, seed: 1 },
      { id: 1, code: 'sum(repeat(1000, function() { return 1; }))', seed: 1 },
    ];
    const { results } = await batch(lines, '--memory', '64');
    expect(results[0]).toMatchObject({ id: 0, ok: false });
    expect(results[0].error.message).toMatch(/^The program (needs more memory than the 64 MB|asked for more memory)/);
    expect(results[1]).toEqual({ id: 1, ok: true, value: 1000, outputs: [] });
  });

  test('a support that is too long is refused, and not enumerated by default', async () => {
    const { results } = await batch([
      { id: 0, code: 'MAP(Infer(function() { return randomInteger(1000000000); })).val >= 0', seed: 1 },
      { id: 1, code: "Infer({method: 'enumerate'}, function() { return randomInteger(1000000000); })", seed: 1 },
      { id: 2, code: 'RandomInteger({n: 1000000000})', seed: 1 },
    ]);
    expect(results[0]).toMatchObject({ ok: true, value: true });
    expect(results[1].error.message).toMatch(/^This RandomInteger has 1000000000 values, too many to list/);
    expect(results[2].value).toEqual({ dist: 'RandomInteger', params: { n: 1000000000 } });
  });
});
