/** The evidence against what is known exactly of a normal mean. */
import { describe, expect, test } from 'vitest';
import { run } from '../../src/program/run.ts';

const DATA = [0.3, 1.9, -0.4];

/** Prior N(0, 2²), noise 1: data are jointly normal, with covariance I + 4 11ᵀ. */
const EXACT = (() => {
  const n = DATA.length;
  const sum = DATA.reduce((a, b) => a + b, 0);
  const squares = DATA.reduce((a, b) => a + b * b, 0);
  const logDet = Math.log(1 + 4 * n);
  return -0.5 * (n * Math.log(2 * Math.PI) + logDet + squares - (4 * sum * sum) / (1 + 4 * n));
})();

const program = (body: string): string => `
  var model = function() {
    var mu = sample(Gaussian({mu: 0, sigma: 2}), {guide: function() {
      return Gaussian({mu: param({name: 'm', mu: 0, sigma: 0}), sigma: softplus(param({name: 's', mu: 0, sigma: 0}))});
    }});
    map(function(y) { observe(Gaussian({mu: mu, sigma: 1}), y); }, ${JSON.stringify(DATA)});
    return mu;
  };
  ${body}`;

interface Found {
  logZ: number;
  se: number;
  ess: number;
  khat: number;
}

const ask = async (body: string): Promise<Found> => ((await run(program(body), { seed: 4 })) as { value: Found }).value;

describe('evidence', () => {
  test.each([
    ['by guides as they are', 'evidence(model, {samples: 4000})'],
    [
      'by guides that have been trained',
      'Optimize(model, {steps: 300, optMethod: {adam: {stepSize: 0.05}}}); evidence(model)',
    ],
    [
      'with parameters given',
      'var params = Optimize(model, {steps: 50}); evidence(model, {params: params, samples: 2000})',
    ],
    ['by annealing', "evidence(model, {method: 'AIS', samples: 20, steps: 200})"],
  ])('%s', async (_name, body) => {
    const found = await ask(body);
    expect(found.se).toBeLessThan(0.2);
    expect(Math.abs(found.logZ - EXACT)).toBeLessThan(4 * found.se + 1e-9);
  });

  test('a trained guide tells more', async () => {
    const [before, after] = [
      await ask('evidence(model)'),
      await ask('Optimize(model, {steps: 300, optMethod: {adam: {stepSize: 0.05}}}); evidence(model)'),
    ];
    expect(after.ess).toBeGreaterThan(1.5 * before.ess);
  });

  test.each([
    ['evidence(3)', 'evidence takes the model first'],
    ['evidence(model, {sample: 3})', "'sample'"],
    ["evidence(model, {method: 'NUTS'})", 'method'],
  ])('%s is refused', async (body, message) => {
    await expect(ask(body)).rejects.toThrow(message);
  });
});
