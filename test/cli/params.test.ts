import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { decodeContainer } from '../../src/io/container.ts';
import { Command } from './command.ts';

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
