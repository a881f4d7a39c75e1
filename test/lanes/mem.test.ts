import { expect, test } from 'vitest';
import { both } from './both-ways.ts';

const MODELS: Readonly<Record<string, string>> = {
  'asked for the same thing at different times': `
    var eyes = mem(function(person) { return uniformDraw(['brown', 'blue']); });
    var height = mem(function(person) { return gaussian(eyes(person) === 'blue' ? 1 : 0, 1); });
    var a = flip(0.5) ? height('Ada') : 0;
    factor(a);
    var b = flip(0.5) ? height('Ada') + height('Bo') : height('Bo');
    observe(Gaussian({mu: b, sigma: 1}), 1);
    return [a, b, height('Ada'), height('Cy'), eyes('Ada')];`,
  'a model of friends': `
    var strength = mem(function(i) { return gaussian(0, 1); });
    var lazy = function(i) { return flip(0.3); };
    var pull = function(i) { return lazy(i) ? strength(i) / 2 : strength(i); };
    map(function(pair) { condition(pull(pair[0]) + pull(pair[1]) > -1); }, [[0, 1], [2, 1], [0, 2]]);
    return strength(0);`,
  'arguments that differ': `
    var place = mem(function(i, j) { return {x: gaussian(i, 1), y: j}; });
    var i = randomInteger(4);
    var p = place(i, 'a');
    factor(-p.x * p.x / 4);
    var q = place(randomInteger(4), flip(0.5) ? 'a' : 'b');
    return [i, p, q, place(2, 'a').x];`,
  'functions that remember inside of others, and in branches': `
    var f = mem(function(i) { return i === 0 ? gaussian(0, 1) : f(i - 1) + gaussian(0, 0.5); });
    if (flip(0.5)) { observe(Gaussian({mu: f(2), sigma: 1}), 1); }
    if (flip(0.5)) { condition(f(3) > -2); }
    observe(Gaussian({mu: f(1), sigma: 1}), 0.5);
    return [f(0), f(3), f(2)];`,
};

test.each(Object.keys(MODELS))('mem side by side gives what it gives one by one: %s', async (name) => {
  for (const options of [
    "method: 'forward', samples: 100",
    "method: 'importance', samples: 100",
    "method: 'SMC', particles: 100",
    "method: 'SMC', particles: 60, rejuvSteps: 2",
  ]) {
    for (const seed of [1, 2, 3]) {
      const { together, alone, how } = await both(`Infer({${options}, model() {${MODELS[name]}}})`, seed);
      expect(together, options).toEqual(alone);
      expect(how, options).toContain('side by side');
    }
  }
});

test('what was remembered before the inference is known to all', async () => {
  const code = `
    var f = mem(function(i) { return gaussian(i, 1); });
    var before = f(1);
    Infer({method: 'SMC', particles: 100, model() { var x = f(1) + f(2); factor(x); return [x, f(2), before]; }})`;
  const { together, alone, how } = await both(code, 4);
  expect(together).toEqual(alone);
  expect(how).toContain('side by side');
});
