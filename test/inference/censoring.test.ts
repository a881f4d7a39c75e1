/** Distribution functions of what is to be inferred: censored and truncated data, Tobit and ordered probit models. */
import { describe, expect, test } from 'vitest';
import * as families from '../../src/distributions/index.ts';
import { run } from '../../src/program/index.ts';

const { Exponential, Weibull, Gaussian, Gamma, Beta, StudentT, Poisson } = families;

interface Datum {
  readonly t: number;
  readonly c: boolean;
  readonly k: number;
}

const DATA: readonly Datum[] = [
  { t: 0.5, c: false, k: 0 },
  { t: 1.2, c: true, k: 1 },
  { t: 2.1, c: false, k: 2 },
  { t: 0.9, c: true, k: 1 },
  { t: 1.7, c: false, k: 2 },
];

interface Model {
  /** The choice x, as programs make it. */
  readonly prior: string;
  /** The score of a datum d, as programs compute it. */
  readonly score: string;
  readonly plainPrior: { score(x: number): number };
  plainScore(x: number, d: Datum): number;
}

const Z = Gaussian({ mu: 0, sigma: 1 });
const positive = { prior: 'gamma(2, 1)', plainPrior: Gamma({ shape: 2, scale: 1 }) };
const anywhere = { prior: 'gaussian(0, 2)', plainPrior: Gaussian({ mu: 0, sigma: 2 }) };

/** Censored from above where c says so. */
const survival = (family: string): string => `var f = ${family}; return d.c ? Math.log(1 - f.cdf(d.t)) : f.score(d.t)`;
const survived = (f: { cdf(x: number): number; score(x: number): number }, d: Datum): number =>
  d.c ? Math.log(1 - f.cdf(d.t)) : f.score(d.t);

const MODELS: Record<string, Model> = {
  'censored Exponential': {
    ...positive,
    score: survival('Exponential({a: x})'),
    plainScore: (x, d) => survived(Exponential({ a: x }), d),
  },
  'censored Weibull': {
    ...positive,
    score: survival('Weibull({shape: x, scale: 2})'),
    plainScore: (x, d) => survived(Weibull({ shape: x, scale: 2 }), d),
  },
  'censored Gaussian': {
    ...anywhere,
    score: survival('Gaussian({mu: x, sigma: 1.5})'),
    plainScore: (x, d) => survived(Gaussian({ mu: x, sigma: 1.5 }), d),
  },
  'censored Gamma': {
    ...positive,
    score: survival('Gamma({shape: x, scale: 1})'),
    plainScore: (x, d) => survived(Gamma({ shape: x, scale: 1 }), d),
  },
  'Beta below a bound': {
    ...positive,
    score: 'return Math.log(Beta({a: x, b: 2}).cdf(d.t / 4))',
    plainScore: (x, d) => Math.log(Beta({ a: x, b: 2 }).cdf(d.t / 4)),
  },
  'censored StudentT': {
    ...positive,
    score: survival('StudentT({df: x, location: 1, scale: 1})'),
    plainScore: (x, d) => survived(StudentT({ df: x, location: 1, scale: 1 }), d),
  },
  'counts above a bound': {
    ...positive,
    score: 'return Math.log(1 - Poisson({mu: x}).cdf(d.k))',
    plainScore: (x, d) => Math.log(1 - Poisson({ mu: x }).cdf(d.k)),
  },
  Tobit: {
    ...anywhere,
    score: 'var f = Gaussian({mu: x * d.t - 1, sigma: 1}); return d.c ? Math.log(f.cdf(0)) : f.score(d.t)',
    plainScore(x, d) {
      const f = Gaussian({ mu: x * d.t - 1, sigma: 1 });
      return d.c ? Math.log(f.cdf(0)) : f.score(d.t);
    },
  },
  'ordered probit': {
    ...anywhere,
    score: `var Z = Gaussian({mu: 0, sigma: 1}); var e = x * d.t;
      return Math.log(d.k == 0 ? Z.cdf(1 - e) : d.k == 1 ? Z.cdf(2 - e) - Z.cdf(1 - e) : 1 - Z.cdf(2 - e))`,
    plainScore(x, { t, k }) {
      const e = x * t;
      return Math.log(k === 0 ? Z.cdf(1 - e) : k === 1 ? Z.cdf(2 - e) - Z.cdf(1 - e) : 1 - Z.cdf(2 - e));
    },
  },
  'truncated Gaussian': {
    ...positive,
    score: 'var f = Gaussian({mu: x, sigma: 1}); return f.score(d.t) - Math.log(1 - f.cdf(0))',
    plainScore(x, d) {
      const f = Gaussian({ mu: x, sigma: 1 });
      return f.score(d.t) - Math.log(1 - f.cdf(0));
    },
  },
  'a spread that is known by its quantile': {
    ...positive,
    score: 'return Gaussian({mu: Gamma({shape: x, scale: 1}).quantile(0.9), sigma: 1}).score(d.t)',
    plainScore: (x, d) => Gaussian({ mu: Gamma({ shape: x, scale: 1 }).quantile(0.9), sigma: 1 }).score(d.t),
  },
};

