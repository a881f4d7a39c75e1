import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { SampleBasedMarginal } from '../../src/distributions/marginal.ts';
import type { Params } from '../../src/guides/given-params.ts';
import { show } from '../../src/library/show/value.ts';
import { loadProgram } from '../../src/program/load.ts';
import { Tensor } from '../../src/tensor/tensor.ts';
import { quietRun } from '../program/quiet-run.ts';

const folder = mkdtempSync(join(tmpdir(), 'waymark-'));

afterAll(() => rmSync(folder, { recursive: true }));

async function run(code: string, seed = 1): Promise<unknown> {
  const program = await loadProgram({ code });
  return program.run(Object.assign(quietRun(seed), { folder }));
}

type Result<T> = SampleBasedMarginal<T>;

/** Gaussian prior, Gaussian likelihood: the posterior of x given y = 2 is Gaussian with mean 1 and variance 1/2. */
const CONJUGATE = `
var guided = function() {
  var x = sample(Gaussian({mu: 0, sigma: 1}), {
    guide: function() { return Gaussian({mu: param({name: 'm'}), sigma: softplus(param({name: 's'}))}); }
  });
  observe(Gaussian({mu: x, sigma: 1}), 2);
  return x;
};
var unguided = function() {
  var x = sample(Gaussian({mu: 0, sigma: 1}));
  observe(Gaussian({mu: x, sigma: 1}), 2);
  return x;
};
var exact = {m: 1, s: Math.log(Math.exp(Math.sqrt(0.5)) - 1)};
`;
const EVIDENCE = -0.5 * Math.log(2 * Math.PI * 2) - 1;

const mean = (xs: readonly number[]): number => xs.reduce((sum, x) => sum + x, 0) / xs.length;
const valuesOf = (result: Result<number>): number[] => result.samples.map(({ value }) => value);

/** The mean of n draws from the posterior is within five standard errors of 1. */
function expectPosterior(result: Result<number>, effective = result.samples.length): void {
  const weights = result.weights === undefined ? undefined : Array.from(result.weights, Math.exp);
  const values = valuesOf(result);
  const total = weights?.reduce((sum, w) => sum + w, 0);
  const found = weights === undefined ? mean(values) : values.reduce((sum, x, i) => sum + x * weights[i], 0) / total!;
  expect(Math.abs(found - 1)).toBeLessThan(5 * Math.sqrt(0.5 / effective));
}

describe('guided forward sampling', () => {
  test('draws from the guides given, with the parameters given, and scores under them', async () => {
    const result = (await run(
      `${CONJUGATE} Infer({method: 'forward', guide: true, samples: 2000, params: exact}, guided)`,
    )) as Result<number>;
    expectPosterior(result);
    const { value, score } = result.samples[0];
    expect(score).toBeCloseTo(-0.5 * Math.log(Math.PI) - (value - 1) ** 2, 10);
    // The guide is the posterior, so that all importance weights are the same.
    expect(result.diagnostics!.ess).toBeCloseTo(2000, 6);
    expect(result.logZ).toBeUndefined();
  });

  test('uses automatic guides once they are learned, and only then', async () => {
    const [before, after, forbidden] = (await run(`${CONJUGATE}
      var draw = function(model) { return Infer({method: 'forward', guide: true, samples: 3000}, model); };
      var before = draw(unguided);
      Optimize(unguided, {steps: 1500, optMethod: {adam: {stepSize: 0.02}}, estimator: {ELBO: {samples: 5}}});
      [before, draw(unguided), draw(function() { return sample(Gaussian({mu: 7, sigma: 1}), {noAutoGuide: true}); })]
    `)) as Result<number>[];
    expect(Math.abs(mean(valuesOf(before)))).toBeLessThan(5 / Math.sqrt(3000));
    // Learned by a thousand noisy steps, so roughly.
    expect(Math.abs(mean(valuesOf(after)) - 1)).toBeLessThan(0.1);
    expect(Math.abs(mean(valuesOf(forbidden)) - 7)).toBeLessThan(5 / Math.sqrt(3000));
  });

  test('leaves no parameters behind for choices whose guides were not learned', async () => {
    const names = await run(
      `${CONJUGATE} Infer({method: 'forward', guide: true}, unguided); forwardGuide(unguided); _.keys(getParams())`,
    );
    expect(names).toEqual([]);
  });

  test('draws from the prior what has no automatic guide', async () => {
    const value = await run(`forwardGuide(function() { return sample(Multinomial({ps: [0, 1], n: 3})); })`);
    expect(value).toEqual([0, 3]);
  });

  test('is also forwardGuide, SampleGuide and the second half of the method optimize', async () => {
    const [one, some, then, also] = (await run(`${CONJUGATE}
      setParams(exact);
      [forwardGuide(guided), SampleGuide(guided, {samples: 7}),
        OptimizeThenSample(guided, {steps: 3, samples: 11}), Infer({method: 'optimize', samples: 5, steps: 2}, guided)]
    `)) as [number, ...Result<number>[]];
    expect(typeof one).toBe('number');
    expect([some, then, also].map((result) => result.samples.length)).toEqual([7, 11, 5]);
  });

  test('says nothing of factors, which the guides were made for', async () => {
    const settings = Object.assign(quietRun(1), { folder });
    (await loadProgram({ code: `${CONJUGATE} SampleGuide(guided)` })).run(settings);
    expect(settings.warnings).toEqual([]);
  });
});

