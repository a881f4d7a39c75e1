import { beforeEach, describe, expect, test } from 'vitest';
import type { Posterior } from '../../src/inference/algorithm.ts';
import { Infer } from '../../src/inference/infer.ts';
import type { InferOptions } from '../../src/inference/method-types.ts';
import { discreteModels, gaussianMean } from './models.ts';
import { startTestRun } from './test-run.ts';

interface Row {
  readonly options: Record<string, unknown> & { method?: string };
  /** Executions worth as much as independent ones; Infinity if the result is exact. */
  effective(result: Posterior<unknown>): number;
  readonly estimatesEvidence: boolean;
}

const exact = () => Infinity;
const samples = 4000;
const independent = () => samples;

const discreteRows: Row[] = [
  { options: {}, effective: exact, estimatesEvidence: true },
  { options: { method: 'enumerate' }, effective: exact, estimatesEvidence: true },
  { options: { method: 'enumerate', strategy: 'breadthFirst' }, effective: exact, estimatesEvidence: true },
  { options: { method: 'enumerate', strategy: 'likelyFirst' }, effective: exact, estimatesEvidence: true },
  { options: { method: 'rejection', samples }, effective: independent, estimatesEvidence: true },
  { options: { method: 'rejection', samples, incremental: true }, effective: independent, estimatesEvidence: true },
  {
    options: { method: 'importance', samples },
    effective: (result) => result.diagnostics!.effectiveSampleSize as number,
    estimatesEvidence: true,
  },
  // Resampling at up to four factors adds about as much noise each as drawing did.
  { options: { method: 'SMC', particles: samples }, effective: () => samples / 5, estimatesEvidence: true },
  // Sweeps share a particle, and the particles of a sweep their ancestors.
  { options: { method: 'PMCMC', particles: 400, sweeps: 10 }, effective: () => 800, estimatesEvidence: false },
  // Successive states of these chains are related for less than a dozen steps.
  { options: { method: 'MCMC', samples, lag: 11, burn: 100 }, effective: independent, estimatesEvidence: false },
];

beforeEach(() => void startTestRun(7));

describe.each(discreteModels)('$name', ({ model, posterior, logZ }) => {
  test.each(discreteRows)('by $options', ({ options, effective, estimatesEvidence }) => {
    const result = Infer(options as InferOptions, model);
    const n = effective(result);
    let total = 0;
    for (const [value, probability] of posterior) {
      const found = Math.exp(result.score(value));
      total += found;
      const tolerance = 5 * Math.sqrt((probability * (1 - probability)) / n) + 1e-12;
      expect(Math.abs(found - probability)).toBeLessThan(tolerance);
    }
    expect(total).toBeCloseTo(1, 12);
    if (!estimatesEvidence) return;
    // Weights are between 0 and 1 here, so the variance of the mean of n, which is Z, is at most Z(1 − Z)/n.
    const evidence = Math.exp(logZ);
    const spread = Math.sqrt((evidence * (1 - evidence)) / n);
    expect(Math.abs(Math.exp(result.normalizationConstant!) - evidence)).toBeLessThan(5 * spread + 1e-12);
  });
});

describe('a Gaussian mean with a Gaussian prior', () => {
  const rows: Row[] = [
    { options: { method: 'rejection', samples, maxScore: -1.8 }, effective: independent, estimatesEvidence: true },
    {
      options: { method: 'importance', samples },
      effective: (result) => result.diagnostics!.effectiveSampleSize as number,
      estimatesEvidence: true,
    },
    { options: { method: 'SMC', particles: samples }, effective: () => samples / 5, estimatesEvidence: false },
    {
      options: { method: 'MCMC', samples, lag: 19, burn: 100 },
      effective: independent,
      estimatesEvidence: false,
    },
  ];

  test.each(rows)('by $options', ({ options, effective, estimatesEvidence }) => {
    const result = Infer(options as InferOptions, gaussianMean.model);
    const n = effective(result);
    const { mean, variance } = gaussianMean;
    expect(Math.abs(result.mean() - mean)).toBeLessThan(5 * Math.sqrt(variance / n));
    // The variance of a Gaussian sample's variance is 2σ⁴/n.
    expect(Math.abs(result.variance() - variance)).toBeLessThan(5 * variance * Math.sqrt(2 / n));
    if (!estimatesEvidence) return;
    // The relative variance of the evidence is that of the weights, samples/effective − 1, or 1/accepted.
    const relative = Math.sqrt(options.method === 'rejection' ? 1 / samples : (samples / n - 1) / samples);
    expect(Math.abs(result.logZ! - gaussianMean.logZ)).toBeLessThan(5 * relative);
  });
});
