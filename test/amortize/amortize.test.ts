import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { failure, runProgram } from '../optimize/run-optimize.ts';

const folder = mkdtempSync(join(tmpdir(), 'waymark-amortize-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** The mean of a Gaussian, of which the evidence is known. */
const MEAN = `
  var model = function(data) {
    var mu = gaussian(0, 2);
    map(function(y) { observe(Gaussian({mu: mu, sigma: 1}), y); }, data);
    return mu;
  };`;

/** log ∫ N(mu; 0, 2) Π N(y; mu, 1) d mu. */
function evidence(data: readonly number[]): number {
  const n = data.length;
  const sum = data.reduce((a, b) => a + b, 0);
  const squares = data.reduce((a, b) => a + b * b, 0);
  const precision = 1 / 4 + n;
  return -0.5 * (n * Math.log(2 * Math.PI) + Math.log(4 * precision) + squares - (sum * sum) / precision);
}

interface Shown {
  readonly mean: number;
  readonly logZ: number;
  readonly ess: number;
  readonly unseen: number;
}

const SHOW = `var show = function(p) {
  return {mean: expectation(p), logZ: p.logZ, ess: p.diagnostics.ess, unseen: p.diagnostics.unseen};
};`;

const run = async <R>(code: string): Promise<R> => (await runProgram(`${SHOW} ${code}`)).value as R;

describe('a network for a Gaussian mean', () => {
  test('starts as the prior, and comes to know the posterior of data of any length', async () => {
    const file = join(folder, 'mean.net');
    const [before, likelihood, after, longer, again] = await run<Shown[]>(`${MEAN}
      var net0 = Amortize(model, {example: [0.1, 3.2, 3.0], steps: 0});
      var net = Amortize(model, {exampleOf: function() { return repeat(1 + randomInteger(5), function() { return 0; }); },
                                 steps: 400, samples: 64});
      net.save('${file}');
      var loaded = Amortize.load('${file}', model);
      var data = [1.5, 2, 1.8];
      [ show(net0.posterior(data, {samples: 1000})),
        show(Infer({method: 'importance', samples: 1000, model: function() { return model(data); }})),
        show(net.posterior(data, {samples: 1000})),
        show(net.posterior([1.5, 2, 1.8, 1.2, 0.9], {samples: 1000})),
        show(loaded.posterior(data, {samples: 1000})) ]`);
    const exact = evidence([1.5, 2, 1.8]);
    // The variance of a weight, relative to its mean squared, is n / ess − 1.
    const tolerance = (ess: number): number => 4 * Math.sqrt((1000 / ess - 1) / 1000) + 1e-3;
    expect(Math.abs(before.logZ - exact)).toBeLessThan(tolerance(before.ess));
    expect(Math.abs(after.logZ - exact)).toBeLessThan(tolerance(after.ess));
    expect(Math.abs(longer.logZ - evidence([1.5, 2, 1.8, 1.2, 0.9]))).toBeLessThan(tolerance(longer.ess));
    // With a standard deviation of 0.55, and as many draws as the effective sample size says.
    expect(Math.abs(after.mean - 5.3 / 3.25)).toBeLessThan((4 * 0.555) / Math.sqrt(after.ess));
    expect(before.ess).toBeLessThan(400);
    expect(likelihood.logZ).toBeCloseTo(before.logZ, 0);
    expect(after.ess).toBeGreaterThan(900);
    expect(longer.ess).toBeGreaterThan(750);
    expect(again.ess).toBeGreaterThan(900);
    expect(after.unseen).toBe(0);
  });

  test('refuses a file of other choices', async () => {
    const file = join(folder, 'other.net');
    const message = await failure(`${MEAN}
      var other = function(data) {
        var mu = gamma(2, 1);
        observe(Gaussian({mu: mu, sigma: 1}), data[0]);
        return mu;
      };
      Amortize(model, {example: [1], steps: 0}).save('${file}');
      Amortize.load('${file}', other);`);
    expect(message).toMatch(
      /does not fit this program\. It was trained for 1 choices, and the program has others: Gamma at/,
    );
  });

  test('asks for an example', async () => {
    expect(await failure(`${MEAN} Amortize(model, {steps: 1});`)).toMatch(/either example, .* or exampleOf/);
    expect(await failure(`${MEAN} Amortize(model, {example: [1], stepz: 1});`)).toMatch(
      /no option 'stepz'.*did you mean 'steps'/i,
    );
  });
});
