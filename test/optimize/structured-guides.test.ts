/** Guides with choices of their own, and mixtures of guides: exact gradients, bounds that stay bounds, weights with the right mean. */
import { expect, test } from 'vitest';
import type { GradientsOption } from '../../src/optimize/sites/rule.ts';
import { slopesOf } from './exact-elbo.ts';
import { exactStructuredElbo } from './exact-structured.ts';
import { expectMean, gradientMoments, modelOf, tableOf } from './gradient-samples.ts';

interface Structured {
  readonly code: string;
  readonly params: Readonly<Record<string, number>>;
  /** Steps; those that leave nothing to chance need few. */
  readonly steps: number;
}

const TWO = `Mixture({ps: [sigmoid(param({name: 'w'})), 1 - sigmoid(param({name: 'w'}))], dists: [
  Gaussian({mu: param({name: 'a'}), sigma: 0.8}), Gaussian({mu: param({name: 'b'}), sigma: softplus(param({name: 's'}))})]})`;

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
    steps: 400,
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
    for (const [name, slopes] of exact) {
      const { mean, standardError } = found.gradients.get(name)!;
      slopes.forEach((slope, k) => {
        expectMean(mean[k], standardError[k], slope, `${gradients}: ${name}`);
      });
    }
    const few = (model: () => unknown, steady: boolean) => gradientMoments(model, table, {}, 4, { warmUp: 1, steady, gradients }).gradients; // biome-ignore format: one thought
    const together = few(await modelOf(code), true);
    for (const [name, { mean }] of few(await modelOf(code, true), false)) {
      expect(together.get(name)!.mean[0], name).toBeCloseTo(mean[0], 6);
    }
  }
});
