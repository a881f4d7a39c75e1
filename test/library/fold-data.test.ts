import { describe, expect, test } from 'vitest';
import { exactElbo, exactGradient } from '../optimize/exact-elbo.ts';
import { expectMean, gradientMoments, modelOf, tableOf } from '../optimize/gradient-samples.ts';
import { failure, numbersOf, runProgram } from '../optimize/run-optimize.ts';

const worth = async (code: string): Promise<unknown> => (await runProgram(code)).value;

describe('foldData', () => {
  test('hands the state from item to item', async () => {
    expect(await worth('foldData({data: [3, 1, 2], init: [9]}, function(s, x, i) { return s.concat(x * 10 + i); })')).toEqual([9, 30, 11, 22]); // biome-ignore format: one thought
    expect(await worth('foldData({data: [], init: 7}, function(s, x) { return s + x; })')).toBe(7);
    expect(await worth('foldData({data: Vector([1, 2]), init: 0}, function(s, x) { return s + x; })')).toBe(3);
    const sums = `foldData({data: [3, 1, 2], init: [], backwards: {init: 0, fn: function(h, x) { return h + x; }}},
      function(s, x, i, ahead) { return s.concat(ahead); })`;
    expect(await worth(sums)).toEqual([6, 3, 2]);
    const rows = 'foldData({data: Matrix([[1, 2], [3, 4]]), init: 0}, function(s, row) { return s + T.get(row, 1); })';
    expect(await worth(rows)).toBe(6);
  });

  test.each([
    ['foldData([1, 2], function(s) { return s; })', /^foldData takes its data and its first state in an object, as in foldData\(\{data, init\}, fn\)/],
    ['foldData({data: [1]}, function(s) { return s; })', /^foldData needs init, as in foldData\(\{data, init\}, fn\)\./],
    ['foldData({data: [1], init: 0, batchSize: 2}, function(s) { return s; })', /^foldData has no option 'batchSize'; it takes data, init, backwards\. For minibatches of sequences, call it inside mapData\./],
    ['foldData({data: [1, 2], init: 0}, function(s, x) { if (x > 5) { return x; } })', /^foldData: the function returned nothing for item 0; it must return the next state\./],
    [
      'foldData({data: [1], init: 0, backwards: 2}, function(s) { return s; })',
      /^foldData: backwards must be an object \{init, fn\}, got 2\./,
    ],
    [
      'Infer(function() { foldData({data: [1], init: 0, backwards: {init: 0, fn: function() { return flip(); }}}, function(s) { return s; }) })',
      /^foldData: the function of backwards must not call sample, observe, factor or condition\./,
    ],
    ['foldData({data: [1], init: 0}, 3)', /foldData\(\{data, init\}, fn\)/],
  ])('%s is an error', async (code, message) => {
    expect(await failure(code)).toMatch(message);
  }); // biome-ignore format: one row each
});

/** Hidden Markov chains of different length, with discrete and continuous choices in each step. */
const CHAINS = `
  var sequences = [[0.3, -0.2, 1.1], [0.5], [1.2, 0.4], [], [0.1, 0.2]];
  var step = function(x, y, i, ahead) {
    var up = sample(Bernoulli({p: sigmoid(x)}), {guide: Bernoulli({p: sigmoid(param({name: 'u'}) * (ahead === undefined ? y : ahead))})});
    var next = sample(Gaussian({mu: up ? x + 1 : x - 1, sigma: 1}), {
      guide: Gaussian({mu: param({name: 'a'}) * x + y + (up ? 0.5 : 0), sigma: softplus(param({name: 's'}))})});
    observe(Gaussian({mu: next, sigma: softplus(modelParam({name: 'v'}))}), y);
    return next;
  };`;

/** A pass from the last item to the first, for guides. */
const BACKWARDS = ", backwards: {init: 0, fn: function(h, y) { return Math.tanh(param({name: 'back'}) * h + y); }}";

