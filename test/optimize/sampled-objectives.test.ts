import { describe, expect, test } from 'vitest';
import type { Estimator } from '../../src/optimize/estimator.ts';
import { iwae } from '../../src/optimize/iwae.ts';
import { rws } from '../../src/optimize/rws.ts';
import { exactBound, exactEvidence, wakeTeaching } from './exact-bound.ts';
import { slopesOf } from './exact-elbo.ts';
import { expectMean, gradientMoments, type Moments, modelOf, tableOf } from './gradient-samples.ts';
import { SMALL_PROGRAMS } from './programs.ts';
import { failure, numbersOf, runProgram } from './run-optimize.ts';

const IWAE = iwae as unknown as Estimator<object>;
const RWS = rws as unknown as Estimator<object>;

/** Weights of parts of a datum bound nothing. */
const LEFT_OUT = ['nested minibatches', 'ragged nested data, with continuous choices of their own'];
const PROGRAMS = Object.entries(SMALL_PROGRAMS).filter(([name]) => !LEFT_OUT.includes(name));

/** Every program side by side, and every sixth step by step, which takes ten times as long. */
const CASES = PROGRAMS.flatMap(([name, program], turn) => {
  const compiled = { name: `${name}, side by side and compiled`, plain: false, ...program };
  return turn % 6 === 3 ? [compiled, { name: `${name}, step by step`, plain: true, ...program }] : [compiled];
});

/** Whether the samples are of data: in these programs, where there are data. */
const isOfData = (code: string): boolean => code.includes('mapData(');

function expectSlopes(gradients: Map<string, Moments>, exact: Map<string, Float64Array>): void {
  for (const [name, slopes] of exact) {
    const { mean, standardError } = gradients.get(name)!;
    slopes.forEach((slope, k) => {
      expectMean(mean[k], standardError[k], slope, `${name}[${k}]`);
    });
  }
}

test.each(CASES)('the importance-weighted bound and its gradient: $name', async ({ code, params, plain }) => {
  const model = await modelOf(code, plain);
  const table = tableOf(params);
  const bound = (moved: typeof table): number => exactBound(model, moved, 2, isOfData(code));
  const settings = { steady: !plain, estimator: IWAE };
  const { gradients, objective } = gradientMoments(model, table, { samples: 2 }, plain ? 100 : 250, settings);
  expectMean(objective.mean, objective.standardError, bound(table), 'the bound');
  expectSlopes(gradients, slopesOf(bound, table));
});

const DISCRETE = [
  'a discrete choice of three, then one that depends on it',
  'parameters directly in the model',
  'a mixture: data that pick from arrays',
];

test.each(DISCRETE)('what reweighted wake–sleep teaches awake: %s', async (name) => {
  const { code, params } = SMALL_PROGRAMS[name];
  const model = await modelOf(code);
  const table = tableOf(params);
  const { gradients } = gradientMoments(model, table, { samples: 3 }, 300, { estimator: RWS });
  expectSlopes(gradients, slopesOf(wakeTeaching(model, table, 3, 1, isOfData(code)), table));
});

describe('more samples', () => {
  test('make the bound tighter, up to the evidence', async () => {
    const { code, params } = SMALL_PROGRAMS['a discrete choice of three, then one that depends on it'];
    const model = await modelOf(code);
    const table = tableOf(params);
    const bounds = [1, 2, 4, 64].map(
      (samples) => gradientMoments(model, table, { samples }, 400, { estimator: IWAE }).objective,
    );
    const evidence = exactEvidence(model, table);
    bounds.forEach(({ mean, standardError }, i) => {
      if (i > 0) expect(mean).toBeGreaterThan(bounds[i - 1].mean);
      expect(mean).toBeLessThan(evidence + 4 * standardError);
    });
    expect(bounds[3].mean).toBeGreaterThan(evidence - 0.05);
  });

  test('do not drown what pathwise guides learn: at the posterior there is nothing left to learn, and no noise', async () => {
    const model = await modelOf(`var model = function() {
      mapData({data: [1, -0.5]}, function(y) {
        var z = sample(Gaussian({mu: 0, sigma: 1}), {guide: Gaussian({mu: param({name: 'a'}) * y, sigma: param({name: 's'})})});
        observe(Gaussian({mu: z, sigma: 1}), y);
      });
    }; model`);
    const table = tableOf({ a: 0.5, s: Math.SQRT1_2 });
    const { gradients } = gradientMoments(model, table, { samples: 8 }, 20, { estimator: IWAE });
    for (const { mean, variance } of gradients.values()) {
      expect(Math.abs(mean[0])).toBeLessThan(1e-12);
      expect(variance[0]).toBeLessThan(1e-20);
    }
  });
});

