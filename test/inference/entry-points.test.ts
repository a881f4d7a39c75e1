import { beforeEach, describe, expect, expectTypeOf, test } from 'vitest';
import * as entryPoints from '../../src/inference/entry-points.ts';
import { Infer } from '../../src/inference/infer.ts';
import { condition, factor } from '../../src/runtime/primitives.ts';
import { flip, gaussianMean } from './models.ts';
import { startTestRun } from './test-run.ts';

const { AIS, DefaultInfer, Enumerate, ForwardSample, forward, MCMC, MH, ParticleFilter, Rejection, SMC } = entryPoints;

let warnings: string[];
beforeEach(() => {
  warnings = startTestRun(2).warnings;
});

const model = () => flip(0.25);

describe('one function per method', () => {
  test('takes the model and options in any shape', () => {
    expect(Enumerate(model).score(true)).toBe(Math.log(0.25));
    expect(Enumerate({ model, strategy: 'likelyFirst' }).score(true)).toBe(Math.log(0.25));
    expect(Enumerate({ maxExecutions: 1 }, model).support()).toEqual([false]);
    expect(DefaultInfer(model).method).toBe('enumerate');
    for (const infer of [Rejection, MCMC, ForwardSample, entryPoints.IncrementalMH]) {
      expect(infer(model, { samples: 9 }).samples).toHaveLength(9);
    }
    expect(SMC(model, { particles: 9 }).samples).toHaveLength(9);
    expect(entryPoints.PMCMC(model, { particles: 5, sweeps: 3 }).samples).toHaveLength(18);
    const filtered = entryPoints.AsyncPF(() => factor(-1), { particles: 9 });
    expect(filtered.continue(3).samples!.length).toBeGreaterThan(0);
    expectTypeOf(Enumerate(model).sample()).toEqualTypeOf<boolean>();
  });

  test('speaks of itself in errors', () => {
    expect(() => Enumerate(model, { sample: 3 })).toThrow(
      /^Enumerate has no option 'sample'; it takes maxExecutions, /,
    );
    Enumerate(model, { samples: 3 });
    expect(warnings[0]).toMatch(
      /^Enumerate has no option 'samples' and ignores it; .* samples is for rejection, MCMC, /,
    );
    expect(() => Rejection(3 as never)).toThrow('as in Rejection({model: () => …}); got 3.');
  });

  test('has older names', () => {
    expect(MH(model, 30, 5).samples).toHaveLength(30);
    expect(ParticleFilter(model, 30).samples).toHaveLength(30);
    expect(entryPoints.ParticleFilterRejuv(model, 10, 2).samples).toHaveLength(20);
  });
});

describe('forward', () => {
  test('runs the model once', () => {
    let runs = 0;
    const value = forward(() => {
      runs++;
      condition(false);
      return flip(1);
    });
    expect([value, runs]).toEqual([true, 1]);
    expect(warnings).toHaveLength(1);
    expect(() => forward(3 as never)).toThrow('as in forward(');
  });
});

describe('AIS', () => {
  test('is exact where all executions weigh the same', () => {
    expect(AIS(() => factor(-3))).toBeCloseTo(-3, 12);
    const result = Infer({ method: 'AIS', steps: 4, samples: 2 }, () => factor(-3));
    expect(result.normalizationConstant).toBeCloseTo(-3, 12);
    expect(result.support()).toEqual([true]);
  });

  test('estimates the evidence of a Gaussian mean', () => {
    const chains = 400;
    const logWeights = Array.from({ length: chains }, () => AIS(gaussianMean.model, { steps: 50, samples: 1 }));
    const weights = logWeights.map((weight) => Math.exp(weight - gaussianMean.logZ));
    const mean = weights.reduce((sum, weight) => sum + weight, 0) / chains;
    const variance = weights.reduce((sum, weight) => sum + (weight - mean) ** 2, 0) / (chains - 1);
    expect(Math.abs(mean - 1)).toBeLessThan(5 * Math.sqrt(variance / chains));
    // Annealing must be better than weighing draws from the prior: their relative variance is known.
    const plain = Infer({ method: 'importance', samples: 20_000 }, gaussianMean.model);
    expect(variance).toBeLessThan(0.5 * (20_000 / (plain.diagnostics!.effectiveSampleSize as number) - 1));
  });

  test('averages the weights of several chains', () => {
    const soft = () => factor(flip() ? -1 : -4);
    const exact = Math.log((Math.exp(-1) + Math.exp(-4)) / 2);
    // Weights are between e⁻⁴ and e⁻¹.
    const spread = (Math.exp(-1) - Math.exp(-4)) / 2;
    const found = AIS(soft, { steps: 3, samples: 2000 });
    expect(Math.abs(Math.exp(found) - Math.exp(exact))).toBeLessThan((5 * spread) / Math.sqrt(2000));
  });

  test('refuses hard conditions', () => {
    expect(() => AIS(() => condition(flip(0)))).toThrow(
      'AIS cannot anneal a factor of -Infinity or a condition that fails, as here.',
    );
    expect(() => AIS(model, { step: 3 } as object)).toThrow("AIS has no option 'step'; it takes steps, samples.");
  });
});
