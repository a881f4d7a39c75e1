/** Automatic guides of choices on sides of conditionals: each datum has its own, and learns it in the steps in which it takes the side. */
import { describe, expect, test } from 'vitest';
import { run } from '../../src/program/run.ts';
import type { Tensor } from '../../src/tensor/tensor.ts';

const program = (p: number, options: string): string => `
var data = map(function(i) { return 2 * Math.sin(i); }, _.range(24));
var model = function() {
  var mu = gaussian(0, 1);
  mapData({data: data}, function(y) {
    var shift = flip(${p}) ? gaussian(2, 1) * gamma(2, 1) : 0;
    observe(Gaussian({mu: mu + shift, sigma: 1}), y);
  });
};
Optimize({model: model, steps: 40, gradients: 'paper', ${options}});
getParams()`;

async function parameters(code: string, sequential: boolean) {
  const said: string[] = [];
  const engine = sequential ? { sequential } : { explainBatching: true };
  const { value } = await run(code, { seed: 3, engine, warn: (message) => said.push(message) });
  const compiled = Number(/steps: (\d+) compiled/.exec(said.join('\n'))?.[1] ?? 0);
  return { found: value as Record<string, Tensor>, compiled };
}

/** How many steps are compiled of a program that learns the same parameters as one by one. */
async function compiledSteps(code: string): Promise<number> {
  const { found, compiled } = await parameters(code, false);
  const { found: alone } = await parameters(code, true);
  expect(Object.keys(found).sort()).toEqual(Object.keys(alone).sort());
  for (const [name, { data }] of Object.entries(alone)) {
    data.forEach((x, i) => {
      expect(found[name].data[i]).toBeCloseTo(x, 9);
    });
  }
  return compiled;
}

describe('steps with guides on a side are compiled, and give the parameters of one by one', () => {
  test.each([
    [0.15, "optMethod: 'adam'"],
    // (Some data never take the side, and have no parameters there.)
    [0.02, "optMethod: 'adam'"],
    [0.5, 'optMethod: {sgd: {stepSize: 0.01, mu: 0.5}}, weightDecay: 0.01'],
  ])('flip(%d), %s', async (p, options) => {
    const code = program(p, options);
    expect(await compiledSteps(code)).toBeGreaterThan(10);
  });
});

const MINIBATCHES = `
var data = map(function(i) { return map(function(j) { return Math.sin(i + j); }, _.range(1 + i % 4)); }, _.range(60));
var model = function() {
  var far = gaussian(1, 1);
  mapData({data: data, batchSize: 8}, function(xs) {
    var z = flip(0.5);
    for (const x of xs) observe(Gaussian({mu: z ? far : 0, sigma: 0.7}), x);
  });
};
Optimize({model: model, steps: 40});
getParams()`;

test('steps of minibatches are compiled while data that differ in length still come for the first time, and have guides of their own', async () => {
  expect(await compiledSteps(MINIBATCHES)).toBeGreaterThan(20);
});
