/** Checkpoints with a right checksum and wrong contents, or written under other conditions, or by two runs. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { threadId } from 'node:worker_threads';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { type Contents, decodeContainer, encodeContainer, type NamedArray } from '../../src/io/container.ts';
import { loadProgram } from '../../src/program/load.ts';
import type { Engine } from '../../src/runtime/machine.ts';
import { quietRun } from '../program/quiet-run.ts';

let folder = '';
const folders: string[] = [];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'waymark-'));
  folders.push(folder);
});

afterAll(() => {
  for (const made of folders) rmSync(made, { recursive: true });
});

const place = (name = 'c'): string => join(folder, name);

interface Settings {
  readonly args?: readonly string[];
  readonly engine?: Engine;
  readonly file?: string;
}

async function run(code: string, { args = [], engine, file }: Settings = {}) {
  const settings = Object.assign(quietRun(3), { folder, resume: true, args, engine });
  const program = await loadProgram({ code, file: file ?? place('program.wppl') });
  program.run(settings);
  return { texts: settings.texts, warnings: settings.warnings };
}

/** Two parameters, one of them a vector, a choice with a baseline, and a plateau that is waited for. */
const program = (more = '', before = ''): string => `${before}
var model = function() {
  var m = modelParam({name: 'm'});
  var v = modelParam({name: 'v', dims: [2, 1]});
  var z = sample(Bernoulli({p: 0.5}), {guide: function() { return Bernoulli({p: sigmoid(param({name: 'g'}))}); }});
  observe(Gaussian({mu: m + T.get(v, 0) * T.get(v, 1), sigma: 1}), z ? 3 : 1);
};
Optimize({model: model, steps: 12, stopAtPlateau: 50, checkpoint: {file: 'c', every: 5}, ${more}});
display(getParams().m);`;

const stopping = program('onStep: function(i) { return i === 9; }');

/** Leaves a checkpoint at step 10, and changes it. */
async function forge(change: (contents: { kind: string; meta: Meta; arrays: NamedArray[] }) => void): Promise<void> {
  await run(stopping);
  const { kind, meta, arrays } = decodeContainer(readFileSync(place())) as Contents & { meta: Meta };
  const contents = { kind, meta: structuredClone(meta), arrays: [...arrays] };
  contents.meta.stopped = false;
  change(contents);
  writeFileSync(place(), encodeContainer(contents));
}

// biome-ignore lint/suspicious/noExplicitAny: forging is what types are there to prevent
type Meta = any;

const named = (arrays: readonly NamedArray[], name: string): number => {
  const at = arrays.findIndex((array) => array.name === name);
  expect(at, name).toBeGreaterThanOrEqual(0);
  return at;
};

const replaced = (arrays: NamedArray[], name: string, data: number[], dims: number[] = [data.length]): void => {
  arrays[named(arrays, name)] = { name, dims, data: Float64Array.from(data) };
};

const without = (arrays: NamedArray[], name: string): void => {
  arrays.splice(named(arrays, name), 1);
};

