import { describe, expect, test } from 'vitest';
import { adviceOnCores } from '../../../src/inference/chains/spare-cores.ts';

describe('chains on one core of several', () => {
  test('a run that took long says how to use the others', () => {
    expect(adviceOnCores('MCMC at model.wppl:3:1', 4, 12_300, 8)).toBe(
      'MCMC at model.wppl:3:1 ran 4 chains on one of 8 cores, which took 12 s. With --ranks 4 they share 4 cores, and the samples are the same.',
    );
    expect(adviceOnCores('MCMC', 4, 12_300, 2)).toContain('With --ranks 2 they share 2 cores');
  });

  test.each([
    ['there is one core', 4, 60_000, 1],
    ['nobody waits for so little', 4, 900, 8],
  ])('nothing is said where %s', (_, chains, milliseconds, cores) => {
    expect(adviceOnCores('MCMC', chains, milliseconds, cores)).toBeUndefined();
  });
});