describe('what samples are of', () => {
  const learn = async (body: string, samples: string): Promise<number> => {
    const { value } = await runProgram(`var model = function() { ${body} };
      Optimize(model, {steps: 300, optMethod: {sgd: {stepSize: 0}}, checkGradients: false, estimator: {IWAE: ${samples}},
        onFinish: function(result) { globalStore.mean = listMean(result.history); }});
      globalStore.mean`);
    return value as number;
  };
  const local = `var zs = mapData({data: [2, 2, 2, 2]}, function(y) {
    var z = sample(Gaussian({mu: 0, sigma: 1}), {guide: Gaussian({mu: param({name: 'm'}), sigma: 1})});
    observe(Gaussian({mu: z, sigma: 1}), y);
    return z;
  });`;

  test('single data have tighter bounds than all of them together', async () => {
    const perDatum = await learn(local, '{samples: 8}');
    const perExecution = await learn(local, "{samples: 8, per: 'execution'}");
    expect(perDatum).toBeGreaterThan(perExecution + 0.3);
    // Using what mapData returns makes the data part of one whole; so does writing what others can read.
    expect(await learn(`${local} factor(0 * zs[0]);`, '{samples: 8}')).toBeCloseTo(perExecution, 6);
    const writes = local.replace('return z;', 'globalStore.z = z;');
    expect(await learn(writes, '{samples: 8}')).toBeCloseTo(perExecution, 6);
  });

  test('where that was asked for and cannot be, an error says so', async () => {
    const optimize = (body: string, options: string): string =>
      `Optimize(function() { ${body} }, {steps: 2, estimator: {IWAE: ${options}}})`;
    expect(await failure(optimize(`${local} factor(0 * zs[0]);`, "{per: 'datum'}"))).toMatch(
      /^per: 'datum' asks for samples of single data, but what follows depends on them, because the program uses what mapData returns\. Leave the option out, or write per: 'execution'\./,
    );
    expect(await failure(optimize('flip(0.5);', "{per: 'datum'}"))).toMatch(
      /^per: 'datum' asks for samples of single data, and the model has no mapData\./,
    );
    const batches = local.replace('2]}', '2], batchSize: 2}');
    expect(await failure(optimize(batches, "{per: 'execution'}"))).toMatch(
      /^The mapData at .* looks at a minibatch, within what is weighed as a whole/,
    );
  });
});

describe('several objectives', () => {
  const optimize = (estimator: string): string => `var model = function() {
      mapData({data: [1, 2]}, function(y) {
        var z = sample(Gaussian({mu: modelParam({name: 'mu'}), sigma: 1}), {guide: Gaussian({mu: param({name: 'a'}) * y, sigma: 1})});
        observe(Gaussian({mu: z, sigma: 1}), y);
      });
    };
    Optimize(model, {steps: 1, optMethod: {sgd: {stepSize: 0.01}}, checkGradients: false, estimator: ${estimator}})`;
  const moved = async (estimator: string): Promise<Record<string, number[]>> =>
    numbersOf((await runProgram(optimize(estimator))).value);

  test('add up, each as often as it counts', async () => {
    const [start, one, two] = [await moved('[{ELBO: 1e-300}]'), await moved("'ELBO'"), await moved('[{ELBO: 2}]')];
    for (const name of ['mu', 'a']) {
      expect(two[name][0] - start[name][0]).toBeCloseTo(2 * (one[name][0] - start[name][0]), 12);
    }
    const mixed = await moved("['ELBO', {dream: {samples: 2}, weight: 0.5}]");
    expect(mixed.mu[0]).toBeCloseTo(one.mu[0], 12);
    expect(mixed.a[0]).not.toBeCloseTo(one.a[0], 6);
  });

  test.each([
    ['[{ELBO: 0}]', /the weight of ELBO \(item 1 of the list\) must be a finite number greater than 0, got 0\./],
    ["['ELBO', {dreams: 1}]", /item 2 of the list must be a name such as 'ELBO', \{ELBO: weight\}/],
    ['[{ELBO: 1, dream: 0.5}]', /item 1 of the list must be/],
    [
      '[]',
      /estimator must be one of .* or a list of objectives with weights, such as \[\{ELBO: 1\}, \{dream: 0\.5\}\]/,
    ],
    ['{RWS: {dream: 2}}', /dream must be a number from 0 to 1, got 2/],
  ])('%s is refused', async (estimator, message) => {
    expect(await failure(optimize(estimator))).toMatch(message);
  });
});

