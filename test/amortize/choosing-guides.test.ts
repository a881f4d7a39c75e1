/** Guides of a program's own that make choices, beside a network for all other choices. */
import { expect, test } from 'vitest';
import { failure, runProgram } from '../optimize/run-optimize.ts';

/** x ~ N(0, 1), z ~ N(0, 1), y ~ N(x + z, 1): given y, both have the mean y / 3 and the variance 2 / 3. */
const trained = (chosen: string): string => `
  var model = function(y) {
    var x = sample(Gaussian({mu: 0, sigma: 1}), {guideSamples: 4, guide: function() { ${chosen} return Gaussian({mu: k / 2, sigma: 1.2}); }});
    var z = gaussian(0, 1);
    observe(Gaussian({mu: x + z, sigma: 1}), y);
    return x;
  };
  var net = Amortize(model, {example: 0.5, steps: 30, samples: 64});`;
const FEW = 'var k = sample(Bernoulli({p: 0.5})) ? 1 : -1;';
const DRAWN = 'var k = sample(Gaussian({mu: 0, sigma: 1}));';

test.each([
  ['few values', 'importance', FEW],
  ['a drawn value', 'importance', DRAWN],
  ['few values', 'MCMC', FEW],
])('%s, by %s: the posterior and the evidence are right', async (_name, method, chosen) => {
  const samples = 4000;
  const { value } = await runProgram(`${trained(chosen)}
    var d = net.posterior(1.5, {method: '${method}', samples: ${samples}});
    [expectation(d), expectation(d, function(x) { return x * x; }), d.normalizationConstant]`);
  const [mean, square, evidence] = value as number[];
  // Weights, and steps of the chain that are not taken, leave at least a quarter of the samples: four standard errors.
  const reach = 4 * Math.sqrt(2 / 3 / (samples / 4));
  expect(Math.abs(mean - 0.5)).toBeLessThan(reach);
  expect(Math.abs(square - (0.25 + 2 / 3))).toBeLessThan(2 * reach);
  if (method === 'importance') {
    expect(Math.abs(evidence - (-0.5 * Math.log(2 * Math.PI * 3) - 1.5 ** 2 / 6))).toBeLessThan(reach);
  }
});

test('a chain needs to know how probable a guide makes a value', async () => {
  const said = await failure(`${trained(DRAWN)} net.posterior(1.5, {method: 'MCMC', samples: 20})`);
  expect(said).toMatch(/^Amortize \(MCMC\): a guide draws a choice of its own, .*Use method: 'importance' or 'SMC'/);
});
