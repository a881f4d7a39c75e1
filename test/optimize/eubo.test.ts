import { expect, test } from 'vitest';
import { failure, numbersOf, runProgram } from './run-optimize.ts';

const MODEL = `var model = function() {
  var x = sample(Gaussian({mu: 0, sigma: 1}), {guide: function() {
    return Gaussian({mu: param({name: 'm', mu: 0, sigma: 0}), sigma: softplus(param({name: 's', mu: 0, sigma: 0}))});
  }});
  var k = sample(Bernoulli({p: sigmoid(x)}), {guide: function() {
    return Bernoulli({p: sigmoid(param({name: 'a', mu: 0, sigma: 0}))});
  }});
  observe(Gaussian({mu: k ? x : -x, sigma: 0.5}), 1);
  return [x, k];
};
var posterior = Infer({method: 'SMC', particles: 50, importance: 'ignoreGuide', saveTraces: true, model: model});
`;

const mean = (xs: readonly number[]): number => xs.reduce((sum, x) => sum + x, 0) / xs.length;

test('guides fit the executions they are given', async () => {
  const { value } = await runProgram(`${MODEL}
    var params = Optimize({model: model, steps: 300, optMethod: {adam: {stepSize: schedules.cosine({from: 0.1, to: 0.0001, steps: 300})}},
      estimator: {EUBO: {traces: posterior.traces, batchSize: 50}}});
    [params, map(function(t) { return t.value; }, posterior.traces)]`);
  const [params, values] = value as [object, [number, boolean][]];
  const { m, s, a } = numbersOf(params);
  const xs = values.map(([x]) => x);
  const centre = mean(xs);
  expect(m[0]).toBeCloseTo(centre, 3);
  const deviation = Math.sqrt(mean(xs.map((x) => (x - centre) ** 2)));
  expect(Math.log1p(Math.exp(s[0]))).toBeCloseTo(deviation, 3);
  expect(1 / (1 + Math.exp(-a[0]))).toBeCloseTo(mean(values.map(([, k]) => Number(k))), 3);
});

test('reports the mean of log p − log q, and needs not all executions in each step', async () => {
  const { value } = await runProgram(`${MODEL}
    globalStore.history = [];
    Optimize({model: model, steps: 3, optMethod: {sgd: {stepSize: 1e-9}}, estimator: {EUBO: {traces: posterior.traces, batchSize: 50}},
      onFinish: function(result) { globalStore.history = result.history; }});
    Optimize({model: model, steps: 50, estimator: {EUBO: {traces: posterior.traces, batchSize: 5}}});
    [globalStore.history, map(function(t) { return [t.score, t.value]; }, posterior.traces)]`);
  const [history, traces] = value as [number[], [number, [number, boolean]][]];
  const sigma = Math.log(2);
  const logQ = (x: number): number =>
    -0.5 * (x / sigma) ** 2 - Math.log(sigma) - 0.5 * Math.log(2 * Math.PI) + Math.log(0.5);
  expect(history[0]).toBeCloseTo(mean(traces.map(([score, [x]]) => score - logQ(x))), 8);
});

test('works with automatic guides, and inside mapData', async () => {
  const { value, warnings } = await runProgram(`var model = function() {
      return mapData({data: [true, false]}, function(y) {
        var x = flip(0.5);
        observe(Bernoulli({p: x ? 0.9 : 0.1}), y);
        return x;
      });
    };
    var traces = Infer({method: 'SMC', particles: 500, saveTraces: true, model: model}).traces;
    var params = Optimize({model: model, steps: 600, estimator: {EUBO: {traces: traces, batchSize: 50}}, optMethod: {adam: {stepSize: 0.05}}});
    [params, map(function(t) { return t.value; }, traces)]`);
  const [params, values] = value as [object, boolean[][]];
  const learned = Object.values(numbersOf(params)).map(([a]) => a);
  expect(learned).toHaveLength(2);
  // Each datum has a guide of its own, which finds its own share; the noise is that of minibatches.
  const shares = [0, 1].map((i) => mean(values.map((value) => Number(value[i]))));
  const found = learned.map((a) => (a > 0 && a < 1 ? a : 1 / (1 + Math.exp(-a))));
  expect(Math.abs(found[0] - shares[0])).toBeLessThan(0.1);
  expect(Math.abs(found[1] - shares[1])).toBeLessThan(0.1);
  expect(warnings).toEqual([]);
});

