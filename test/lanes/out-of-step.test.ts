/** Particles that cannot run side by side from start to end go on from factor to factor. */
import { expect, test } from 'vitest';
import { both } from './both-ways.ts';

const MODELS: Readonly<Record<string, string>> = {
  'walks of different lengths, with more to come': `
    var walk = function(x, n) {
      if (n === 0) { return x; }
      var step = gaussian(x, 0.5);
      observe(Gaussian({mu: step, sigma: 0.5}), n);
      return flip(0.8) ? walk(step, n - 1) : step;
    };
    Infer({$, model() {
      var y = gaussian(walk(-1, 4), 1);
      observe(Gaussian({mu: y, sigma: 0.5}), 3);
      return {y: y, z: flip(0.5)};
    }})`,
  'factors on one side only': `
    Infer({$, model() {
      var a = flip(0.2);
      if (a) { factor(3); }
      var x = gaussian(a ? 1 : -1, 1);
      if (x > 0) { factor(-x); } else { var y = gaussian(x, 1); condition(y < 0.5); }
      observe(Gaussian({mu: x, sigma: 0.3}), 0.5);
      return [a, x];
    }})`,
  'a loop whose length differs': `
    Infer({$, model() {
      var n = poisson(1);
      var x = 0;
      for (var i = 0; i < n && i < 3; i++) { x = x + gaussian(1, 1); factor(-x * x); }
      observe(Gaussian({mu: x, sigma: 0.5}), 1);
      return gaussian(x, 1);
    }})`,
};

test.each(Object.keys(MODELS))('%s', async (name) => {
  const many = await both(MODELS[name].replace('$', "method: 'SMC', particles: 1000"), 2);
  expect(many.together).toEqual(many.alone);
  expect(many.how).toContain('1000 particles side by side');
  const few = await both(MODELS[name].replace('$', "method: 'SMC', particles: 200"), 2);
  expect(few.together).toEqual(few.alone);
  expect(few.how).toMatch(/one by one, because they (part|meet different numbers of factors)/);
});

test('an error is that of an execution alone', async () => {
  const code = `
    Infer({method: 'SMC', particles: 1000, model() {
      var a = flip(0.5);
      if (a) { factor(3); }
      var x = gaussian(0, 1);
      observe(Gaussian({mu: 0, sigma: x + 2.5}), 1);
      return x;
    }})`;
  const { together, alone } = await both(code, 2);
  expect(alone).toContain('sigma must be');
  expect(together).toEqual(alone);
});
