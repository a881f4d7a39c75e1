import { describe, expect, test } from 'vitest';
import { failure, runProgram } from '../optimize/run-optimize.ts';

/** A switching walk: choices that are there or not, one after the other. */
const WALK = `
  var walk = function(i, x, data) {
    if (i === data.length) { return x; }
    var next = flip(0.3) ? gaussian(x, 2) : x + gaussian(0, 0.3);
    observe(Gaussian({mu: next, sigma: 0.5}), data[i]);
    return walk(i + 1, next, data);
  };
  var model = function(data) { return walk(0, 0, data); };
  var data = [0.3, 0.1, 2.5, 2.4];`;

const SHOW = `var show = function(p) { return {mean: expectation(p), logZ: p.logZ, ess: p.diagnostics.ess || p.diagnostics.effectiveSampleSize, unseen: p.diagnostics.unseen}; };`;

interface Shown {
  readonly mean: number;
  readonly logZ: number;
  readonly ess: number;
  readonly unseen: number;
}

/**
 * Mean and evidence of the walk: of each of the 2⁴ ways by the Kalman filter.
 */
function exactWalk(data: readonly number[]): { mean: number; logZ: number } {
  let [evidence, moment] = [0, 0];
  for (let way = 0; way < 2 ** data.length; way++) {
    let [mean, variance, log] = [0, 0, 0];
    data.forEach((y, i) => {
      const jumps = (way >> i) & 1;
      log += Math.log(jumps ? 0.3 : 0.7);
      variance += jumps ? 4 : 0.09;
      const total = variance + 0.25;
      log -= 0.5 * (Math.log(2 * Math.PI * total) + (y - mean) ** 2 / total);
      mean += (variance / total) * (y - mean);
      variance *= 0.25 / total;
    });
    evidence += Math.exp(log);
    moment += Math.exp(log) * mean;
  }
  return { mean: moment / evidence, logZ: Math.log(evidence) };
}

describe('a network in use', () => {
  test('proposes for importance sampling, SMC and MCMC, also where the data are in the model', async () => {
    const { value } = await runProgram(`${WALK} ${SHOW}
      var net = Amortize(model, {example: [0, 0, 0, 0], steps: 150, samples: 128, network: {components: 3}});
      var given = function() { return model(data); };
      [ show(net.posterior(data, {samples: 2000})),
        show(net.posterior(data, {samples: 2000, method: 'SMC'})),
        show(net.posterior(data, {samples: 400, method: 'MCMC', burn: 10})),
        show(Infer({method: 'importance', guide: net, model: given, samples: 2000})),
        show(Infer({method: 'SMC', guide: net, model: given, particles: 2000})),
        show(Infer({method: 'MCMC', guide: net.given(data), model: given, samples: 400})),
        show(net.refine(data, {steps: 50}).posterior(data, {samples: 2000})),
        show(Infer({method: 'importance', model: given, samples: 2000})) ]`);
    const all = value as Shown[];
    const { mean, logZ } = exactWalk([0.3, 0.1, 2.5, 2.4]);
    const plain = all[7];
    for (const found of [all[0], all[3], all[6]]) {
      expect(found.unseen).toBe(0);
      const error = 4.5 * Math.sqrt((2000 / found.ess - 1) / 2000);
      expect(Math.abs(Math.expm1(found.logZ - logZ))).toBeLessThan(error);
      // The standard deviation of the last state is below 0.5.
      expect(Math.abs(found.mean - mean)).toBeLessThan((4.5 * 0.5) / Math.sqrt(found.ess));
      expect(found.ess).toBeGreaterThan(3 * plain.ess);
    }
    for (const found of [all[1], all[4]]) {
      // As if a tenth of the particles were independent.
      expect(Math.abs(found.logZ - logZ)).toBeLessThan(0.3);
      expect(Math.abs(found.mean - mean)).toBeLessThan((4.5 * 0.5) / Math.sqrt(200));
    }
    // As if a quarter of the samples were independent.
    for (const found of [all[2], all[5]])
      expect(Math.abs(found.mean - mean)).toBeLessThan((4.5 * 0.5) / Math.sqrt(100));
    expect(all[6].ess).toBeGreaterThan(all[0].ess * 0.8);
  });

  test.each(['gaussian(0, 1)', 'sample(Gaussian({mu: 0, sigma: 1}), {guide: Gaussian({mu: 1, sigma: 0.8})})'])(
    'finds the data of a model that observes where it chooses nothing: %s',
    async (choice) => {
      const { value } = await runProgram(`
      const model = (ys) => { const m = ${choice}; map((y) => { observe(Gaussian({mu: m, sigma: 1}), y); }, ys); return m; };
      const net = Amortize(model, {example: [0, 0], steps: 1, samples: 32});
      const p = Infer({method: 'importance', samples: 4000, guide: net, model: () => model([1, 2])});
      [p.logZ, p.diagnostics.ess]`);
      const [logZ, ess] = value as [number, number];
      // Both are normal with variance 2 and covariance 1.
      const exact = -Math.log(2 * Math.PI) - 0.5 * Math.log(3) - 1;
      expect(Math.abs(logZ - exact)).toBeLessThan(4 * Math.sqrt((4000 / ess - 1) / 4000));
    },
  );

  test('says when it cannot find the data in a model', async () => {
    const message = await failure(`
      var model = function(data) {
        var b = gaussian(0, 1);
        map(function(d) { observe(Gaussian({mu: b * d.x, sigma: 1}), d.y); }, data);
        return b;
      };
      var net = Amortize(model, {example: [{x: 1, y: 0}, {x: 2, y: 0}], steps: 0});
      Infer({method: 'importance', guide: net, model: function() { return model([{x: 1, y: 2}]); }});`);
    expect(message).toMatch(/cannot find the data in the model: '0\.x' of them is never observed.*net\.given\(data\)/);
  });
});