describe('guides as importance samplers', () => {
  for (const call of [
    "Infer({method: 'importance', guide: true, samples: 4000, params: params}, guided)",
    "Infer({method: 'SMC', particles: 4000, params: params}, guided)",
    "Infer({method: 'SMC', importance: 'autoGuide', particles: 4000, params: params}, guided)",
  ]) {
    test(`${call} corrects a guide that is off`, async () => {
      const result = (await run(`${CONJUGATE} var params = {m: 0.6, s: 0.5}; ${call}`)) as Result<number>;
      const { ess, khat } = result.diagnostics as { ess: number; khat: number };
      expectPosterior(result, ess);
      expect(result.logZ).toBeCloseTo(EVIDENCE, 1);
      // Wider than the posterior, so that the weights are bounded.
      expect(ess).toBeGreaterThan(2000);
      expect(khat).toBeLessThan(0.5);
      expect(show(result)).toMatch(/^4000 samples, log evidence -2\.\d+, guide worth \d+ samples \(k̂ -?[\d.]+\):/);
    });
  }

  test('a guide much too narrow is called unreliable', async () => {
    const result = (await run(
      `${CONJUGATE} Infer({method: 'importance', guide: true, samples: 2000, params: {m: 1, s: -2}}, guided)`,
    )) as Result<number>;
    expect(result.diagnostics!.khat).toBeGreaterThan(0.7);
    expect(show(result)).toMatch(/unreliable\):/);
  });

  test('importance: ignoreGuide and likelihood weighting draw from the prior', async () => {
    const [smc, weighted] = (await run(`${CONJUGATE} var off = {m: 50, s: -5};
      [Infer({method: 'SMC', importance: 'ignoreGuide', particles: 3000, params: off}, guided),
       Infer({method: 'importance', samples: 3000, params: off}, guided)]`)) as Result<number>[];
    for (const result of [smc, weighted]) {
      expectPosterior(result, result.diagnostics!.effectiveSampleSize as number);
      expect(result.diagnostics).not.toHaveProperty('khat');
    }
  });

  test('executions that a guide makes impossible count against it', async () => {
    const result = (await run(`Infer({method: 'importance', guide: true, samples: 1000}, function() {
      var b = sample(Bernoulli({p: 0.5}), {guide: Bernoulli({p: 0.5})});
      condition(b);
      return b;
    })`)) as Result<boolean>;
    expect(result.diagnostics!.ess).toBe(result.samples.length);
    expect(result.samples.length).toBeLessThan(600);
  });

  test('a choice made twice at one place has the parameters that Optimize gave it', async () => {
    const [names, drawn] = (await run(`
      var model = function() {
        return [1, 2].map(function(n) {
          var x = sample(Gaussian({mu: 0, sigma: 1}));
          observe(Gaussian({mu: x, sigma: 0.1}), n);
          return x;
        });
      };
      var params = Optimize(model, {steps: 1500, optMethod: {adam: {stepSize: 0.02}}});
      [_.keys(params).length, Infer({method: 'SMC', importance: 'autoGuide', particles: 500, params: params}, model)]
    `)) as [number, Result<number[]>];
    expect(names).toBe(4);
    expect(drawn.diagnostics!.ess).toBeGreaterThan(50);
    const [first, second] = [0, 1].map((i) => mean(drawn.samples.map(({ value }) => value[i])));
    expect(first).toBeCloseTo(1 / 1.01, 1);
    expect(second).toBeCloseTo(2 / 1.01, 1);
  });
});

