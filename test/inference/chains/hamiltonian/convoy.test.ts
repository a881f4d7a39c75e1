/** Chains side by side, against the same chains one after the other. */
import { describe, expect, test } from 'vitest';
import { runProgram } from './programs.ts';

const REGRESSION = `
var xs = _.range(12);
var model = function() {
  var slope = gaussian(0, 3);
  var intercept = gaussian(0, 3);
  var sigma = gamma(2, 1);
  map(function(x) { observe(Gaussian({mu: slope * x + intercept, sigma: sigma + 0.01}), 2 * x + x % 3); }, xs);
  return {slope: slope, sigma: sigma};
};`;

/** A density of so many operations that two chains at a time are worth more than many steps at a time. */
const LONG = REGRESSION.replace('_.range(12)', '_.range(150)');

/** Functions that are called for one lane after the other, and some for both at once. */
const MANY_FUNCTIONS = `
var model = function() {
  var a = gamma(2, 1);
  var p = beta(2, 3);
  var z = map(function(i) { return gaussian(0, 1); }, _.range(5));
  map(function(i) {
    observe(Gamma({shape: a + i, scale: 1}), i + 0.5);
    observe(Bernoulli({p: p}), i % 2 === 0);
    observe(StudentT({df: 4, location: Math.sin(z[i]) + Math.exp(z[0] / 4), scale: 1}), i);
    observe(Bernoulli({p: 1 / (1 + Math.exp(-z[i] * 3))}), i > 1);
  }, _.range(5));
  return [a, p, z[0]];
};`;

const infer = (model: string, options: string): string =>
  `${model}\nvar result = Infer({method: 'MCMC', model: model, ${options}});\n` +
  'result.samples.concat([result.diagnostics, result.diagnostics.convergence]);';

async function bothWays(model: string, options: string) {
  const code = infer(model, options);
  const together = await runProgram<unknown[]>(code, 3, { explainBatching: true });
  const apart = await runProgram<unknown[]>(code, 3, { explainBatching: true, sequential: true });
  return { together, apart };
}

const how = (warnings: readonly string[]): string | undefined => warnings.find((line) => line.startsWith('How MCMC'));

describe('chains side by side', () => {
  test.each([
    ['HMC', LONG, 'kernel: {HMC: {steps: 7, stepSize: 0.002}}, samples: 40, burn: 7, lag: 1, chains: 4'],
    ['HMConly, an odd number of chains', LONG, 'kernel: {HMConly: {stepSize: 0.002}}, samples: 30, chains: 3'],
    ['NUTS', REGRESSION, "kernel: 'NUTS', samples: 60, chains: 4"],
    [
      'NUTS without tuning',
      REGRESSION,
      'kernel: {NUTS: {stepSize: 0.05, adapt: false, maxDepth: 4}}, samples: 40, chains: 2',
    ],
    ['the best sample alone', REGRESSION, "kernel: 'NUTS', samples: 40, chains: 3, onlyMAP: true"],
    ['functions of many kinds', MANY_FUNCTIONS, "kernel: 'NUTS', samples: 40, chains: 5"],
  ])('%s: the same to the last bit as one after the other', async (_, model, options) => {
    const { together, apart } = await bothWays(model, options);
    expect(how(together.warnings)).toMatch(/ran: \d chains side by side$/);
    expect(how(apart.warnings)).toMatch(/one after the other, because that was asked for$/);
    expect(together.value).toEqual(apart.value);
  });

  test.each([
    ['a discrete choice', 'flip(0.5) ? x : -x', "kernel: 'NUTS'", 'there are discrete choices'],
    ['a branch', 'x > 0 ? (observe(Gaussian({mu: x, sigma: 1}), 1), x) : x', "kernel: 'HMC'", 'looks at values'],
    ['a tensor', 'T.sumreduce(diagCovGaussian(Vector([0, 0]), Vector([1, 1])))', "kernel: 'NUTS'", 'tensors in it'],
    ['a returned function', 'function() { return x; }', "kernel: 'HMC'", 'has to be executed'],
    ['few operations', 'x', "kernel: 'HMC'", 'their density is small'],
    ['proposals', 'x', "kernel: 'MH'", 'proposes'],
    ['callbacks', 'x', "kernel: 'NUTS', callbacks: [{}]", 'callbacks watch them'],
  ])('%s: says why not, and gives the same', async (_, value, kernel, reason) => {
    const model = `var model = function() { var x = gaussian(0, 1); observe(Gaussian({mu: x, sigma: 1}), 0.5); return ${value}; };`;
    const { together, apart } = await bothWays(model, `${kernel}, samples: 20, chains: 2`);
    expect(how(together.warnings)).toContain(reason);
    expect(JSON.stringify(together.value)).toEqual(JSON.stringify(apart.value));
  });
});
