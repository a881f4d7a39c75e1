/** Guides with choices of their own, and mixtures of guides: exact gradients, bounds that stay bounds, weights with the right mean. */
import { describe, expect, test } from 'vitest';
import type { Estimator } from '../../src/optimize/estimator.ts';
import { iwae } from '../../src/optimize/iwae.ts';
import { rws } from '../../src/optimize/rws.ts';
import type { GradientsOption } from '../../src/optimize/sites/rule.ts';
import { exactBound, wakeTeaching } from './exact-bound.ts';
import { exactElbo, slopesOf } from './exact-elbo.ts';
import { exactStructuredElbo } from './exact-structured.ts';
import { expectMean, gradientMoments, type Moments, modelOf, tableOf } from './gradient-samples.ts';
import { runProgram } from './run-optimize.ts';

interface Structured {
  readonly code: string;
  readonly params: Readonly<Record<string, number>>;
  /** Steps; those that leave nothing to chance need few. */
  readonly steps: number;
}

function expectSlopes(gradients: Map<string, Moments>, exact: Map<string, Float64Array>, what: string): void {
  for (const [name, [slope]] of exact) {
    const { mean, standardError } = gradients.get(name)!;
    expectMean(mean[0], standardError[0], slope, `${what}: ${name}`);
  }
}

const TWO = `Mixture({ps: [sigmoid(param({name: 'w'})), 1 - sigmoid(param({name: 'w'}))], dists: [
  Gaussian({mu: param({name: 'a'}), sigma: 0.8}), Gaussian({mu: param({name: 'b'}), sigma: softplus(param({name: 's'}))})]})`;

/** Its own choice has too many values to sum over, and no path for gradients. */
const DRAWN = `var model = function() {
  mapData({data: [0.5, 1.5]}, function(y) {
    var x = sample(Gaussian({mu: 0, sigma: 1.5}), {guideSamples: 1, guide: function() {
      var n = sample(Binomial({n: 20, p: sigmoid(param({name: 'w'}) * y)}));
      return Gaussian({mu: param({name: 'a'}) * (n - 10), sigma: 0.9});
    }});
    observe(Gaussian({mu: x * x, sigma: 2}), y);
  });
}; model`;

const PROGRAMS: Readonly<Record<string, Structured>> = {
  'a mixture of two': {
    code: `var model = function() {
      var x = sample(Gaussian({mu: 0, sigma: 1.5}), {guide: ${TWO}});
      observe(Gaussian({mu: x * x, sigma: 2}), 1);
    }; model`,
    params: { w: 0.4, a: 1, b: -0.8, s: 0.3 },
    steps: 250,
  },
  'a mixture for each datum, by what is known of it': {
    code: `var model = function() {
      mapData({data: [0.5, 1.5, -0.7], batchSize: 2}, function(y) {
        var x = sample(Gaussian({mu: 0, sigma: 1.5}), {guide: function() {
          return Mixture({ps: [sigmoid(param({name: 'w'}) + y), 1], dists: [
            Gaussian({mu: param({name: 'a'}) * y, sigma: 0.8}), Gaussian({mu: param({name: 'b'}), sigma: 1.2})]});
        }});
        observe(Gaussian({mu: x * x, sigma: 2}), y);
      });
    }; model`,
    params: { w: 0.4, a: 1, b: -0.8 },
    steps: 250,
  },
  'a guide that flips a coin': {
    code: `var model = function() {
      mapData({data: [0.5, 1.5]}, function(y) {
        var x = sample(Gaussian({mu: 0, sigma: 1.5}), {guide: function() {
          var up = flip(sigmoid(param({name: 'w'}) * y));
          return Gaussian({mu: up ? param({name: 'a'}) : -1, sigma: up ? 0.8 : softplus(param({name: 's'}))});
        }});
        observe(Gaussian({mu: x * x, sigma: 2}), y);
      });
    }; model`,
    params: { w: 0.4, a: 1, s: 0.8 },
    steps: 250,
  },
  'coins by coins': {
    code: `var model = function() {
      var x = sample(Bernoulli({p: 0.3}), {guide: function() {
        var n = sample(Discrete({ps: [1, sigmoid(param({name: 'w'})), 0.5]}));
        return Bernoulli({p: sigmoid(param({name: 'a'}) * n - 0.5)});
      }});
      observe(Gaussian({mu: x ? 2 : 0, sigma: 1}), 1.2);
    }; model`,
    params: { w: 0.4, a: 0.7 },
    steps: 20,
  },
  'a normal choice in the guide': {
    code: `var model = function() {
      mapData({data: [0.5, 1.5]}, function(y) {
        var x = sample(Gaussian({mu: 0, sigma: 1.5}), {guideSamples: 2, guide: function() {
          var z = gaussian(param({name: 'm'}) * y, softplus(param({name: 't'})));
          return Gaussian({mu: param({name: 'a'}) * z, sigma: 0.9});
        }});
        observe(Gaussian({mu: x * x, sigma: 2}), y);
      });
    }; model`,
    params: { m: 0.5, t: 0.2, a: 0.9 },
    steps: 250,
  },
  'a choice of many values in the guide': {
    code: DRAWN,
    params: { w: 0.2, a: 0.2 },
    steps: 200,
  },
};