const FORGED: readonly [string, Parameters<typeof forge>[0]][] = [
  ['a negative step', ({ meta }) => Object.assign(meta, { step: -1 })],
  ['a step between two', ({ meta }) => Object.assign(meta, { step: 9.5 })],
  ['a step that is text', ({ meta }) => Object.assign(meta, { step: '10' })],
  ['a step beyond the last', ({ meta }) => Object.assign(meta, { step: 13 })],
  ['a step that was not made', ({ meta }) => Object.assign(meta, { step: 11 })],
  ['a step less than were made', ({ meta }) => Object.assign(meta, { step: 8 })],
  ['no step', ({ meta }) => Object.assign(meta, { step: undefined })],
  ['no steps', ({ meta }) => Object.assign(meta, { steps: null })],
  ['skipped steps that are none', ({ meta }) => Object.assign(meta, { skipped: -1 })],
  ['skipped steps that are not counted', ({ meta }) => Object.assign(meta, { skipped: undefined })],
  ['no word on whether it ended', ({ meta }) => Object.assign(meta, { stopped: 'no' })],
  ['no identity', ({ meta }) => Object.assign(meta, { identity: undefined })],
  ['no conditions', ({ meta }) => Object.assign(meta.identity, { conditions: undefined })],
  ['a seed that is text', ({ meta }) => Object.assign(meta.identity, { seed: '3' })],
  ['settings that are none', ({ meta }) => Object.assign(meta.identity, { settings: null })],
  ['too few objectives', ({ arrays }) => replaced(arrays, 'history', [1, 2, 3])],
  ['too many objectives', ({ arrays }) => replaced(arrays, 'history', new Array(11).fill(1))],
  ['objectives that are no numbers', ({ arrays }) => replaced(arrays, 'history', new Array(10).fill(Number.NaN))],
  ['no objectives', ({ arrays }) => without(arrays, 'history')],
  ['objectives in a matrix', ({ arrays }) => replaced(arrays, 'history', new Array(10).fill(1), [5, 2])],
  ['objectives twice', ({ arrays }) => arrays.push(arrays[named(arrays, 'history')])],
  ['no plateau', ({ arrays }) => without(arrays, 'plateau')],
  ['a plateau of two numbers', ({ arrays }) => replaced(arrays, 'plateau', [1, 2])],
  ['a plateau that lasts for −1 steps', ({ arrays }) => replaced(arrays, 'plateau', [1, 2, -1])],
  ['a plateau that nothing exceeds', ({ arrays }) => replaced(arrays, 'plateau', [1, Infinity, 1])],
  ['a baseline too many', ({ arrays }) => replaced(arrays, 'estimator', [1, 2, 3, 4, 5, 6, 7])],
  ['baselines without names', ({ meta }) => Object.assign(meta, { estimator: [1, 2] })],
  ['a parameter that is no number', ({ arrays }) => replaced(arrays, 'parameter m', [Number.NaN], [1])],
  ['a parameter that is infinite', ({ arrays }) => replaced(arrays, 'parameter m', [Infinity], [1])],
  ['a parameter less', ({ arrays }) => without(arrays, 'parameter m')],
  ['a parameter more', ({ arrays }) => arrays.push({ name: 'parameter x', dims: [1], data: Float64Array.of(1) })],
  ['a parameter twice', ({ arrays }) => arrays.push(arrays[named(arrays, 'parameter m')])],
  ['a longer parameter', ({ arrays }) => replaced(arrays, 'parameter v', [1, 2, 3], [3, 1])],
  ['a parameter of another shape', ({ arrays }) => replaced(arrays, 'parameter v', [1, 2], [1, 2])],
  ['parameters that are not listed', ({ meta }) => Object.assign(meta, { parameters: ['m'] })],
  ['parameters without a list', ({ meta }) => Object.assign(meta, { parameters: undefined })],
  ['a memory less', ({ arrays }) => without(arrays, 'memory m')],
  [
    'all of a memory less',
    ({ arrays }) => {
      without(arrays, 'memory m');
      without(arrays, 'memory m');
    },
  ],
  ['a memory too short', ({ arrays }) => replaced(arrays, 'memory v', [1])],
  ['a memory that is no number', ({ arrays }) => replaced(arrays, 'memory v', [1, Number.NaN])],
  ['a memory of nothing', ({ arrays }) => arrays.push({ name: 'memory x', dims: [1], data: Float64Array.of(1) })],
  ['an array of its own', ({ arrays }) => arrays.push({ name: 'more', dims: [1], data: Float64Array.of(1) })],
];

describe('a checkpoint that Waymark did not write is refused', () => {
  test.each(FORGED)('%s', async (_, change) => {
    await forge(change);
    const before = readFileSync(place());
    await expect(run(stopping)).rejects.toThrow(/checkpoint|parameter/i);
    expect(readFileSync(place()).equals(before)).toBe(true);
    expect(existsSync(place('c.lock'))).toBe(false);
  });

  test('as it was, it is accepted', async () => {
    await forge(() => {});
    expect((await run(stopping)).warnings).toEqual([]);
  });
});

describe('a checkpoint written under other conditions', () => {
  const reading = program('onStep: function(i) { return i === 9; }', "var data = loadData('data.json');");
  const WRITTEN = '[1, 2]';

  async function left(code: string, settings: Settings = {}): Promise<void> {
    writeFileSync(place('data.json'), WRITTEN);
    await run(code, settings);
  }

  test.each([
    ['precision', stopping, { engine: { precision: 'double' } }, /with --precision single, .* Use --precision single/],
  ] as const)('is refused: %s', async (_, code, settings: Settings, message) => {
    await left(code);
    await expect(run(code, settings)).rejects.toThrow(message);
  });

  test('is refused where data have changed, unless that is wanted', async () => {
    await left(reading);
    writeFileSync(place('data.json'), '[1, 3]');
    await expect(run(reading)).rejects.toThrow(/the data file 'data.json' has changed since/);
    const anyway = reading.replace('every: 5', "every: 5, resume: 'anyway'");
    expect((await run(anyway)).warnings).toEqual([]);
    writeFileSync(place('data.json'), WRITTEN);
    expect((await run(reading)).warnings).toEqual([]);
  });

  test('is refused where a module of the host has changed', async () => {
    const importing = `import { Gaussian, modelParam, observe, Optimize } from 'waymark';
      import data from './y.json';
      Optimize(() => data.forEach((y) => observe(Gaussian({ mu: modelParam({ name: 'm' }), sigma: 1 }), y)),
        { steps: 3, checkpoint: 'c' });`;
    writeFileSync(place('y.json'), '[1, 2]');
    await run(importing, { file: place('program.ts') });
    writeFileSync(place('y.json'), '[1, 3]');
    await expect(run(importing, { file: place('program.ts') })).rejects.toThrow(
      /written by another program, or before this one was changed/,
    );
  });

  test.each([
    ['device', { engine: { device: 'js' } }, /the device was (wasm|blas) and is js/],
    ['way of running', { engine: { sequential: true } }, /the way of running was side by side and is --sequential/],
    ['arguments', { args: ['--n', '3'] }, /the list of arguments was none and is '--n 3'/],
  ] as const)('goes on, and says so: %s', async (_, settings: Settings, message) => {
    await left(stopping);
    const { warnings } = await run(stopping, settings);
    expect(warnings).toEqual([expect.stringMatching(message)]);
  });

  test('goes on, and says so: other versions', async () => {
    await forge(({ meta }) => Object.assign(meta.identity.conditions, { waymark: '0.0.1', node: 'v1.0.0' }));
    const { warnings } = await run(stopping);
    expect(warnings).toEqual([expect.stringMatching(/Waymark was 0\.0\.1 .*, and Node was v1\.0\.0 and is v/)]);
  });
});