test('the truth is found by reweighted wake–sleep and by wake–sleep', async () => {
  for (const estimator of ['{RWS: {samples: 4, dream: 0.5}}', "'wakeSleep'"]) {
    const { value } = await runProgram(`var model = function() {
        mapData({data: [1.5, 2.5, 2, 1, 3], dreamBatchSize: 5}, function(y) {
          var z = sample(Gaussian({mu: modelParam({name: 'mu'}), sigma: 1}), {guide: Gaussian({
            mu: param({name: 'a'}) * y + param({name: 'b'}), sigma: softplus(param({name: 's'}))})});
          observe(Gaussian({mu: z, sigma: 1}), y);
        });
      };
      Optimize(model, {steps: 1000, optMethod: {adam: {stepSize: 0.02}}, estimator: ${estimator}})`);
    const { mu, a, b } = numbersOf(value);
    // The mean of the data, and the guide y ↦ (y + mu) / 2. Adam jitters by a few steps.
    expect(Math.abs(mu[0] - 2)).toBeLessThan(0.2);
    expect(Math.abs(a[0] - 0.5)).toBeLessThan(0.2);
    expect(Math.abs(a[0] * 2 + b[0] - 2)).toBeLessThan(0.25);
  }
});

test('guides learn from dreams as large a share as is asked for, however few are dreamt in a step', async () => {
  const ys = [true, false, false, true, false];
  const model = await modelOf(`var model = function() {
    mapData({data: [${ys}], dreamBatchSize: 2}, function(y) {
      var z = sample(Bernoulli({p: 0.3}), {guide: function() { return Bernoulli({p: sigmoid(param({name: 'a'}) * (y ? 1 : 0) + param({name: 'b'}))}); }});
      observe(Bernoulli({p: z ? 0.8 : 0.1}), y);
    });
  }; model`);
  const [a, b] = [0.4, -0.2];
  const guess = (y: boolean): number => 1 / (1 + Math.exp(-(y ? a + b : b)));
  /** What a pair of choice and datum teaches, counted by how often it comes up. */
  const taught = (times: (z: boolean, y: boolean) => number): [number, number] => {
    const all = [true, false].flatMap((z) => [true, false].map((y) => ({ y, slope: times(z, y) * (+z - guess(y)) })));
    const sum = (of: typeof all): number => of.reduce((total, { slope }) => total + slope, 0);
    return [sum(all.filter(({ y }) => y)), sum(all)];
  };
  const joint = (z: boolean, y: boolean): number => {
    const shows = z ? 0.8 : 0.1;
    return (z ? 0.3 : 0.7) * (y ? shows : 1 - shows);
  };
  const asleep = taught((z, y) => ys.length * joint(z, y));
  // One sample has all of the weight, whatever it is: the guide learns what it does anyway, which is nothing in the mean.
  const exact = asleep.map((slope) => 0.5 * slope);
  const settings = { estimator: RWS, gradients: 'automatic' } as const;
  const { gradients } = gradientMoments(model, tableOf({ a, b }), { samples: 1, dream: 0.5 }, 1500, settings);
  for (const [i, name] of ['a', 'b'].entries()) {
    const { mean, standardError } = gradients.get(name)!;
    expectMean(mean[0], standardError[0], exact[i], name);
  }
});
