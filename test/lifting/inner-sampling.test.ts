/** Inferences inside a model whose gradients are wanted: those that draw samples have none, and say so. */
import { expect, test } from 'vitest';
import { run } from '../../src/program/run.ts';

const MODELS = [
  "{method: 'rejection', samples: 20, model: function() { return flip(x); }}",
  "{method: 'MCMC', samples: 20, model: function() { return flip(x) ? 1 : 0; }}",
  "{method: 'forward', samples: 20, model: function() { return gaussian(x, 1); }}",
  "{method: 'importance', samples: 20, model: function() { var b = flip(0.5); factor(b ? x : 0); return b; }}",
  "{method: 'SMC', particles: 20, model: function() { var b = flip(0.5); factor(b ? x : 0); return b; }}",
];

test.each(MODELS)('%s', async (options) => {
  const said: string[] = [];
  const program = `
    Optimize({steps: 2, verbose: false, model: function() {
      var x = param({name: 'x', mu: 0.7, sigma: 0});
      factor(expectation(Infer(${options})));
    }})`;
  await run(program, { seed: 1, warn: (message) => said.push(message) });
  expect(said[0]).toMatch(
    /^program\.wppl:\d+:\d+: no gradient passes through an inference that draws samples, and its model/,
  );
});