describe('the option params', () => {
  test('is taken by every method, and leaves the parameters of the run alone', async () => {
    const code = `
      var model = function() { return sample(Bernoulli({p: modelParam({name: 'p'})})) ? param({name: 'a'}) : 0; };
      var params = {p: 1, a: 7};
      setParams({p: 0, a: 1});
      [map(function(method) { return Infer({method: method, params: params}, model).support(); },
           ['enumerate', 'rejection', 'MCMC', 'SMC', 'incrementalMH', 'PMCMC', 'importance', 'forward', 'automatic']),
       Infer({params: params}, model).support(), SMC(model, {params: params}).support(), getParams().a.data[0],
       Infer({method: 'enumerate'}, model).support()]`;
    expect(await run(code)).toEqual([Array(9).fill([7]), [7], [7], 1, [0]]);
  });

  test('gives drift kernels their parameters', async () => {
    const result = (await run(`Infer({method: 'MCMC', samples: 500, params: {width: 0.001}}, function() {
      return sample(Gaussian({mu: 0, sigma: 1}), {
        driftKernel: function(x) { return Gaussian({mu: x, sigma: param({name: 'width'})}); }
      });
    })`)) as Result<number>;
    const values = valuesOf(result);
    const steps = values.slice(1).map((x, i) => Math.abs(x - values[i]));
    expect(Math.max(...steps)).toBeLessThan(0.01);
    expect(Math.max(...steps)).toBeGreaterThan(0);
  });

  test('is what getParams gives while it is optimised', async () => {
    const code = `
      setParams({a: 5});
      var model = function() { factor(-modelParam({name: 'a'})); };
      Optimize(model, {steps: 2, optMethod: {sgd: {stepSize: 1}}, params: {a: 1},
        onStep: function() { display(getParams().a.data[0]); }, onFinish: function() { display(getParams().a.data[0]); }});
      display(getParams().a.data[0]);`;
    const settings = quietRun(1);
    (await loadProgram({ code })).run(settings);
    expect(settings.texts).toEqual(['0', '-1', '-1', '5']);
  });

  test('is checked', async () => {
    const model = 'function() { return 1; }';
    for (const [params, message] of [
      ['3', /^forward: params needs parameters by name, as Optimize returns them; got 3\.$/],
      ['[1]', /got an array of length 1/],
      ['Vector([1])', /got a tensor of dims/],
      ["{a: 'x'}", /each a tensor, or a number; 'a' is the string "x"/],
    ] as const) {
      await expect(run(`Infer({method: 'forward', params: ${params}}, ${model})`)).rejects.toThrow(message);
    }
    await expect(run(`Infer({method: 'forward', parms: {}}, ${model})`)).rejects.toThrow(/Did you mean 'params'\?/);
    await expect(run(`Optimize(${model}, {params: {a: 'x'}})`)).rejects.toThrow(/Optimize: params needs parameters/);
  });

  test('of another shape than declared is an error', async () => {
    await expect(
      run(`Infer({method: 'forward', params: {w: 1}}, function() {
      return param({name: 'w', dims: [2, 1]});
    })`),
    ).rejects.toThrow(/'w' has dims \[1\], and is declared here with \[2, 1\]/);
  });
});

describe('modelParam', () => {
  test('once learned, is given to methods that know nothing of guides', async () => {
    const result = (await run(`
      var model = function() {
        var p = sigmoid(modelParam({name: 'p'}));
        var x = flip(p);
        condition(x || flip(0.5));
        return x;
      };
      Infer({method: 'enumerate', params: {p: 0}}, model)`)) as Result<boolean>;
    expect(Math.exp(result.score(true))).toBeCloseTo(2 / 3, 10);
  });

  test('not learned, it has no distribution to draw from', async () => {
    await expect(run(`Infer({method: 'rejection'}, function() { return modelParam({name: 'p'}); })`)).rejects.toThrow(
      /ImproperUniform cannot be drawn from/,
    );
  });

  test('is left alone by rejuvenation', async () => {
    const values = (await run(`Infer({method: 'SMC', particles: 50, rejuvSteps: 3, params: {m: 2}}, function() {
      var m = modelParam({name: 'm'});
      var x = sample(Gaussian({mu: m, sigma: 1}));
      observe(Gaussian({mu: x, sigma: 1}), 2);
      return m;
    }).support()`)) as number[];
    expect(values).toEqual([2]);
  });
});

