import { expect, test } from 'vitest';
import { runProgram } from './run-optimize.ts';

/** Texts, objects and lists that choices pick are not looked at, so that steps need not run the program. */
test.each([
  ['a text, and a field of that name', `{low: -m, high: m}[['low', 'high'][i]]`],
  ['an object', `[{mu: -1}, {mu: m}][i].mu`],
  ['a list', `[[1, 2], [m, 3]][i][0]`],
  ['a text that is compared', `['low', 'high', 'low'][i] === 'low' ? m : 1`],
  ['an object that is compared', `[A, B][i] === A ? m : -m`],
  ['a distribution', `(observe([Gaussian({mu: m, sigma: 1}), Gaussian({mu: 0, sigma: 3})][i], y), m)`],
  ['the length of a text', `m * ['a', 'bcd'][i].length`],
])('steps are compiled where choices pick %s', async (_name, mean) => {
  const { warnings } = await runProgram(
    `var A = {k: 1}; var B = {k: 2};
    var model = function() {
      var m = modelParam({name: 'm', mu: 1});
      mapData({data: [0.3, -1.2, 2.5, 0.7, 1.9, 3.1, -0.5]}, function(y) {
        var i = sample(Discrete({ps: [0.4, 0.6]}), {guide: Discrete({ps: simplex(Vector([param({name: 'w'}) * y]))})});
        observe(Gaussian({mu: ${mean}, sigma: 1}), y);
      });
    };
    Optimize(model, {steps: 20}); 1`,
    { engine: { explainBatching: true } },
  );
  expect(warnings[0]).toContain('steps: 19 compiled, 1 with the program run');
});

/** There is no formula of a fixed number of random numbers for them: a compiled step calls the family's own function. */
test.each([
  [
    'counts of each datum',
    `mapData({data: [1, 4, 2, 0, 3]}, function(y) { var k = sample(Poisson({mu: 2}), {guide: Poisson({mu: softplus(y * w)})}); observe(Poisson({mu: 1 + k}), y); });`,
  ],
  [
    'numbers of iterations within data',
    `mapData({data: [1, 4, 2], batchSize: 2}, function(y) { map(function(c) { var x = sample(Gaussian({mu: 0, sigma: 1}), {guide: Gaussian({mu: w * c, sigma: 1}), reparam: false}); observe(Gaussian({mu: x, sigma: 1}), y); }, [1, 2]); });`,
  ],
  [
    'a count for all',
    `var k = sample(Geometric({p: 0.3}), {guide: Geometric({p: sigmoid(w)})}); factor(-Math.abs(k - 2));`,
  ],
  [
    'a number',
    `var k = sample(Gamma({shape: 2, scale: 1}), {guide: Gamma({shape: softplus(w), scale: 1}), gradient: 'score'}); factor(-k);`,
  ],
])('steps are compiled where guides draw %s, with the values of steps that are not', async (_name, body) => {
  const program = (options: string): string =>
    `var seen = []; var model = function() { var w = param({name: 'w', mu: 0.5, sigma: 0}); factor(0 * seen.length); ${body} };
    T.get(Optimize(model, {steps: 12, gradients: 'named', optMethod: {sgd: {stepSize: 0.05}}${options}}).w, 0)`;
  const explained = { engine: { explainBatching: true } };
  const { value, warnings } = await runProgram(program(''), explained);
  const watched = await runProgram(program(', onStep: function() { var n = seen.push(1); }'), explained);
  expect(warnings.join()).toContain('steps: 11 compiled, 1 with the program run');
  expect(watched.warnings.join()).toContain('steps: 0 compiled');
  expect(value).toBeCloseTo(watched.value as number, 12);
});

test('a coin by its log-odds is a truth value in compiled steps, too', async () => {
  const code = `var model = function() {
    var x = sample(Bernoulli({p: 0.5}), {guide: Bernoulli({logits: param({name: 'a', mu: 0, sigma: 0})}), gradient: 'score'});
    factor(x === true ? 100 : 0);
  };
  Optimize(model, {steps: 40, optMethod: {sgd: {stepSize: 0}}, checkGradients: false,
    onFinish: function(result) { globalStore.history = result.history; }});
  map(function(bound) { return Math.round(bound); }, globalStore.history)`;
  const late = ((await runProgram(code)).value as number[]).slice(20);
  expect(new Set(late)).toEqual(new Set([0, 100]));
});
