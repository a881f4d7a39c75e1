/** Joint guides reach posteriors that are known. */
import { describe, expect, test } from 'vitest';
import { runProgram } from '../../optimize/run-optimize.ts';

/** A regression whose posterior is Gaussian, with a strong correlation. */
const REGRESSION = `
  var xs = [-1, -0.5, 0.2, 0.8, 1.5, 2, 2.6, 3.1];
  var ys = [-2.1, -0.7, 0.6, 1.4, 3.3, 4.2, 5.1, 6.4];
  var model = function() {
    var a = gaussian(0, 2);
    var b = gaussian(0, 2);
    mapData({data: _.zip(xs, ys)}, function(p) { observe(Gaussian({mu: a + b * p[0], sigma: 0.7}), p[1]); });
    return [a, b];
  };`;

/** Mean, covariance and log-evidence of it, by the formulas of conjugate regression. */
const exact = (() => {
  const xs = [-1, -0.5, 0.2, 0.8, 1.5, 2, 2.6, 3.1];
  const ys = [-2.1, -0.7, 0.6, 1.4, 3.3, 4.2, 5.1, 6.4];
  const [prior, noise] = [1 / 4, 1 / 0.49];
  const sum = (f: (x: number, y: number) => number): number => xs.reduce((all, x, i) => all + f(x, ys[i]), 0);
  const [p, q, r] = [prior + noise * xs.length, noise * sum((x) => x), prior + noise * sum((x) => x * x)];
  const [u, v] = [noise * sum((_, y) => y), noise * sum((x, y) => x * y)];
  const det = p * r - q * q;
  const mean = [(r * u - q * v) / det, (p * v - q * u) / det];
  const logZ =
    -0.5 * xs.length * Math.log(2 * Math.PI * 0.49) -
    0.5 * noise * sum((_, y) => y * y) +
    0.5 * (mean[0] * u + mean[1] * v) +
    Math.log(prior) -
    0.5 * Math.log(det);
  return { mean, variances: [r / det, p / det], covariance: -q / det, logZ };
})();

interface Evidence {
  readonly logZ: number;
  readonly se: number;
}

/** An optimisation that comes to rest. */
const training = (guide: string, steps: number, from: number): string =>
  `Optimize(model, {autoGuide: ${guide}, steps: ${steps}, estimator: {ELBO: {samples: 8}},
    optMethod: {adam: {stepSize: schedules.cosine({from: ${from}, to: 0, steps: ${steps}})}}});`;

/** The bound of a model and its guide as they are, with a thousand samples. */
const BOUND = `var bound = function() {
    var values = [];
    Optimize(model, {steps: 1, optMethod: {sgd: {stepSize: 1e-9}}, estimator: {ELBO: {samples: 1000}}, onStep: function(i, x) { values.push(x); }});
    return values[0];
  };`;

/** The Gaussian that parameters of full rank are, of two numbers. */
function gaussianOf(params: Record<string, { data: ArrayLike<number> }>) {
  const number = (pattern: RegExp): number[] =>
    Object.keys(params)
      .filter((name) => pattern.test(name))
      .map((name) => params[name].data[0]);
  const mean = number(/\$mu$/);
  const [first, second] = number(/\$scale$/).map((x) => Math.log1p(Math.exp(x)));
  const [reach] = number(/\$reach\$/);
  return {
    mean,
    variances: [first ** 2, second ** 2 * (1 + reach ** 2)],
    covariance: first * second * reach,
  };
}