describe('a checkpoint that another run is writing', () => {
  const lock = (writer: object): void => writeFileSync(place('c.lock'), JSON.stringify(writer));
  const here = { pid: process.pid, thread: threadId, host: hostname() };

  test.each([
    ['by another thread', { ...here, thread: threadId + 1 }],
    ['by another process', { ...here, pid: process.ppid }],
    ['on another machine', { ...here, host: 'elsewhere' }],
  ])('is refused: %s', async (_, writer) => {
    lock(writer);
    // A run that goes on from another would wait some seconds for its end.
    const anew = stopping.replace('every: 5', 'every: 5, resume: false');
    await expect(run(anew)).rejects.toThrow(/'c' is being written by process \d+ on .* delete .*c\.lock/);
    expect(existsSync(place())).toBe(false);
    expect(existsSync(place('c.lock'))).toBe(true);
  });

  test.each([
    ['of a process that is gone', { ...here, pid: 2 ** 22 + 1 }],
    ['of an earlier run in this thread', here],
    ['that says nothing', {}],
  ])('is taken over if the lock is one %s', async (_, writer) => {
    lock(writer);
    await run(stopping);
    expect(existsSync(place())).toBe(true);
    expect(existsSync(place('c.lock'))).toBe(false);
  });

  test.runIf(process.platform === 'linux')('is taken over from a process that has ended unnoticed', async () => {
    // Whoever takes the place of the shell does not ask how the shell's child has ended.
    const parent = spawn('sh', ['-c', 'true & echo $!; exec sleep 60'], { stdio: ['ignore', 'pipe', 'ignore'] });
    const [text] = (await once(parent.stdout, 'data')) as [Buffer];
    lock({ ...here, pid: Number(text) });
    await run(stopping).finally(() => parent.kill());
    expect(existsSync(place('c.lock'))).toBe(false);
  });

  test('is taken over from another machine if its lock was not renewed for long', async () => {
    lock({ ...here, host: 'elsewhere' });
    const long = Date.now() / 1000 - 400;
    utimesSync(place('c.lock'), long, long);
    await run(stopping);
    expect(existsSync(place('c.lock'))).toBe(false);
  });

  test.runIf(process.platform === 'linux')(
    'is waited for by a run that goes on from it, if the other is ending',
    async () => {
      const other = spawn('sleep', ['0.3']);
      lock({ ...here, pid: other.pid });
      await run(stopping);
      expect(existsSync(place('c.lock'))).toBe(false);
    },
  );

  test('is free again after a run that failed', async () => {
    await expect(run(program("onStep: function() { return error('no'); }"))).rejects.toThrow('no');
    expect(existsSync(place('c.lock'))).toBe(false);
  });
});

test('that a checkpoint cannot be written the first time is an error, and later a warning', async () => {
  const failing = (when: number): string =>
    program(`onStep: function(i) { if (i === ${when}) { _top.spoil(); } return false; }`);
  (globalThis as { spoil?: () => void }).spoil = () => {
    // Not even root can replace a folder by a file.
    rmSync(place(), { force: true });
    mkdirSync(place());
  };
  await expect(run(failing(0))).rejects.toThrow(/Optimize cannot write 'c': .* is a folder/);
  rmSync(place(), { recursive: true });
  const { warnings } = await run(failing(6));
  expect(warnings[0]).toMatch(/cannot write 'c': .* The optimisation goes on/);
});
