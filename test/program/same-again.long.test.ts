/** The same program and seed give the same digits, whatever ran before in the process. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { toJsonValue } from '../../src/io/json-value.ts';
import { type RunOptions, run } from '../../src/program/run.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
/** Enough for graphs to come again. */
const STEPS = 5;

/** Everything that a run gives, as text. */
async function everything(code: string, options: RunOptions): Promise<string> {
  const { value, outputs, params } = await run(code, { seed: 1, warn() {}, ...options });
  return JSON.stringify([toJsonValue(value), outputs.map(({ text }) => text), toJsonValue(params)]);
}

const shipped = ['examples', 'examples/paper'].flatMap((folder) =>
  readdirSync(join(root, folder))
    .filter((name) => /\.(wppl|ts)$/.test(name))
    .map((name) => join(root, folder, name)),
);

const runFile = (file: string): Promise<string> =>
  everything(readFileSync(file, 'utf8'), { file, args: ['--steps', String(STEPS)] });

test('every example, run after others that come before it and after others that come behind it', async () => {
  const first = new Map<string, string>();
  for (const file of shipped) first.set(file, await runFile(file));
  const differing: string[] = [];
  for (const file of [...shipped].reverse()) if ((await runFile(file)) !== first.get(file)) differing.push(file);
  expect(differing).toEqual([]);
  expect(shipped.length).toBeGreaterThan(50);
}, 240_000);

/** Enough arithmetic on a graph that it matters where it is computed, and which products come before. */
const NETWORK = `
var net = linear('net', {in: 30, out: 40});
var data = repeat(60, function() { return Vector(repeat(30, function() { return gaussian(0, 1); })); });
var params = Optimize({
  model: function() {
    map(function(x) { observe(Gaussian({mu: T.get(net(x), 0), sigma: 1}), 1); }, data);
  },
  steps: 6
});
params`;

/** A product of tensors outside any optimisation. */
const PRODUCT = `
var a = Matrix(repeat(80, function() { return repeat(80, function() { return gaussian(0, 1); }); }));
T.sumreduce(T.dot(a, T.dot(a, a)))`;

test.each([
  ['another device', { engine: { device: 'js' } }],
  ['another precision', { engine: { precision: 'double' } }],
  ['one after the other', { engine: { sequential: true } }],
] as const)('a run with %s before it changes nothing', async (_, other: RunOptions) => {
  for (const code of [NETWORK, PRODUCT]) {
    const first = await everything(code, {});
    await everything(NETWORK, other);
    expect(await everything(code, {})).toBe(first);
  }
});

test.each([
  ['in an inference', "Infer({method: 'MCMC', samples: 10}, function() { flip(); return error('no'); })"],
  ['in particles', "Infer({method: 'SMC', particles: 5}, function() { factor(-1); flip(); factor(-1); error('no'); })"],
  ['in an optimisation', 'Optimize({model: function() { param(); error("no"); }, steps: 3})'],
  ['by recursion', 'var f = function(n) { return 1 + f(n); }; f(1)'],
])('a run that failed %s changes nothing', async (_, failing) => {
  const code = `var chain = function(n) { return n === 0 || flip(0.9) && chain(n - 1); };
    [Infer({method: 'SMC', particles: 20}, function() { var x = gaussian(0, 1); factor(x); return chain(3) ? x : -x; }),
     Infer({method: 'MCMC', samples: 20}, function() { condition(chain(2)); return gaussian(0, 1); })]`;
  const first = await everything(code, {});
  await expect(everything(failing, {})).rejects.toThrow();
  expect(await everything(code, {})).toBe(first);
});

test('lodash counts its names from 1 in each run', async () => {
  const code = "[_.uniqueId('x'), _.uniqueId()]";
  expect(await everything(code, {})).toBe(await everything(code, {}));
});