describe('a posterior that is Gaussian', () => {
  test('fullRank: mean and covariance are those of the posterior, and the bound is the evidence', async () => {
    const { value } = await runProgram(`${REGRESSION} ${BOUND} ${training(`'fullRank'`, 600, 0.1)}
      [getParams(), bound(), evidence(model, {samples: 200})]`);
    const [params, bound, found] = value as [Record<string, { data: number[] }>, number, Evidence];
    const { mean, variances, covariance } = gaussianOf(params);
    [0, 1].forEach((k) => {
      expect(Math.abs(mean[k] - exact.mean[k])).toBeLessThan(0.05 * Math.sqrt(exact.variances[k]));
      expect(Math.abs(variances[k] / exact.variances[k] - 1)).toBeLessThan(0.05);
    });
    expect(Math.abs(covariance / exact.covariance - 1)).toBeLessThan(0.05);
    expect(bound).toBeLessThan(exact.logZ + 0.005);
    expect(bound).toBeGreaterThan(exact.logZ - 0.01);
    expect(Math.abs(found.logZ - exact.logZ)).toBeLessThan(4 * found.se);
  });

  test('laplace: exactly, after a few steps, with minibatches too', async () => {
    for (const batch of ['', ', batchSize: 3']) {
      const { value } = await runProgram(`${REGRESSION.replace('ys)}', `ys)${batch}}`)}
        Optimize(model, {autoGuide: 'laplace', steps: 20});
        [getParams(), evidence(model, {samples: 20})]`);
      const [params, found] = value as [Record<string, { data: number[] }>, Evidence];
      const { mean, variances, covariance } = gaussianOf(params);
      [0, 1].forEach((k) => {
        expect(mean[k]).toBeCloseTo(exact.mean[k], 6);
        expect(variances[k] / exact.variances[k]).toBeCloseTo(1, 6);
      });
      expect(covariance / exact.covariance).toBeCloseTo(1, 6);
      expect(Math.abs(found.logZ - exact.logZ)).toBeLessThan(1e-6);
    }
  });

  // Given their mean, numbers in a group are independent: exactly what rows on the numbers before mapData can say.
  const GROUPS = `
    var model = function() {
      var mean = gaussian(0, 2);
      mapData({data: [1, 3, -0.5, 2]}, function(y) {
        var z = gaussian(mean, 1);
        observe(Gaussian({mu: z, sigma: 0.5}), y);
      });
      return mean;
    };`;
  /** Data with variance 1.25 about a mean with variance 4. */
  const logZ = (() => {
    const ys = [1, 3, -0.5, 2];
    const precision = 1 / 4 + ys.length / 1.25;
    const sum = ys.reduce((all, y) => all + y, 0) / 1.25;
    return (
      -0.5 * ys.length * Math.log(2 * Math.PI * 1.25) -
      0.5 * Math.log(4 * precision) -
      (0.5 * ys.reduce((all, y) => all + y * y, 0)) / 1.25 +
      (0.5 * sum * sum) / precision
    );
  })();

  test('choices of data depend on those that all share: laplace and fullRank miss nothing', async () => {
    const { value } = await runProgram(`${GROUPS} ${BOUND}
      Optimize(model, {autoGuide: 'laplace', steps: 5});
      var first = evidence(model, {samples: 10});
      ${training(`'meanField'`, 300, 0.1)}
      var second = bound();
      ${training(`'fullRank'`, 400, 0.1)}
      [first, second, bound()]`);
    const [laplace, meanField, fullRank] = value as [Evidence, number, number];
    expect(Math.abs(laplace.logZ - logZ)).toBeLessThan(1e-6);
    expect(laplace.se).toBeLessThan(1e-6);
    expect(fullRank).toBeGreaterThan(logZ - 0.03);
    expect(meanField).toBeLessThan(logZ - 0.1);
  });
});

test('lowRank: one factor is all that a posterior of one factor needs', async () => {
  // Numbers that are alike: their covariance is a diagonal and one direction in which they vary together.
  const { value } = await runProgram(`
    var model = function() {
      var xs = repeat(6, function() { return gaussian(0, 1); });
      var mean = sum(xs) / 6;
      map(function(x) { observe(Gaussian({mu: x - mean, sigma: 0.5}), 0); }, xs);
    }; ${BOUND}
    ${training('{lowRank: {rank: 1}}', 500, 0.1)}
    var one = bound();
    ${training(`'meanField'`, 300, 0.1)}
    [one, bound()]`);
  const [one, none] = value as number[];
  const logZ = -3 * Math.log(2 * Math.PI * 0.25) - 2.5 * Math.log(5);
  expect(Math.abs(one - logZ)).toBeLessThan(0.05);
  expect(none).toBeLessThan(logZ - 0.3);
});

describe('flow', () => {
  const MODELS = {
    banana: ['var x = gaussian(0, 1); observe(Gaussian({mu: x * x, sigma: 0.3}), gaussian(0, 2));', 0.4],
    funnel: ['var v = gaussian(0, 2); repeat(3, function() { return gaussian(0, Math.exp(v / 2)); });', 0.4],
  } as const;

  test.each(Object.entries(MODELS))('%s: closer to the evidence than mean field', async (_name, [code, margin]) => {
    const { value } = await runProgram(`var model = function() { ${code} }; ${BOUND}
      ${training(`'meanField'`, 200, 0.1)}
      var meanField = bound();
      ${training('{flow: {hidden: 8, bins: 6}}', 500, 0.03)}
      [meanField, bound()]`);
    const [meanField, flow] = value as number[];
    expect(flow - meanField).toBeGreaterThan(margin);
  });
});
