import { describe, expect, test } from 'vitest';
import * as d from '../../src/distributions/index.ts';
import { run } from '../../src/program/run.ts';

/** Where 1 − cdf has no digits left. The values are those of the closed forms, and for the normal tail of tables. */
test.each([
  ['Gaussian', d.Gaussian({ mu: 1, sigma: 2 }).survival(21), 7.61985302416052e-24],
  ['LogNormal', d.LogNormal({ mu: 1, sigma: 2 }).survival(Math.exp(21)), 7.61985302416052e-24],
  ['HalfNormal', d.HalfNormal({ sigma: 2 }).survival(20), 2 * 7.61985302416052e-24],
  ['Exponential', d.Exponential({ a: 2 }).survival(50), Math.exp(-100)],
  ['Logistic', d.Logistic({ location: 1, scale: 2 }).survival(201), Math.exp(-100)],
  ['Laplace', d.Laplace({ location: 1, scale: 2 }).survival(201), 0.5 * Math.exp(-100)],
  ['Weibull', d.Weibull({ shape: 2, scale: 1 }).survival(10), Math.exp(-100)],
  ['Gamma', d.Gamma({ shape: 2, scale: 0.5 }).survival(50), 101 * Math.exp(-100)],
  ['ChiSquared', d.ChiSquared({ df: 4 }).survival(200), 101 * Math.exp(-100)],
  ['Pareto', d.Pareto({ shape: 4, scale: 1 }).survival(1e10), 1e-40],
  ['Cauchy', d.Cauchy({ location: 0, scale: 1 }).survival(1e20), 1 / (1e20 * Math.PI)],
  ['HalfCauchy', d.HalfCauchy({ scale: 1 }).survival(1e20), 2 / (1e20 * Math.PI)],
  ['StudentT', d.StudentT({ df: 1, location: 0, scale: 1 }).survival(1e20), 1 / (1e20 * Math.PI)],
  ['InverseGamma', d.InverseGamma({ shape: 1, scale: 1 }).survival(1e20), 1e-20],
  ['Beta', d.Beta({ a: 1, b: 10 }).survival(0.99), 1e-20],
])('%s keeps its digits in the tail', (_name, found, expected) => {
  expect(found / expected).toBeCloseTo(1, 9);
});

test('distributions over whole numbers and tables have it too', () => {
  expect(d.Poisson({ mu: 3 }).survival(2)).toBeCloseTo(1 - 8.5 * Math.exp(-3), 12);
  expect(d.Categorical({ vs: [1, 2, 4], ps: [0.2, 0.3, 0.5] }).survival(1)).toBeCloseTo(0.8, 12);
});

test('those without a cdf say so', () => {
  expect(() => d.Dirichlet({ alpha: [1, 1] } as never).survival(0.5)).toThrow(
    'survival needs a distribution whose cdf is known, and that of Dirichlet is not.',
  );
});

describe('data that are only known to be larger', () => {
  const outcome = async (code: string): Promise<unknown> =>
    (await run(code, { seed: 1, language: 'wppl', file: 'model.wppl' })).value;

  test('have gradients far in the tail', async () => {
    // The most probable mean of N(0, 1) beside one datum beyond 12: m solves m = φ(12 − m) / (1 − Φ(12 − m)).
    const mean = (await outcome(`
      var model = function() {
        var m = modelParam({name: 'm', mu: 0, sigma: 0});
        factor(Gaussian({mu: 0, sigma: 1}).score(m) + Math.log(Gaussian({mu: m, sigma: 1}).survival(12)));
      };
      Optimize({model, steps: 400, optMethod: {adam: {stepSize: 0.1}}, verbose: false});
      getParams().m.data[0]`)) as number;
    const z = 12 - mean;
    // Mills' ratio to six terms of its asymptotic series, whose first one left out is 10395 / z^12.
    const mills = (1 - 1 / z ** 2 + 3 / z ** 4 - 15 / z ** 6 + 105 / z ** 8 - 945 / z ** 10) / z;
    expect(Math.abs(mean * mills - 1)).toBeLessThan(10395 / z ** 12 + 1e-3);
  });

  test('can be part of chains', async () => {
    const mean = (await outcome(`
      expectation(Infer({method: 'MCMC', samples: 4000, burn: 500, model() {
        var m = gaussian(0, 1);
        factor(Math.log(Exponential({a: Math.exp(m)}).survival(2)));
        return m;
      }}))`)) as number;
    expect(mean).toBeLessThan(0);
    expect(mean).toBeGreaterThan(-2);
  });
});
