/** Leave-one-out and WAIC against what is known exactly of a normal mean. */
import { describe, expect, test } from 'vitest';
import { run } from '../../src/program/run.ts';

const DATA = [0.3, 1.9, -0.4, 2.2, 1.1, 0.8, 3.1, -1.2];

/** The exact log predictive density of datum i given the others: prior N(0, 2²), noise 1. */
const exactPart = (i: number): number =>
  predictive(
    DATA[i],
    DATA.filter((_, j) => j !== i),
  );

function predictive(x: number, others: readonly number[]): number {
  const precision = 1 / 4 + others.length;
  const mean = others.reduce((a, b) => a + b, 0) / precision;
  const variance = 1 + 1 / precision;
  return -0.5 * (Math.log(2 * Math.PI * variance) + (x - mean) ** 2 / variance);
}

const program = (method: string, ask: string): string => `
  var data = ${JSON.stringify(DATA)};
  var posterior = Infer(extend(${method}, {model: function() {
    var mu = gaussian(0, 2);
    map(function(y) { observe(Gaussian({mu: mu, sigma: 1}), y); }, data);
    return mu;
  }}));
  var scores = function(mu) { return map(function(y) { return Gaussian({mu: mu, sigma: 1}).score(y); }, data); };
  ${ask}`;

interface Found {
  elpd: number;
  se: number;
  p: number;
  pointwise: number[];
  khat: number[];
}

const ask = async (method: string, question: string): Promise<Found> =>
  ((await run(program(method, question), { seed: 2 })) as { value: Found }).value;

describe.each([
  ['NUTS', "{method: 'MCMC', kernel: 'NUTS', samples: 2000, burn: 200}"],
  ['importance', "{method: 'importance', samples: 20000}"],
])('from %s', (_name, method) => {
  test('loo gives the exact predictive densities', async () => {
    const found = await ask(method, 'loo(posterior, scores)');
    // The part of a datum varies with a posterior of deviation 1/√8.25; 500 independent draws at the least.
    const error = 5 / Math.sqrt(500);
    found.pointwise.forEach((part, i) => {
      const spread = Math.abs(DATA[i] - 1) / Math.sqrt(8.25) + 0.1;
      expect(Math.abs(part - exactPart(i))).toBeLessThan(error * spread);
    });
    expect(found.elpd).toBeCloseTo(
      found.pointwise.reduce((a, b) => a + b, 0),
      10,
    );
    expect(found.khat.every((k) => k < 0.7)).toBe(true);
    const gained = DATA.map((x, i) => predictive(x, DATA) - exactPart(i));
    const exact = gained.reduce((a, b) => a + b, 0);
    expect(Math.abs(found.p - exact)).toBeLessThan(error * DATA.reduce((a, x) => a + Math.abs(x - 1), 0));
  });

  test('waic is close to it', async () => {
    const [a, b] = [await ask(method, 'loo(posterior, scores)'), await ask(method, 'waic(posterior, scores)')];
    expect(Math.abs(a.elpd - b.elpd)).toBeLessThan(0.2 * a.se);
  });
});

describe('what is refused', () => {
  test.each([
    ['loo(3, scores)', 'loo needs a posterior, as in loo(posterior, scores); got 3.'],
    [
      'waic(posterior, function(mu) { return mu; })',
      'waic: scores must give an array with a number for each datum, got',
    ],
    [
      'loo(posterior, function(mu) { return mu > 1 ? [1] : [1, 2]; })',
      'loo: scores must give one number for each datum',
    ],
  ])('%s', async (question, message) => {
    await expect(ask("{method: 'importance', samples: 100}", question)).rejects.toThrow(message);
  });
});
