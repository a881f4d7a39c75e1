/** Truncated, Censored and ZeroInflated in programs: every way of running agrees with a sum over a grid. */
import { describe, expect, test } from 'vitest';
import { Binomial, Censored, Gaussian, Poisson, Truncated, ZeroInflated } from '../../src/distributions/index.ts';
import { run } from '../../src/program/run.ts';
import { RandomStream } from '../../src/runtime/random.ts';
import { courseOf, difference } from '../lanes/estimates.ts';

const PROGRAMS = {
  truncated:
    'observe(Truncated(Gaussian({mu: x, sigma: 1}), 0, Infinity), 0.5); observe(Truncated({dist: Gaussian({mu: x, sigma: 2}), a: -1, b: x + 3}), 1);',
  censored:
    'observe(Censored(Gaussian({mu: x, sigma: 1}), -1, 1.5), 1.5); observe(Censored(Gaussian({mu: x, sigma: 1}), -1, 1.5), -1);',
  'zero-inflated':
    'observe(ZeroInflated(Poisson({mu: Math.exp(x)}), sigmoid(x)), 0); observe(ZeroInflated(Poisson({mu: Math.exp(x)}), sigmoid(x)), 3);',
} as const;

const scores: Record<keyof typeof PROGRAMS, (x: number) => number> = {
  truncated: (x) =>
    Truncated(Gaussian({ mu: x, sigma: 1 }), 0, Infinity).score(0.5) +
    (x + 3 > -1 ? Truncated(Gaussian({ mu: x, sigma: 2 }), -1, x + 3).score(1) : -Infinity),
  censored: (x) => {
    const seen = Censored(Gaussian({ mu: x, sigma: 1 }), -1, 1.5);
    return seen.score(1.5) + seen.score(-1);
  },
  'zero-inflated': (x) => {
    const counts = ZeroInflated(Poisson({ mu: Math.exp(x) }), 1 / (1 + Math.exp(-x)));
    return counts.score(0) + counts.score(3);
  },
};

/** The mean and standard deviation of x, whose prior is standard normal, on a fine grid. */
function exact(score: (x: number) => number): { mean: number; sd: number } {
  let [total, first, second] = [0, 0, 0];
  for (let x = -3.9; x <= 6; x += 0.005) {
    const weight = Math.exp(-0.5 * x * x + score(x));
    total += weight;
    first += weight * x;
    second += weight * x * x;
  }
  const mean = first / total;
  return { mean, sd: Math.sqrt(second / total - mean * mean) };
}

const METHODS: Record<string, { options: string; effective: number }> = {
  importance: { options: "{method: 'importance', samples: 6000}", effective: 600 },
  SMC: { options: "{method: 'SMC', particles: 6000}", effective: 600 },
  MH: { options: "{method: 'MCMC', samples: 8000, burn: 500}", effective: 400 },
  NUTS: { options: "{method: 'MCMC', kernel: 'NUTS', samples: 1000, burn: 200}", effective: 200 },
};

describe.each(Object.keys(PROGRAMS) as (keyof typeof PROGRAMS)[])('%s', (name) => {
  const { mean, sd } = exact(scores[name]);

  test.each(Object.keys(METHODS))('%s gives the posterior mean', async (method) => {
    const { options, effective } = METHODS[method];
    const code = `var model = function() { var x = gaussian(0, 1); ${name === 'truncated' ? 'condition(x > -3.9);' : ''} ${PROGRAMS[name]} return x; };
      expectation(Infer(extend(${options}, {model: model})))`;
    const found = (await run(code, { seed: 3 })) as { value: number };
    // Five standard errors of a mean of so many independent draws.
    expect(Math.abs((found.value as number) - mean)).toBeLessThan((5 * sd) / Math.sqrt(effective));
  });
});

describe('Truncated', () => {
  test('in a tail where the cdf is 1', () => {
    const far = Truncated(Gaussian({ mu: 0, sigma: 1 }), 10, Infinity);
    // Mills' ratio: the density at the end is about 10 + 1/10.
    expect(far.score(10)).toBeCloseTo(Math.log(10.098093), 5);
    const stream = RandomStream.fromSeed(5);
    const draws = Array.from({ length: 4000 }, (_, i) => far.draw(stream.child(0, i).begin()));
    expect(Math.min(...draws)).toBeGreaterThanOrEqual(10);
    // The mean is the density at the end; what is beyond it is nearly exponential with this rate.
    const mean = draws.reduce((a, b) => a + b, 0) / draws.length;
    expect(Math.abs(mean - 10.098093)).toBeLessThan((5 * 0.1) / Math.sqrt(draws.length));
  });

  test('of values that can be listed', () => {
    const some = Truncated(Binomial({ p: 0.5, n: 4 }), 1, 2);
    expect(some.support!()).toEqual([1, 2]);
    expect(some.score(1)).toBeCloseTo(Math.log(0.4), 12);
  });

  test('refuses what has no probability', () => {
    expect(() => Truncated(Gaussian({ mu: 0, sigma: 1 }), 2, 1)).toThrow(
      'Truncated: a must be less than b, got 2 and 1.',
    );
    expect(() => Truncated(Gaussian({ mu: 0, sigma: 1 }), 50, 60)).toThrow(
      'Truncated: Gaussian has no probability between 50 and 60.',
    );
    expect(() => Truncated(Gaussian({ mu: 0, sigma: 1 }), 2, Number.NaN)).toThrow(
      'Truncated: b must be a number, got NaN.',
    );
  });
});

test.each([
  ['ZeroInflated(Poisson({mu: r}), p)', '[0, 0, 3, 2, 0, 1]'],
  ['ZeroInflated(Gaussian({mu: r, sigma: 1}), p)', '[0, 0.5, -1, 2]'],
  ['Truncated(Poisson({mu: r}), 0.5, 4)', '[1, 2, 4, 3]'],
  ['Censored(Poisson({mu: r}), 1, 3)', '[1, 2, 3, 3]'],
  ['Truncated(Binomial({n: 6, p: p}), 1, 5)', '[1, 2, 4, 3]'],
])('%s of data: lanes are one by one', async (family, data) => {
  const code = `var model = function() {
    var r = softplus(modelParam({name: 'r'}));
    var p = sigmoid(modelParam({name: 'p'}));
    mapData({data: ${data}}, function(y) { observe(${family}, y); });
  }; model`;
  const conduct = { compiled: true, steps: 4 };
  const together = await courseOf(code, { ...conduct, sequential: false });
  expect(difference(together, await courseOf(code, { ...conduct, sequential: true }))).toBeUndefined();
  expect(together.error).toBeUndefined();
  expect(together.explanation).toMatch(/data side by side/);
});