describe('sequences of different length inside mapData', () => {
  const optimize = (options: string, estimator: string, backwards: string): string => `${CHAINS}
    Optimize(function() {
      var start = sample(Gaussian({mu: 0, sigma: 1}), {guide: Gaussian({mu: param({name: 'm'}), sigma: 1})});
      mapData({data: sequences${options}}, function(sequence) {
        var last = foldData({data: sequence, init: start${backwards}}, step);
        observe(Gaussian({mu: last, sigma: 1}), 0.7);
      });
    }, {steps: 12, optMethod: {adam: {stepSize: 0.05}}, estimator: ${estimator},
      onFinish: function(result) { globalStore.history = result.history; }});
    [getParams(), globalStore.history]`;

  test.each([
    ['', "'ELBO'"],
    [', batchSize: 3', '{ELBO: {samples: 2}}'],
    ['', '{IWAE: {samples: 3}}'],
    ['', "'ELBO'", BACKWARDS],
  ])('side by side and one by one find the same%s, %s', async (options, estimator, backwards = '') => {
    const learned = async (sequential: boolean): Promise<{ numbers: number[]; text: string }> => {
      const engine = { sequential, explainBatching: true };
      const { value, warnings } = await runProgram(optimize(options, estimator, backwards), { engine });
      const [params, history] = value as [object, number[]];
      return { numbers: [...history, ...Object.values(numbersOf(params)).flat()], text: warnings.join('\n') };
    };
    const together = await learned(false);
    const { numbers } = await learned(true);
    together.numbers.forEach((x, i) => {
      expect(Math.abs(x - numbers[i])).toBeLessThan(1e-9 * Math.max(1, Math.abs(numbers[i])));
    });
    expect(together.text).not.toMatch(/one by one/);
  });

  test('have the exact gradient in the mean', async () => {
    const model = await modelOf(`var step = function(on, y) {
        var next = sample(Bernoulli({p: on ? 0.8 : 0.3}), {guide: Bernoulli({p: sigmoid(param({name: 'a'}) * y + (on ? param({name: 'b'}) : 0))})});
        observe(Gaussian({mu: next ? modelParam({name: 'mu'}) : 0, sigma: 1}), y);
        return next;
      };
      var model = function() {
        mapData({data: [[0.3, -0.2, 1.1], [], [0.5]]}, function(sequence) {
          foldData({data: sequence, init: true}, step);
        });
      }; model`);
    const table = tableOf({ a: 0.4, b: -0.3, mu: 0.8 });
    const exact = exactGradient(model, table);
    const { gradients, objective } = gradientMoments(model, table, {}, 300);
    expectMean(objective.mean, objective.standardError, exactElbo(model, table), 'ELBO');
    for (const [name, slopes] of exact) {
      const { mean, standardError } = gradients.get(name)!;
      expectMean(mean[0], standardError[0], slopes[0], name);
    }
  });
});

test('SMC filters with the same program', async () => {
  // x ~ N(0.9 x, 1), y ~ N(x, 0.5): the filter's mean, and the evidence, are those of Kalman.
  const ys = [0.8, 1.1, 0.4, -0.3];
  let [mean, variance, evidence] = [0, 0, 0];
  for (const y of ys) {
    [mean, variance] = [0.9 * mean, 0.81 * variance + 1];
    const total = variance + 0.25;
    evidence += -0.5 * (Math.log(2 * Math.PI * total) + (y - mean) ** 2 / total);
    [mean, variance] = [mean + (variance / total) * (y - mean), (variance * 0.25) / total];
  }
  const value = (await worth(`var d = Infer({method: 'SMC', particles: 4000, model: function() {
      return foldData({data: [${ys}], init: 0}, function(x, y) {
        var next = gaussian(0.9 * x, 1);
        observe(Gaussian({mu: next, sigma: 0.5}), y);
        return next;
      });
    }});
    [expectation(d), d.normalizationConstant]`)) as [number, number];
  // Standard deviations over seeds are about a hundredth.
  expect(Math.abs(value[0] - mean)).toBeLessThan(0.05);
  expect(Math.abs(value[1] - evidence)).toBeLessThan(0.1);
});