/** Section 5 of the paper, with its listings as they are printed but for what comments say. */
describe('section 5 of the paper', () => {
  const GMM = `
globalStore.data = loadData('data.json');
var nComps = 3;
var guideNet = nn.mlp(1, [{nOut: 3, activation: nn.sigmoid}, {nOut: nComps-1}], 'guideNet');
var model = function() {
   var theta_x = simplex(modelParam({dims: [nComps-1, 1], name: 'theta_x'}));
   var params_y = [
      {mu: modelParam({name: 'mu1', mu: -5}), sigma: softplus(modelParam({name: 's1'}))},
      {mu: modelParam({name: 'mu2'}), sigma: softplus(modelParam({name: 's2'}))},
      {mu: modelParam({name: 'mu3', mu: 5}), sigma: softplus(modelParam({name: 's3'}))}
   ];
   var latents = mapData({data: globalStore.data}, function(y) {
      var nnInput = Vector([y]);
      var nnOutput = nnEval(guideNet, nnInput);
      var x = sample(Discrete({ps: theta_x}), {
         guide: Discrete({ps: simplex(nnOutput)}) // printed without {ps: …}
      });
      observe(Gaussian(params_y[x]), y);
      return {x: x};
   });
   return latents;
};
`;
  /** The guide learns from dreams first: it would otherwise start by mixing up the components, and they would merge. */
  const TRAIN = `
Optimize(model, {steps: 400, estimator: {dream: {samples: 2}}, optMethod: {adam: {stepSize: 0.1}}});
var params = Optimize(model, {
   steps: 200,
   optMethod: {adam: {stepSize: 0.05}}
});
`;
  let learned: Params;

  beforeAll(async () => {
    const centres = [-6, 0, 6];
    const data = Array.from({ length: 9 }, (_, i) => centres[i % 3] + 0.5 * Math.sin(i));
    writeFileSync(join(folder, 'data.json'), JSON.stringify(data));
    writeFileSync(join(folder, 'data_test.json'), JSON.stringify([6.2, -5.8, 0.1]));
    learned = (await run(`${GMM}${TRAIN}params`, 4)) as Params;
    const mus = ['mu1', 'mu2', 'mu3'].map((name) => learned[name].data[0]);
    for (const [i, mu] of mus.entries()) expect(Math.abs(mu - centres[i])).toBeLessThan(0.5);
    writeFileSync(
      join(folder, 'params.json'),
      JSON.stringify(
        Object.fromEntries(
          Object.entries(learned).map(([name, { dims, data: numbers }]) => [name, { dims, data: [...numbers] }]),
        ),
      ),
    );
  });

  const USE = `${GMM}var params = loadParams('params.json');\nglobalStore.data = loadData('data_test.json');\n`;
  const assigned = [{ x: 2 }, { x: 0 }, { x: 1 }];

  test('predicting latent variables of new data', async () => {
    expect(await run(`${USE}sample(Infer({method: 'forward', guide: true, params: params}, model));`)).toEqual(
      assigned,
    );
    // The listing passes no model here.
    expect(await run(`${USE}sample(Infer({method: 'SMC', particles: 100, params: params}, model));`)).toEqual(assigned);
  });

  test('generating synthetic data', async () => {
    const values = (await run(`${USE}
var modelGen = function() {
   var theta_x = simplex(modelParam({dims: [nComps-1, 1], name: 'theta_x'}));
   var params_y = [
      {mu: modelParam({name: 'mu1'}), sigma: softplus(modelParam({name: 's1'}))},
      {mu: modelParam({name: 'mu2'}), sigma: softplus(modelParam({name: 's2'}))},
      {mu: modelParam({name: 'mu3'}), sigma: softplus(modelParam({name: 's3'}))}
   ];
   var x = sample(Discrete({ps: theta_x}));
   return sample(Gaussian(params_y[x]));
};
repeat(300, function() { return sample(Infer({method: 'forward', guide: true, params: params, samples: 1}, modelGen)); });
`)) as number[];
    const near = (centre: number): number => values.filter((x) => Math.abs(x - centre) < 3).length;
    for (const centre of [-6, 0, 6])
      expect(Math.abs(near(centre) - 100)).toBeLessThan(5 * Math.sqrt((300 * 2) / 9) + 30);
    expect(near(-6) + near(0) + near(6)).toBeGreaterThan(290);
  });

  test('further optimisation, for other data', async () => {
    writeFileSync(join(folder, 'shifted.json'), JSON.stringify([-5, -5.2, 1, 1.2, 7, 7.2]));
    const [before, after] = (await run(`${USE}
globalStore.data = loadData('shifted.json');
var newParams = Optimize(model, {
   steps: 300,
   optMethod: {adam: {stepSize: 0.05}},
   params: params
});
[params, newParams]`)) as [Params, Params];
    ['mu1', 'mu2', 'mu3'].forEach((name, i) => {
      expect(before[name].data[0]).toBe(learned[name].data[0]);
      expect(Math.abs(after[name].data[0] - [-5.1, 1.1, 7.1][i])).toBeLessThan(0.4);
    });
  });

  test('further optimisation, of another program that shares names', async () => {
    const params = (await run(`var params = loadParams('params.json');
Optimize(function() { factor(-Math.pow(modelParam({name: 'mu3'}) - modelParam({name: 'new', mu: 9, sigma: 0}), 2)); },
  {steps: 1, optMethod: {sgd: {stepSize: 0.25}}, params: params})`)) as Params;
    const { data } = learned.mu3;
    // One step of a quarter of the gradient takes each half way to the other.
    expect(params.mu3.data[0]).toBeCloseTo((data[0] + 9) / 2, 10);
    expect(params.new.data[0]).toBeCloseTo((data[0] + 9) / 2, 10);
    expect(params.mu1).toEqual(new Tensor([1], learned.mu1.data));
  });
});
