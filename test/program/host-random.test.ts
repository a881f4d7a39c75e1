import { expect, test } from 'vitest';
import 'lodash'; // As by an app that uses it, before a program is run.
import { run } from '../../src/program/run.ts';

const PROGRAM = `
  var xs = map(function() { return Math.random(); }, _.range(5));
  var ys = [_.random(0, 1, true), _.shuffle(_.range(20)), _.sample(_.range(1000))];
  var dist = Infer({method: 'forward', samples: 3, model() { return gaussian(0, 1) + Math.random(); }});
  JSON.stringify([xs, ys, dist.support()])`;

test('Math.random, and what lodash makes of it, follow from the seed', async () => {
  const [first, again, other] = await Promise.all([1, 1, 2].map(async (seed) => (await run(PROGRAM, { seed })).value));
  expect(again).toBe(first);
  expect(other).not.toBe(first);
  const numbers = JSON.parse(first as string)[0] as number[];
  expect(new Set(numbers).size).toBe(5);
  for (const x of numbers) expect(x > 0 && x < 1).toBe(true);
});

test('it does not disturb what the program chooses, and is as before when the program has ended', async () => {
  const before = Math.random;
  const choices = async (extra: string): Promise<unknown> =>
    (await run(`${extra} JSON.stringify([flip(0.5), gaussian(0, 1)])`, { seed: 3 })).value;
  expect(await choices('var u = Math.random();')).toBe(await choices(''));
  await expect(run('Math.random(); error("stop")', { seed: 1 })).rejects.toThrow('stop');
  expect(Math.random).toBe(before);
});