test.each(Object.entries(PROGRAMS).map(([name, program]) => ({ name, ...program })))('$name', async (given) => {
  const { code, params, steps } = given;
  const table = tableOf(params);
  const plain = await modelOf(code);
  const elbo = exactStructuredElbo(plain, table);
  const exact = slopesOf((moved) => exactStructuredElbo(plain, moved), table);
  for (const gradients of ['automatic', 'named'] satisfies GradientsOption[]) {
    const found = gradientMoments(await modelOf(code), table, {}, steps, { warmUp: 5, gradients });
    expectMean(found.objective.mean, found.objective.standardError, elbo, `${gradients}: the bound`);
    expectSlopes(found.gradients, exact, gradients);
    const few = (model: () => unknown, steady: boolean) => gradientMoments(model, table, {}, 4, { warmUp: 1, steady, gradients }).gradients; // biome-ignore format: one thought
    const together = few(await modelOf(code), true);
    for (const [name, { mean }] of few(await modelOf(code, true), false)) {
      expect(together.get(name)!.mean[0], name).toBeCloseTo(mean[0], 6);
    }
  }
});

describe('other objectives, with mixtures', () => {
  test('several samples weighed together', async () => {
    const { code, params } = PROGRAMS['a mixture for each datum, by what is known of it'];
    const model = await modelOf(code.replace(', -0.7], batchSize: 2', ']').replace('x * x', 'x'));
    const table = tableOf(params);
    const estimator = iwae as unknown as Estimator<object>;
    const found = gradientMoments(model, table, { samples: 2 }, 250, { estimator, gradients: 'automatic' });
    const bound = (moved: typeof table): number => exactBound(model, moved, 2, true);
    expectMean(found.objective.mean, found.objective.standardError, bound(table), 'the bound');
    expectSlopes(found.gradients, slopesOf(bound, table), 'several samples');
  });

  test('what samples teach by their weights', async () => {
    const model = await modelOf(`var model = function() {
      mapData({data: [0.5, 1.5]}, function(y) {
        var n = sample(Discrete({ps: [1, 2, 1]}), {guide: Mixture({ps: [sigmoid(param({name: 'w'}) + y), 1],
          dists: [Discrete({ps: [1, 1, sigmoid(param({name: 'a'}))]}), RandomInteger({n: 3})]})});
        observe(Gaussian({mu: n, sigma: 1}), y);
      });
    }; model`);
    const table = tableOf({ w: 0.4, a: 0.7 });
    const estimator = rws as unknown as Estimator<object>;
    const { gradients } = gradientMoments(model, table, { samples: 3 }, 300, { estimator, gradients: 'automatic' });
    expectSlopes(gradients, slopesOf(wakeTeaching(model, table, 3, 1, true), table), 'awake');
  });
});

describe('a guide that draws for itself', () => {
  const model = (samples: number): string => `var model = function() {
    var x = sample(Gaussian({mu: 0, sigma: 1}), {guideSamples: ${samples}, guide: function() {
      var z = gaussian(0.4, 0.8);
      return Gaussian({mu: z, sigma: 0.5});
    }});
    observe(Gaussian({mu: x, sigma: 1}), 1);
    return x;
  }`;
  // N(1; 0, variance 2), and the ELBO of the guide that all runs together are: N(0.4, variance 0.89).
  const logEvidence = -0.25 - 0.5 * Math.log(4 * Math.PI);
  const marginal = `var model = function() {
    var x = sample(Gaussian({mu: 0, sigma: 1}), {guide: Gaussian({mu: 0.4, sigma: Math.sqrt(0.89)})});
    observe(Gaussian({mu: x, sigma: 1}), 1);
  }; model`;

  test('has a bound that is one, and tighter with more runs, up to that of the guide it is', async () => {
    const limit = exactElbo(await modelOf(marginal), tableOf({}));
    const bounds = [];
    for (const samples of [1, 4, 40]) {
      const { objective } = gradientMoments(await modelOf(`${model(samples)}; model`), tableOf({}), {}, 3000);
      bounds.push(objective);
      expect(objective.mean).toBeLessThan(limit + 4 * objective.standardError);
      expect(objective.mean).toBeLessThan(logEvidence);
    }
    expect(bounds[1].mean).toBeGreaterThan(bounds[0].mean);
    expect(bounds[2].mean).toBeGreaterThan(bounds[1].mean);
    expect(bounds[2].mean).toBeGreaterThan(limit - 0.03);
  });

  test('draws what has too many values to try, in steps and in use', async () => {
    const { value } = await runProgram(`var model = function() {
      var x = sample(Gaussian({mu: 0, sigma: 1}), {guideSamples: 2, guide: function() {
        var bits = sample(MultivariateBernoulli({ps: Vector(repeat(40, function() { return 0.5; }))}));
        return Gaussian({mu: param({name: 'a'}) + T.sumreduce(bits) / 40, sigma: 1});
      }});
      observe(Gaussian({mu: x, sigma: 1}), 1);
      return x;
    };
    Optimize({model: model, steps: 3, verbose: false});
    expectation(Infer({method: 'importance', samples: 20, model: model}))`);
    expect(value).toSatisfy(Number.isFinite);
  });

  test('has weights with the mean that they must have', async () => {
    const n = 4000;
    const run = async (samples: number, method: string) => (await runProgram(`${model(samples)}; Infer({${method}, model: model})`)).value as Weighed; // biome-ignore format: one thought
    for (const samples of [1, 3]) {
      const { logZ, diagnostics } = await run(samples, `method: 'importance', guide: true, samples: ${n}`);
      const error = Math.sqrt((n / diagnostics.effectiveSampleSize - 1) / n);
      expect(Math.abs(Math.exp(logZ - logEvidence) - 1)).toBeLessThan(4 * error);
      const filtered = await run(samples, `method: 'SMC', particles: ${n}`);
      expect(Math.abs(Math.exp(filtered.logZ - logEvidence) - 1)).toBeLessThan(4 * error);
    }
  });
});

interface Weighed {
  readonly logZ: number;
  readonly diagnostics: { readonly effectiveSampleSize: number };
}
