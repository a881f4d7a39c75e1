/** Families with loops of their own: thousands of draws and scores, those that are rejected among them, to the last bit. */
import { expect, test } from 'vitest';
import { both } from './both-ways.ts';

/** Parameters that are drawn lie on both sides of where drawing takes another way. */
const MODELS: Readonly<Record<string, string>> = {
  'gammas of all shapes': `
    var shape = uniform(0.05, 3), scale = uniform(0.2, 4);
    return [gamma({shape, scale}), gamma({shape: 1, scale}), gamma({shape: 0.3, scale: 2}), gamma({shape: 1.01, scale})];`,
  'inverse gammas': `
    var shape = uniform(0.05, 3);
    return [inverseGamma({shape, scale: 2}), inverseGamma({shape: 2.5, scale: shape})];`,
  'betas, whose second gamma goes on where the first one ended': `
    var a = uniform(0.05, 3), b = flip() ? 1 : uniform(0.1, 2);
    return [beta({a, b}), beta({a: 0.5, b: 0.5}), beta({a: 1, b: 1}), beta({a: 1, b: 2}), beta({a: b, b: 1})];`,
  'counts with small and large means': `
    var mu = uniform(0.1, 30), p = beta(0.7, 0.7), n = poisson(mu);
    return [n, poisson({mu: 3}), poisson({mu: 40}), binomial({p, n}), binomial({p: 0.4, n}), binomial({p, n: 100})];`,
  'in some executions only': `
    var x = flip(0.4) ? gamma({shape: 0.7, scale: 1}) : beta({a: 2, b: 0.4});
    var n = flip(0.5) ? poisson({mu: x + 1}) : binomial({p: 0.3, n: 20});
    return [x, n, x > 1 ? gamma({shape: x, scale: 1 / x}) : 0];`,
};

const OBSERVED = `
  var shape = gamma(2, 1), p = beta(2, 3), n = 5 + poisson(4);
  observe(Gamma({shape, scale: 2}), 1.7);
  observe(Gamma({shape: 2, scale: shape}), 0.4);
  observe(InverseGamma({shape, scale: 1.5}), 2);
  observe(Beta({a: shape, b: 2}), 0.3);
  observe(Beta({a: 1, b: 1}), p);
  observe(Poisson({mu: shape}), 3);
  observe(Poisson({mu: 6}), n);
  observe(Binomial({p, n}), 4);
  observe(Binomial({p, n: 300}), 120);
  return [Gamma({shape, scale: 1}).score(p - 0.5), Beta({a: shape, b: 1}).score(shape), Binomial({p, n: 3}).score(n), Poisson({mu: shape}).score(p)];`;

test.each(Object.entries(MODELS))('%s', async (_, model) => {
  const { together, alone, how } = await both(`Infer({method: 'forward', samples: 4000, model() { ${model} }})`, 1);
  expect(how).toContain('side by side');
  expect(together).toEqual(alone);
});

test.each(["method: 'importance', samples: 4000", "method: 'SMC', particles: 2000"])('scores: %s', async (method) => {
  const { together, alone, how } = await both(`Infer({${method}, model() { ${OBSERVED} }})`, 1);
  expect(how).toContain('side by side');
  expect(together).toEqual(alone);
});
