import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { decodeContainer } from '../../src/io/container.ts';
import { Command, finished } from './command.ts';

let waymark: Command;

beforeAll(() => {
  waymark = new Command('params');
});

afterAll(() => waymark.remove());

const place = (name: string): string => join(waymark.folder, name);

beforeEach(() => {
  for (const name of readdirSync(waymark.folder)) rmSync(place(name), { recursive: true });
});

/** Moves the parameter a by a step of −0.5 from wherever it is. */
const MOVE = `
var model = function() { factor(-0.5 * modelParam({name: 'a', mu: 10, sigma: 0})); };
Optimize(model, {steps: 1, optMethod: {sgd: {stepSize: 1}}}).a.data[0]`;

function run(code: string, ...args: string[]) {
  return waymark.run('run', waymark.write('program.wppl', code), ...args);
}

const valueIn = (name: string): number => decodeContainer(readFileSync(place(name))).arrays[0].data[0];

describe('--params', () => {
  test('begins without the file, after a word, and goes on from it', async () => {
    const first = await run(MOVE, '--params', 'p');
    expect(first).toEqual({
      code: 0,
      stdout: '9.5\n',
      stderr: 'There is no file p yet: parameters start afresh, and are saved there.\n',
    });
    expect(await run(MOVE, '--params', 'p')).toEqual({ code: 0, stdout: '9\n', stderr: '' });
    expect(valueIn('p')).toBe(9);
  });

  test('reads and writes WebPPL’s JSON', async () => {
    waymark.write('p.json', '{"a":{"dims":[1],"data":[3]}}');
    expect((await run(MOVE, '--params', 'p.json')).stdout).toBe('2.5\n');
    expect(readFileSync(place('p.json'), 'utf8')).toBe('{"a":{"dims":[1],"data":[2.5]}}\n');
  });

  test('leaves a file alone that did not change, and makes none without parameters', async () => {
    waymark.write('p.json', '{ "a": {"dims": [1], "data": [3]} }');
    await run("param({name: 'a'})", '--params', 'p.json');
    expect(readFileSync(place('p.json'), 'utf8')).toBe('{ "a": {"dims": [1], "data": [3]} }');
    expect(await run('1 + 1', '--params', 'q', '--quiet')).toEqual({ code: 0, stdout: '2\n', stderr: '' });
    expect(existsSync(place('q'))).toBe(false);
  });

  test('after a failure keeps the file, and puts the parameters beside it', async () => {
    await run(MOVE, '--params', 'net.params', '--quiet');
    const { code, stderr } = await run(`${MOVE}; null.x`, '--params', 'net.params');
    expect(code).toBe(1);
    expect(stderr).toMatch(/The parameters as they were then are in net\.unfinished\.params\.\n$/);
    expect([valueIn('net.params'), valueIn('net.unfinished.params')]).toEqual([9.5, 9]);
  });

  test('refuses a damaged file before anything runs, and keeps it', async () => {
    await run(MOVE, '--params', 'p', '--quiet');
    const sound = readFileSync(place('p'));
    for (const content of [sound.subarray(0, 50), Buffer.concat([sound, Buffer.from('x')]), Buffer.from('a = 3\n')]) {
      writeFileSync(place('p'), content);
      const { code, stdout, stderr } = await run(`display('ran'); ${MOVE}`, '--params', 'p', '--json', 'out.json');
      expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
      expect(stderr).toMatch(/^--params cannot use 'p': (its checksum does not match|it does not begin as).*\n$/);
      expect(readFileSync(place('p')).equals(content)).toBe(true);
      expect(JSON.parse(readFileSync(place('out.json'), 'utf8')).error.message).toBe(stderr.trim());
    }
  });

  test('refuses a folder, a missing folder, and no value', async () => {
    mkdirSync(place('d'));
    for (const [name, message] of [
      ['d', '--params d is a folder; give a file to write.\n'],
      ['no/p', '--params no/p cannot be written: there is no folder no.\n'],
    ]) {
      expect(await run(MOVE, '--params', name)).toEqual({ code: 1, stdout: '', stderr: message });
    }
    expect((await run(MOVE, '--params')).stderr).toBe('--params needs a value: --params FILE.\n');
  });
});

describe('a signal', () => {
  /** Moves the parameter a for ever, or until it is 0: a whole number after each step. */
  const LONG = `
display('started');
var model = function() { factor(-modelParam({name: 'a', mu: 1e9, sigma: 0})); };
Optimize(model, {steps: 1e9, optMethod: {sgd: {stepSize: 1}}})`;

  async function interrupted(signal: NodeJS.Signals, code: string, ...args: string[]) {
    const child = waymark.start('run', waymark.write('program.wppl', code), ...args);
    const ended = finished(child);
    await once(child.stdout!, 'data');
    setTimeout(() => child.kill(signal), 200);
    return ended;
  }

  test.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const)('%s during Optimize keeps what was learned', async (signal, code) => {
    waymark.write('p.json', '{"a":{"dims":[1],"data":[1000000000]}}');
    const ended = await interrupted(signal, LONG, '--params', 'p.json', '--json', 'out.json');
    expect(ended).toEqual({
      code,
      stdout: 'started\n',
      stderr: 'The run was interrupted.\nThe parameters as they were then are in p.json.\n',
    });
    const [value] = JSON.parse(readFileSync(place('p.json'), 'utf8')).a.data;
    expect(value).toBeLessThan(1e9);
    expect(Number.isInteger(value)).toBe(true);
    expect(JSON.parse(readFileSync(place('out.json'), 'utf8'))).toMatchObject({
      ok: false,
      error: { message: 'The run was interrupted.' },
    });
  });

  test('is not caught by the program, and keeps what an earlier optimisation learned', async () => {
    const code = `${MOVE.trim()};
display('started');
try { Infer({method: 'MCMC', samples: 1e9, model() { return flip(); }}) } catch (error) { display('caught') }`;
    const { stdout, stderr } = await interrupted('SIGINT', code, '--params', 'p', '--quiet');
    expect(stdout).toBe('started\n');
    expect(stderr).toBe('The run was interrupted.\nThe parameters as they were then are in p.\n');
    expect(valueIn('p')).toBe(9.5);
  });

  test('a second one ends a program that is not between steps', async () => {
    const child = waymark.start(
      'run',
      waymark.write('busy.js', 'console.log(1);\nfor (;;);\n'),
      '--params',
      'p',
      '--quiet',
    );
    const ended = finished(child);
    await once(child.stdout!, 'data');
    child.kill('SIGINT');
    setTimeout(() => child.kill('SIGTERM'), 300);
    expect((await ended).code).toBe(143);
    expect(existsSync(place('p'))).toBe(false);
  });
});
