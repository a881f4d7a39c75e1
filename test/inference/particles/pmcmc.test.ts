import { beforeEach, describe, expect, test } from 'vitest';
import { Gaussian } from '../../../src/distributions/gaussian.ts';
import { readOptions } from '../../../src/inference/options.ts';
import { pmcmc } from '../../../src/inference/particles/pmcmc.ts';
import { machine } from '../../../src/runtime/machine.ts';
import { condition, factor, observe, sample } from '../../../src/runtime/primitives.ts';
import { expectFrequencies, expectMean, normalised } from '../frequencies.ts';
import { flip, gaussianMean } from '../models.ts';
import { sequentialModels } from '../particle-models.ts';
import { startTestRun } from '../test-run.ts';

const run = <T>(options: object, model: () => T) => pmcmc.run(model, readOptions('PMCMC', options, pmcmc.options));

beforeEach(() => void startTestRun(8));

describe('PMCMC', () => {
  test.each(sequentialModels)('finds the posterior of $name with few particles', ({ model, joint }) => {
    const sweeps = 10_000;
    const { samples } = run({ particles: 4, sweeps }, model);
    // Successive sweeps share a particle; a third of them is a cautious guess at how many are worth independent ones.
    const values = samples!.map(({ value }) => value);
    expectFrequencies(values, normalised(joint), sweeps / 3);
  });

  test('agrees with a Kalman smoother on the first state', () => {
    const seen = [0.5, 1.1, 0.9];
    const model = () => {
      const xs: number[] = [];
      let x = 0;
      for (const y of seen) {
        x = sample(Gaussian({ mu: x, sigma: 1 }));
        observe(Gaussian({ mu: x, sigma: 1 }), y);
        xs.push(x);
      }
      return xs[0];
    };
    // Precision matrix of the three states given the data, and its first row of cofactors.
    const [a, b, c] = [3, 3, 2];
    const determinant = a * (b * c - 1) - c;
    const covariance = [(b * c - 1) / determinant, c / determinant, 1 / determinant];
    const mean = covariance.reduce((sum, x, i) => sum + x * seen[i], 0);
    const sweeps = 2000;
    const { samples } = run({ particles: 20, sweeps }, model);
    const values = samples!.map(({ value }) => value);
    expectMean(values, mean, covariance[0], sweeps / 2);
  });

  test('gives particles + 1 samples per sweep', () => {
    expect(run({ particles: 5, sweeps: 3 }, gaussianMean.model).samples).toHaveLength(18);
    expect(run({}, gaussianMean.model).samples).toHaveLength(1010);
  });

  test('works without factors', () => {
    const values = run({ particles: 9, sweeps: 400 }, () => flip(0.3)).samples!.map(({ value }) => value);
    expectFrequencies(values, [
      [true, 0.3],
      [false, 0.7],
    ]);
  });

  test('gives the same samples for the same seed', () => {
    const values = () => {
      startTestRun(3);
      return run({ particles: 3, sweeps: 3 }, gaussianMean.model).samples;
    };
    expect(values()).toEqual(values());
  });

  test('says where it lost all particles', () => {
    const failing = () => run({ particles: 3 }, () => condition(flip(0)));
    expect(failing).toThrow('PMCMC lost all of its 4 particles at factor 1: here, the last of them met');
  });

  test('leaves the machine as it was when the program throws', () => {
    const { handler, stream } = machine;
    const model = () => {
      factor(-1);
      throw new Error('from the program');
    };
    expect(() => run({}, model)).toThrow('from the program');
    expect(machine).toMatchObject({ handler, stream });
  });

  test('checks its options', () => {
    expect(() => run({ sweeps: -1 }, () => flip())).toThrow('PMCMC: sweeps must be an integer of at least 1, got -1.');
    expect(() => run({ sweep: 3 }, () => flip())).toThrow("Did you mean 'sweeps'?");
  });
});
