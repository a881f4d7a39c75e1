import { describe, expect, test } from 'vitest';
import { autocovariance, autocovariances } from '../../../src/inference/diagnostics/autocovariance.ts';
import { convergence } from '../../../src/inference/diagnostics/convergence.ts';
import { importanceDiagnostics, paretoFit } from '../../../src/inference/diagnostics/pareto.ts';
import { RandomStream } from '../../../src/runtime/random.ts';

const independent = (seed: number, n: number, shift = 0, scale = 1) => {
  const random = RandomStream.fromSeed(seed).begin();
  return Float64Array.from({ length: n }, () => shift + scale * random.gaussian());
};

/** A stationary autoregression: its effective size is n (1 − ρ) / (1 + ρ). */
const autoregression = (seed: number, n: number, rho: number) => {
  const noise = independent(seed, n);
  let x = noise[0];
  return noise.map((e) => {
    x = rho * x + Math.sqrt(1 - rho * rho) * e;
    return x;
  });
};

describe('convergence', () => {
  test('independent chains', () => {
    const result = convergence([1, 2, 3, 4].map((seed) => independent(seed, 1000)));
    expect(result.rhat).toBeLessThan(1.01);
    expect(result.bulkEss / 4000).toBeGreaterThan(0.8);
    expect(result.bulkEss / 4000).toBeLessThan(1.25);
    expect(result.tailEss / 4000).toBeGreaterThan(0.7);
  });

  test('chains in different places, and chains of different spread', () => {
    expect(convergence([independent(1, 1000), independent(2, 1000, 2)]).rhat).toBeGreaterThan(1.2);
    expect(convergence([independent(1, 1000), independent(2, 1000, 0, 5)]).rhat).toBeGreaterThan(1.1);
  });

  test.each([0.5, 0.9, -0.5])('effective size of an autoregression, rho = %d', (rho) => {
    const n = 20_000;
    const { bulkEss } = convergence([autoregression(7, n, rho), autoregression(8, n, rho)]);
    const expected = (2 * n * (1 - rho)) / (1 + rho);
    expect(bulkEss / expected).toBeGreaterThan(0.8);
    expect(bulkEss / expected).toBeLessThan(1.2);
  });

  test.each([1, 2, 5, 64, 1000])('autocovariances of a chain of %d, all at once', (n) => {
    const chain = autoregression(9, n, 0.8);
    const [all] = autocovariances([chain], [0.25]);
    expect(all).toHaveLength(n);
    for (let lag = 0; lag < n; lag++) expect(all[lag]).toBeCloseTo(autocovariance(chain, lag, 0.25), 12);
  });

  test('effective size of a chain that hardly moves', () => {
    // A random walk: the sum goes over thousands of lags.
    let at = 0;
    const walk = independent(5, 20_000).map((step) => {
      at += step;
      return at;
    });
    const { bulkEss } = convergence([walk]);
    expect(bulkEss).toBeGreaterThan(0);
    expect(bulkEss).toBeLessThan(100);
  });

  test('a constant chain', () => {
    expect(convergence([new Float64Array(100), new Float64Array(100)]).rhat).toBe(1);
  });
});

describe('importance diagnostics', () => {
  test.each([0.2, 0.5, 0.9])('recovers the shape of a generalised Pareto sample, k = %d', (k) => {
    const n = 20_000;
    const random = RandomStream.fromSeed(3).begin();
    const sample = Float64Array.from({ length: n }, () => (random.uniform() ** -k - 1) / k).sort();
    // Asymptotic standard error of the shape: (1 + k) / sqrt(n).
    expect(Math.abs(paretoFit(sample).shape - k)).toBeLessThan((5 * (1 + k)) / Math.sqrt(n));
  });

  test('equal weights: full size', () => {
    expect(importanceDiagnostics(new Float64Array(100).fill(-3)).ess).toBeCloseTo(100, 10);
  });

  test('a proposal narrower than the target is caught, a wider one trusted', () => {
    const khat = (proposal: number) => {
      const draws = independent(5, 20_000, 0, proposal);
      const log = draws.map((x) => -0.5 * x * x + 0.5 * (x / proposal) ** 2);
      return importanceDiagnostics(log).khat;
    };
    // The exact shape is 1 − σ² for a proposal of standard deviation σ < 1.
    expect(khat(0.3)).toBeGreaterThan(0.7);
    expect(khat(1.5)).toBeLessThan(0.5);
  });

  test('all weights zero', () => {
    expect(importanceDiagnostics([-Infinity, -Infinity]).ess).toBe(0);
  });
});