test('says what is wrong', async () => {
  expect(await failure(`${MODEL} Optimize({model, estimator: {EUBO: {traces: [1]}}})`)).toBe(
    "estimator EUBO: traces must be an array of executions, such as Infer({method: 'SMC', saveTraces: true, …}).traces, got an array of length 1.",
  );
  expect(
    await failure(`${MODEL} Optimize({model, estimator: {EUBO: {traces: posterior.traces, batchSize: 500}}})`),
  ).toBe('estimator EUBO: batchSize must be at most the number of traces, 50; got 500.');
  expect(
    await failure(
      `${MODEL} Optimize({model: function() { return flip(); }, estimator: {EUBO: {traces: posterior.traces}}})`,
    ),
  ).toMatch(
    /^The choice from Bernoulli at program\.wppl:\d+:\d+ \(address \S+\) is not in the recorded execution: the program took another way/,
  );
});

test('a guide that rules out what was recorded is named, with the datum', async () => {
  const code = (guide: string, more: string): string => `var model = function() {
      mapData({data: [1, 2]}, function(y) {
        var k = sample(Discrete({ps: [0.5, 0.5]}), {guide: ${guide}});
        observe(Gaussian({mu: k, sigma: 0.01}), y - 1);
      });
    };
    var traces = Infer({method: 'SMC', particles: 20, importance: 'ignoreGuide', saveTraces: true, model: model}).traces;
    Optimize({model: model, estimator: {EUBO: {traces: traces}}, ${more}})`;
  const place = 'The choice at program\\.wppl:3:17 \\(address \\S+\\) for datum 1 is 1, which has score';
  const advice =
    'A guide must allow whatever the model may draw; otherwise a smaller stepSize, or clip, often helps\\.';
  expect(await failure(code('Discrete({ps: [1, 0]})', ''))).toMatch(
    new RegExp(
      `^${place} -Infinity under its guide Discrete\\(\\{ps: \\[1, 0\\]\\}\\) at program\\.wppl:\\d+:\\d+\\. ${advice}$`,
    ),
  );
  const unknown = "function() { return Discrete({ps: [0.5, Math.log(param({name: 'a', mu: -1, sigma: 0}))]}); }";
  expect(await failure(code(unknown, ''))).toMatch(
    /^The choice at program\.wppl:3:17 \(address \S+\) for datum 0 is 0, which has score NaN under its guide Discrete\(\{ps: \[0\.5, NaN\]\}\) at program\.wppl:\d+:\d+\. /,
  );
  const { warnings } = await runProgram(code('Discrete({ps: [1, 0]})', 'steps: 3, skipBadSteps: 3'));
  expect(warnings.filter((line) => line.startsWith('Step '))).toHaveLength(3);
});

test('--explain-guides tells of guides that learn from executions', async () => {
  const { warnings } = await runProgram(
    `${MODEL} Optimize({model: model, estimator: {EUBO: {traces: posterior.traces}}})`,
    {
      engine: { explainGuides: true },
    },
  );
  expect(warnings[0].replace(/at [\d/]+:/g, 'at …:').split('\n')).toEqual([
    'Guides of the first execution:',
    '  program.wppl:2:11 at …: Gaussian is guided by Gaussian (learns to find it likely)',
    '  program.wppl:5:11 at …: Bernoulli is guided by Bernoulli (learns to find it likely)',
  ]);
});
