/** The prompt, fed from a pipe. */
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isUnfinished, Session } from '../../src/program/session.ts';
import type { Conduct } from '../../src/runtime/reasons.ts';
import { recordedRun } from '../library/run.ts';
import { Command } from './command.ts';

let waymark: Command;

beforeAll(() => {
  waymark = new Command('repl');
});

afterAll(() => waymark.remove());

test('inputs of several lines, definitions that stay, errors that do not end it', async () => {
  waymark.write('more.wppl', 'var loaded = 7;');
  const inputs = [
    'var x = 2',
    'x + 1',
    'var f = function(n) {',
    '  return n * x;',
    '}',
    'f(10)',
    'null.y',
    'gausian(0, 1)',
    '"text"',
    '.load more.wppl',
    'loaded',
    '.names',
    '.nope',
    '.seed 5',
    'typeof x',
    '.exit',
    'never',
  ];
  const { code, stdout, stderr } = await waymark.feed(inputs.join('\n'), 'repl', '--seed', '1');
  expect(stdout).toBe('3\n20\n"text"\n7\nx, f, loaded\n"undefined"\n');
  expect(stderr).toContain('Cannot read properties of null');
  expect(stderr).toContain("gausian is not defined. Did you mean 'gaussian'?");
  expect(stderr).toContain('There is no .nope; .help lists what there is.');
  // Whoever feeds it from a file wants to know that something failed.
  expect(code).toBe(1);
  expect(await waymark.run('repl', 'file.wppl')).toMatchObject({ code: 1 });
});

describe('a session', () => {
  const start = () => Session.start(recordedRun(3), 'input');

  test('draws choices, and infers with what was defined before', async () => {
    const session = await start();
    session.evaluate('var p = 0.25; var coin = function() { return flip(p); };');
    expect([true, false]).toContain(session.evaluate('coin()'));
    expect(session.evaluate("Math.exp(Infer({method: 'enumerate', model: coin}).score(true))")).toBeCloseTo(0.25, 12);
    const learn =
      'Optimize({steps: 5, model: function() { var z = gaussian(0, 1); observe(Gaussian({mu: z, sigma: p}), 1); }})';
    expect(Object.keys(session.evaluate(learn) as object).length).toBe(2);
  });

  test('runs executions as one, with what was defined before', async () => {
    const inputs = [
      'var shift = 2; var observed = [1, 2, 3];',
      'var model = function() { var m = gaussian(0, 1); map(function(y) { observe(Gaussian({mu: m + shift, sigma: 1}), y); }, observed); return m; };',
      "Infer({method: 'SMC', particles: 50, model: model})",
      "Infer({method: 'MCMC', samples: 2000, model: model})",
      'var shift = 3; var model = function() { return gaussian(shift, 1) > shift; };',
      "Infer({method: 'importance', samples: 50, model: model})",
    ];
    const told: string[] = [];
    const valuesOf = async (sequential: boolean): Promise<unknown[]> => {
      const conduct = ({ method, way }: Conduct) => told.push(`${method}: ${way}`);
      const session = await Session.start({ ...recordedRun(3), conduct, engine: { sequential } }, 'input');
      return inputs.map((input) => JSON.stringify(session.evaluate(input)));
    };
    const values = await valuesOf(false);
    expect(told).toEqual(['SMC: columns', 'MCMC: recording', 'importance: columns']);
    expect(values).toEqual(await valuesOf(true));
  });

  test('lets names of the library be defined anew, in every way of running', async () => {
    const session = await start();
    session.evaluate('var square = function(x) { return 2 * x; }; var map = function(f, xs) { return "mine"; };');
    expect(session.evaluate('map(square, [1])')).toBe('mine');
    session.evaluate('var T = {add: function() { return 5; }};');
    expect(session.evaluate('T.add(1, 2)')).toBe(5);
    const learned = session.evaluate(`Optimize({steps: 1, optMethod: {sgd: {stepSize: 1}}, model: function() {
      factor(T.add(1, 1) * modelParam({name: 'a', mu: 0, sigma: 0})); }}).a.data[0]`);
    expect(learned).toBe(5);
  });

  test('keeps what came before a failure', async () => {
    const session = await start();
    expect(() => session.evaluate('var kept = 1; null.x; var lost = 2;')).toThrow();
    expect(session.evaluate('kept')).toBe(1);
  });

  test('the same seed gives the same draws', async () => {
    const draws = async () => {
      const session = await start();
      return [session.evaluate('uniform(0, 1)'), session.evaluate('uniform(0, 1)'), session.evaluate('Math.random()')];
    };
    const first = await draws();
    expect(await draws()).toEqual(first);
    expect(first[0]).not.toBe(first[1]);
  });

  test.each([
    ['var f = function() {', true],
    ['[1,', true],
    ['Infer({', true],
    ['`a', true],
    ['1 +', true],
    ['var = 3', false],
    ['f(]', false],
    ['nowhere + 1', false],
  ])('%s may be a beginning: %s', async (code, expected) => {
    const session = await start();
    let thrown: unknown;
    try {
      session.evaluate(code);
    } catch (error) {
      thrown = error;
    }
    expect(isUnfinished(thrown)).toBe(expected);
  });
});

test('help names what can be typed', () => {
  const source = readFileSync(new URL('../../src/cli/repl.ts', import.meta.url), 'utf8');
  const handled = [...source.matchAll(/case '(\.\w+)'/g)].map(([, name]) => name).sort();
  const [, listed] = /const COMMANDS = \[([^\]]*)\]/.exec(source) as RegExpExecArray;
  expect(listed.match(/\.\w+/g)).toEqual(handled);
  for (const name of handled) expect(source).toContain(`\n  ${name} `);
});
