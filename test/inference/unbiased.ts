import { expect } from 'vitest';
import type { Posterior } from '../../src/inference/algorithm.ts';
import { valueKey } from '../../src/runtime/values.ts';
import { startTestRun } from './test-run.ts';

/**
 * Particle methods are biased for few particles, but evidence times frequency of a value is not: its mean over many
 * runs is the joint probability of the value and the conditions. Checks that, to five standard errors.
 */
export function expectUnbiased(
  repeats: number,
  infer: () => Posterior<unknown>,
  joint: readonly (readonly [unknown, number])[],
): void {
  const places = new Map(joint.map(([value], i) => [valueKey(value), i]));
  const sums = joint.map(() => 0);
  const squares = joint.map(() => 0);
  for (let seed = 0; seed < repeats; seed++) {
    startTestRun(seed);
    const result = infer();
    const evidence = Math.exp(result.logZ!);
    const found = joint.map(() => 0);
    for (const value of result.support() as unknown[]) {
      const place = places.get(valueKey(value));
      expect(place, `${JSON.stringify(value)} is impossible`).toBeDefined();
      found[place!] = evidence * Math.exp(result.score(value));
    }
    found.forEach((x, i) => {
      sums[i] += x;
      squares[i] += x * x;
    });
  }
  const evidence = joint.reduce((sum, [, probability]) => sum + probability, 0);
  joint.forEach(([value, probability], i) => {
    const mean = sums[i] / repeats;
    const error = Math.sqrt((squares[i] / repeats - mean * mean) / repeats);
    // An estimator gone wild would have an error so large that anything is within it.
    expect(error, `standard error for ${JSON.stringify(value)}`).toBeLessThan(0.03 * evidence);
    expect(Math.abs(mean - probability), `joint probability of ${JSON.stringify(value)}`).toBeLessThan(5 * error);
  });
}
