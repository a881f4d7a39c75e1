/** Guides that choose for themselves: executions side by side draw and weigh as they do one by one, to the last bit. */
import { expect, test } from 'vitest';
import type { Run } from '../../src/runtime/machine.ts';
import { runProgram } from '../optimize/run-optimize.ts';

const FEW = `var model = function() {
  var w = sample(Gaussian({mu: 0, sigma: 1}), {guide: Gaussian({mu: 0.3, sigma: 1})});
  var x = sample(Gaussian({mu: w, sigma: 1}), {guide: function() {
    return flip(sigmoid(w)) ? Gaussian({mu: 1 + w, sigma: 0.5}) : Gaussian({mu: -1, sigma: 0.7});
  }});
  var k = sample(Bernoulli({p: 0.4}), {guide: function() { return Bernoulli({p: flip(0.3) ? 0.9 : sigmoid(x)}); }});
  var j = sample(Discrete({ps: [0.2, 0.3, 0.5]}), {guide: function() {
    var first = sample(Discrete({ps: [1, 1 + x * x]})) === 0;
    return first ? Discrete({ps: [0.1, 0.8, 0.1]}) : flip(0.5) ? Discrete({ps: [0.4, 0.3, 0.3]}) : Discrete({ps: [1, 1, 2]});
  }});
  var fixed = sample(Gaussian({mu: 0, sigma: 1}), {guide: function() { return Gaussian({mu: flip(0.4) ? 1 : -1, sigma: 1}); }});
  observe(Gaussian({mu: x + (k ? 1 : 0) + j + fixed, sigma: 1}), 1.4);
  return [x, k, j, fixed];
};`;

/** What cannot be tried is drawn, several times: by itself, after a value that is tried, and as a count. */
const DRAWN = `var model = function() {
  var w = sample(Gaussian({mu: 0, sigma: 1}), {guide: function() { return Gaussian({mu: gaussian(0, 0.5), sigma: 1}); }});
  var x = sample(Gaussian({mu: w, sigma: 1}), {guideSamples: 3, guide: function() {
    var left = flip(sigmoid(w));
    var a = gaussian(left ? w : 1, 0.3);
    return Gaussian({mu: a, sigma: left ? 0.5 : 1.5});
  }});
  var k = sample(Bernoulli({p: 0.4}), {guideSamples: 2, guide: function() { return Bernoulli({p: beta(2, 1 + x * x)}); }});
  var j = k ? sample(Poisson({mu: 2}), {guideSamples: 2, guide: function() { var n = poisson(1 + w * w); return Poisson({mu: n + 0.5}); }}) : 1;
  observe(Gaussian({mu: x + (k ? 1 : 0) + j, sigma: 1}), 1.4);
  return [w, x, k, j];
};`;

test.each([
  ['importance', "method: 'importance', guide: true, samples: 200", '200 executions side by side', FEW],
  ['forward', "method: 'forward', guide: true, samples: 200", '200 executions side by side', FEW],
  ['SMC', "method: 'SMC', particles: 200", '200 particles side by side', FEW],
  ['importance, drawn', "method: 'importance', guide: true, samples: 200", '200 executions side by side', DRAWN],
  ['forward, drawn', "method: 'forward', guide: true, samples: 200", '200 executions side by side', DRAWN],
  ['SMC, drawn', "method: 'SMC', particles: 200", '200 particles side by side', DRAWN],
])('%s', async (_name, options, told, model) => {
  const code = `${model} var found = Infer({${options}, model: model});
    display(map(function(i) { return expectation(found, function(r) { return Number(r[i]); }); }, [0, 1, 2, 3]).join(' '));`;
  const together = await runProgram(code, { engine: { explainBatching: true } as Run['engine'] });
  expect(together.warnings.join('\n')).toContain(told);
  const alone = await runProgram(code, { engine: { sequential: true } });
  expect(together.texts).toEqual(alone.texts);
});

test('weights have the evidence as their mean', async () => {
  const code = `var model = function() {
    var x = sample(Gaussian({mu: 0, sigma: 1}), {guide: function() {
      return Gaussian({mu: flip(0.3) ? 1 : -0.5, sigma: 1.2});
    }});
    observe(Gaussian({mu: x, sigma: 1}), 0.8);
  };
  var found = Infer({method: 'importance', guide: true, samples: 4000, model: model});
  [found.normalizationConstant, Gaussian({mu: 0, sigma: Math.sqrt(2)}).score(0.8)]`;
  const [estimate, exact] = (await runProgram(code)).value as number[];
  // The spread of weights is less than their mean: 4 standard errors.
  expect(Math.abs(estimate - exact)).toBeLessThan(4 / Math.sqrt(4000));
});

test('executions that would try different values run one by one', async () => {
  const code = `var model = function() {
    var n = sample(RandomInteger({n: 3})) + 2;
    var x = sample(Gaussian({mu: 0, sigma: 1}), {guide: function() { return Gaussian({mu: randomInteger(n), sigma: 1}); }});
    observe(Gaussian({mu: x, sigma: 1}), 0.8);
  }; Infer({method: 'importance', guide: true, samples: 50, model: model}); 1`;
  const { warnings } = await runProgram(code, { engine: { explainBatching: true } as Run['engine'] });
  expect(warnings.join('\n')).toContain('one by one, because a guide draws choices of its own');
});
