/** Objectives whose choices are given or of which there are several samples: side by side and one by one they find the same. */
import { describe, expect, test } from 'vitest';
import { numbersOf, runProgram } from './run-optimize.ts';

const p = (name: string): string => `param({name: '${name}'})`;

/** The body of a model with data of its own, and whether its steps are compiled. */
const MODELS: Readonly<Record<string, { model: string; compiled: boolean }>> = {
  'numbers and truth values': {
    compiled: true,
    model: `mapData({data: [{x: 1, y: 0.5}, {x: 2, y: -1}, {x: 3, y: 2}]}, function(d) {
      var k = sample(Bernoulli({p: 0.3}), {guide: Bernoulli({p: sigmoid(${p('a')} * d.y)})});
      var m = sample(Gaussian({mu: k ? 2 : -1, sigma: 1}), {guide: Gaussian({mu: ${p('b')} * d.y + k, sigma: 1})});
      observe(Gaussian({mu: m * d.x, sigma: 1}), d.y);
    });`,
  },
  'choices that others depend on': {
    compiled: false,
    model: `mapData({data: [1, 2]}, function(y) {
      var n = sample(RandomInteger({n: 3}), {guide: Discrete({ps: simplex(param({name: 'n', dims: [2, 1]}))})});
      var xs = repeat(n, function() {
        return sample(Gaussian({mu: 0, sigma: 1}), {guide: Gaussian({mu: ${p('a')} * y, sigma: softplus(${p('s')})})});
      });
      observe(Gaussian({mu: sum(xs), sigma: 1}), y);
    });`,
  },
  'text and vectors': {
    compiled: false,
    model: `mapData({data: [{word: 'red', v: Vector([1, 2])}, {word: 'blue', v: Vector([0, 1])}]}, function(d) {
      var t = sample(Categorical({vs: ['x', 'yy'], ps: [0.4, 0.6]}), {guide: Categorical({vs: ['x', 'yy'], ps: [sigmoid(${p('a')}), 0.5]})});
      var z = sample(DiagCovGaussian({mu: Vector([0, 0]), sigma: Vector([1, 1])}), {guide: DiagCovGaussian({
        mu: T.mul(param({name: 'm', dims: [2, 1]}), T.get(d.v, 0)), sigma: Vector([1, 1])})});
      observe(Categorical({vs: ['red', 'blue'], ps: [t === 'x' ? 0.8 : 0.3, 0.5]}), d.word);
      observe(DiagCovGaussian({mu: z, sigma: Vector([1, 1])}), d.v);
    });`,
  },
  'data within data': {
    compiled: true,
    model: `mapData({data: [[1, 2, 3], [0, -1, 2]]}, function(row) {
      var m = sample(Gaussian({mu: 0, sigma: 2}), {guide: Gaussian({mu: ${p('a')} * row[0] + ${p('b')} * row[2], sigma: 1})});
      mapData({data: row}, function(y) { observe(Gaussian({mu: m, sigma: 1}), y); });
    });`,
  },
  'results of data within data': {
    compiled: true,
    model: `mapData({data: [{y: 1}, {y: 2}]}, function(d) {
      var zs = mapData({data: [0, 1, 2]}, function(i) {
        return sample(Gaussian({mu: i, sigma: 1}), {guide: Gaussian({mu: ${p('a')} * d.y, sigma: 1})});
      });
      observe(Gaussian({mu: sum(zs), sigma: 1}), d.y);
    });`,
  },
  'parameters of single data': {
    compiled: false,
    model: `mapData({data: [1, 2, 3], dreamBatchSize: 2}, function(y) {
      var k = sample(Bernoulli({p: 0.3}));
      var m = sample(Gaussian({mu: k ? 2 : -1, sigma: 1}));
      observe(Gaussian({mu: m, sigma: 1}), y);
    });`,
  },
  'two passes, and a choice outside': {
    compiled: true,
    model: `var c = sample(Gaussian({mu: 0, sigma: 1}), {guide: Gaussian({mu: 0.5, sigma: 1})});
    var each = function(name) {
      return function(y) {
        var m = sample(Gaussian({mu: c, sigma: 1}), {guide: Gaussian({mu: param({name: name}) * y + c, sigma: 1})});
        observe(Gaussian({mu: m, sigma: 1}), y);
      };
    };
    mapData({data: [1, 2, 3]}, each('a'));
    mapData({data: [4, 5], dreamBatchSize: 2}, each('b'));`,
  },
};

/** Learned parameters and the objective of each step. */
async function learned(code: string, sequential: boolean): Promise<{ numbers: number[]; text: string }> {
  const { value, warnings } = await runProgram(code, { engine: { sequential, explainBatching: true } });
  const [params, history] = value as [object, number[]];
  return { numbers: [...history, ...Object.values(numbersOf(params)).flat()], text: warnings.join('\n') };
}

/** Sums are taken in another order. */
function close(a: readonly number[], b: readonly number[]): void {
  expect(a.length).toBe(b.length);
  a.forEach((x, i) => {
    expect(Math.abs(x - b[i])).toBeLessThan(1e-9 * Math.max(1, Math.abs(b[i])));
  });
}

const optimize = (model: string, estimator: string): string => `var model = function() { ${model} };
  Optimize(model, {steps: 12, optMethod: {adam: {stepSize: 0.1}}, estimator: ${estimator},
    onFinish: function(result) { globalStore.history = result.history; }});
  [getParams(), globalStore.history]`;

describe.each(Object.entries(MODELS))('%s', (_name, { model, compiled }) => {
  test.each([1, 8])('dreams, %i a step', async (samples) => {
    const code = optimize(model, `{dream: {samples: ${samples}}}`);
    const together = await learned(code, false);
    close(together.numbers, (await learned(code, true)).numbers);
    if (compiled && samples > 1) expect(together.text).toMatch(/steps: 11 compiled/);
  });

  test.each(['{IWAE: {samples: 3}}', '[{RWS: {samples: 3, dream: 0.5}}, {ELBO: 0.1}]'])('%s', async (estimator) => {
    const code = optimize(model, estimator);
    const together = await learned(code, false);
    close(together.numbers, (await learned(code, true)).numbers);
  });

  test('recorded executions', async () => {
    const infer =
      "Infer({method: 'SMC', importance: 'ignoreGuide', particles: 20, saveTraces: true, model: model}).traces";
    const code = optimize(model, `{EUBO: {batchSize: 5, traces: ${infer}}}`);
    const together = await learned(code, false);
    close(together.numbers, (await learned(code, true)).numbers);
    if (compiled) expect(together.text).toMatch(/steps: 11 compiled/);
  });
});
