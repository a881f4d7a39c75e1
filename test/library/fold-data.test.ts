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
    ['foldData({data: [1], init: 0, windows: 2}, function(s) { return s; })', /^foldData has no option 'windows'; it takes data, init, backwards, sumOut, batchSize, window\. Did you mean 'window'\?/],
    ['foldData({data: [[1]], init: 0, batchSize: 2}, function(s) { return s; })', /^mapData: batchSize must be a whole number from 1 to the number of items, 1; got 2\./],
    ['foldData({data: [[1]], init: 0, window: 0}, function(s) { return s; })', /^foldData: window must be a whole number of at least 1, got 0\./],
    ['foldData({data: [[1], 2], init: 0, window: 1}, function(s) { return s; })', /^foldData: with batchSize or window the data are many sequences, each an array; item 1 is 2\./],
    ['foldData({data: [1], init: 0, sumOut: 1}, function(s) { return s; })', /^foldData: sumOut must be true or false, got 1\./],
    ['Infer(function() { foldData({data: _.range(12), init: 0, sumOut: true}, function(s) { return 2 * s + (flip() ? 1 : 0); }) })', /^foldData: with sumOut there are 1024 different states after item 9, more than 1000\./],
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

/** A chain of three states, of which the first is known, seen with noise. */
const HIDDEN = `
  var step = function(w) { return function(state, y) {
    var next = sample(Discrete({ps: map(function(k) { return Math.exp(-w * Math.abs(state - k)); }, [0, 1, 2])}));
    observe(Gaussian({mu: 2 * next, sigma: 0.5 + 0.1 * w}), y);
    return next;
  }; };
  var ys = [0.3, 2.1, 1.9, -0.4, 0.2, 3.9, 4.2, 4.1];
  var sequences = [ys, ys.slice(0, 5), [2.2], [], ys.slice(2)];
  var learn = function(body, steps, stepSize) {
    var seen = [];
    var params = Optimize(function() { body(T.get(modelParam({name: 'w', dims: [1, 1], init: function() { return Vector([0.7]); }}), 0)); }, {
      params: {}, steps: steps, optMethod: {sgd: {stepSize: stepSize}}, checkGradients: false, onFinish: function(r) { seen.push(r.history); }});
    return {objectives: seen[0], gradient: (T.get(params.w, 0) - 0.7) / stepSize};
  };`;

const YS = [0.3, 2.1, 1.9, -0.4, 0.2, 3.9, 4.2, 4.1];
const SEQUENCES = [YS, YS.slice(0, 5), [2.2], [], YS.slice(2)];

/** The logarithm of the likelihood, by the forward algorithm. */
function forward(w: number, ys: readonly number[]): number {
  const sigma = 0.5 + 0.1 * w;
  const normal = (d: number) => Math.exp((-d * d) / (2 * sigma * sigma)) / (sigma * Math.sqrt(2 * Math.PI));
  const kernel = [0, 1, 2].map((from) => {
    const weights = [0, 1, 2].map((to) => Math.exp(-w * Math.abs(from - to)));
    return weights.map((weight) => weight / weights.reduce((sum, one) => sum + one));
  });
  let states = [1, 0, 0];
  let total = 0;
  for (const y of ys) {
    const next = [0, 1, 2].map(
      (to) => normal(y - 2 * to) * states.reduce((sum, p, from) => sum + p * kernel[from][to], 0),
    );
    const evidence = next.reduce((sum, one) => sum + one);
    total += Math.log(evidence);
    states = next.map((one) => one / evidence);
  }
  return total;
}

const likelihood = (w: number): number => SEQUENCES.reduce((sum, ys) => sum + forward(w, ys), 0);
const slope = (of: (w: number) => number): number => (of(0.7 + 1e-5) - of(0.7 - 1e-5)) / 2e-5;

describe('states that are summed out', () => {
  test('the likelihood is that of the forward algorithm, also where paths are too many to count', async () => {
    const long = Array.from({ length: 150 }, (_, i) => 2 + 2 * Math.sin(i / 7));
    const value = await worth(`${HIDDEN}
      Infer({method: 'enumerate', model: function() {
        return sample(foldData({data: ${JSON.stringify(long)}, init: 0, sumOut: true}, step(0.7)));
      }}).logZ`);
    expect(value).toBeCloseTo(forward(0.7, long), 8);
  });

  test('the distribution of the last state is the posterior', async () => {
    const value = await worth(`${HIDDEN}
      var of = function(sumOut) { return Infer({method: 'enumerate', model: function() {
        return sumOut ? sample(foldData({data: ys, init: 0, sumOut: true}, step(0.7))) : foldData({data: ys, init: 0}, step(0.7)); }}); };
      map(function(k) { return of(true).score(k) - of(false).score(k); }, [0, 1, 2])`);
    for (const difference of value as number[]) expect(Math.abs(difference)).toBeLessThan(1e-9);
  });

  test.each([
    ['foldData({data: ys, init: 0, sumOut: true}, step(w));', (w: number) => forward(w, YS)],
    [
      'mapData({data: sequences}, function(one) { foldData({data: one, init: 0, sumOut: true}, step(w)); });',
      likelihood,
    ],
    ['foldData({data: sequences, init: 0, sumOut: true, batchSize: 5}, step(w));', likelihood],
  ])('%s has its value and its gradient', async (body, exact) => {
    const { objectives, gradient } = (await worth(`${HIDDEN} learn(function(w) { ${body} }, 1, 1e-3)`)) as never as {
      objectives: number[];
      gradient: number;
    };
    expect(objectives[0]).toBeCloseTo(exact(0.7), 9);
    expect(gradient).toBeCloseTo(slope(exact), 5);
  });

  test('minibatches of sequences stand for all of them', async () => {
    const { objectives } = (await worth(`${HIDDEN}
      learn(function(w) { foldData({data: sequences, init: 0, sumOut: true, batchSize: 2}, step(w)); }, 80, 0)`)) as {
      objectives: number[];
    };
    const mean = objectives.reduce((sum, one) => sum + one) / objectives.length;
    const spread = Math.sqrt(objectives.reduce((sum, one) => sum + (one - mean) ** 2, 0) / (objectives.length - 1));
    expect(spread).toBeGreaterThan(1);
    expect(Math.abs(mean - likelihood(0.7))).toBeLessThan((4 * spread) / Math.sqrt(objectives.length));
  });

  test('windows start anew', async () => {
    const { objectives } = (await worth(`${HIDDEN}
      learn(function(w) { foldData({data: sequences, init: 0, sumOut: true, window: 3}, step(w)); }, 1, 1e-3)`)) as {
      objectives: number[];
    };
    const pieces = SEQUENCES.flatMap((ys) => [ys.slice(0, 3), ys.slice(3, 6), ys.slice(6)]);
    expect(objectives[0]).toBeCloseTo(
      pieces.reduce((sum, ys) => sum + forward(0.7, ys), 0),
      9,
    );
  });

  test('SMC weighs particles at each item, the states of which are summed out', async () => {
    const value = await worth(`${HIDDEN}
      Infer({method: 'SMC', particles: 3, model: function() { foldData({data: ys, init: 0, sumOut: true}, step(0.7)); return 1; }}).logZ`);
    expect(value).toBeCloseTo(forward(0.7, YS), 9);
  });
});