/** Mean and standard deviation of the posterior, by sums over a fine grid. */
function exact({ plainPrior, plainScore }: Model): { mean: number; sd: number } {
  let [weight, first, second] = [0, 0, 0];
  for (let i = -3000; i < 5000; i++) {
    const x = (i + 0.5) / 400;
    const prior = plainPrior.score(x);
    if (prior === -Infinity) continue;
    const score = DATA.reduce((sum, d) => sum + plainScore(x, d), prior);
    const w = Number.isNaN(score) ? 0 : Math.exp(score);
    weight += w;
    first += w * x;
    second += w * x * x;
  }
  const mean = first / weight;
  return { mean, sd: Math.sqrt(second / weight - mean * mean) };
}

/** Methods, and how many independent samples theirs are worth at least. */
const METHODS: readonly [string, number][] = [
  ["method: 'importance', samples: 2000", 150],
  ["method: 'SMC', particles: 2000", 100],
  ["method: 'MCMC', samples: 6000, burn: 500", 200],
  ["method: 'MCMC', kernel: {HMC: {steps: 4, stepSize: 0.3}}, samples: 1000, burn: 200", 100],
  ["method: 'MCMC', kernel: 'NUTS', samples: 600, burn: 300", 100],
];

describe.each(Object.entries(MODELS))('%s', (_name, model) => {
  const { mean, sd } = exact(model);

  test.each(METHODS)('%s', async (method, worth) => {
    const code = `var DATA = ${JSON.stringify(DATA)};
      var score = function(x, d) { ${model.score} };
      expectation(Infer({${method}, model: function() {
        var x = ${model.prior};
        mapData({data: DATA}, function(d) { factor(score(x, d)) });
        return x;
      }}))`;
    const { value } = await run(code, { seed: 1 });
    expect(Math.abs((value as number) - mean)).toBeLessThan((4 * sd) / Math.sqrt(worth));
  });

  test('gradients of the compiled objective', async () => {
    // A step of stochastic gradient descent goes by the slope, times its size.
    const code = `var DATA = ${JSON.stringify(DATA)};
      var score = function(x, d) { ${model.score} };
      Optimize({steps: 1, optMethod: {sgd: {stepSize: 1e-3}}, model: function() {
        var x = param({name: 'x', init: constF(Tensor([1], [0.8]))});
        mapData({data: DATA}, function(d) { factor(score(x, d)) });
      }});
      T.get(getParams().x, 0)`;
    const { value } = await run(code, { seed: 1 });
    const total = (x: number): number => DATA.reduce((sum, d) => sum + model.plainScore(x, d), 0);
    const slope = (total(0.8 + 1e-5) - total(0.8 - 1e-5)) / 2e-5;
    expect(((value as number) - 0.8) / 1e-3).toBeCloseTo(slope, 4);
  });
});
