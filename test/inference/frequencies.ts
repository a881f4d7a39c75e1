import { expect } from 'vitest';
import { valueKey } from '../../src/runtime/values.ts';

/**
 * Checks relative frequencies (or probabilities) of values against their exact probabilities: each may be off by five
 * standard errors of n independent draws.
 */
export function expectFrequencies(
  found: Iterable<unknown>,
  exact: readonly (readonly [unknown, number])[],
  effective?: number,
): void {
  const counts = new Map<unknown, number>();
  let n = 0;
  for (const value of found) {
    const key = valueKey(value);
    counts.set(key, (counts.get(key) ?? 0) + 1);
    n++;
  }
  const size = effective ?? n;
  let seen = 0;
  for (const [value, probability] of exact) {
    const count = counts.get(valueKey(value)) ?? 0;
    seen += count;
    const tolerance = 5 * Math.sqrt((probability * (1 - probability)) / size) + 1e-12;
    expect(Math.abs(count / n - probability), `frequency of ${JSON.stringify(value)}`).toBeLessThan(tolerance);
  }
  expect(seen, 'values outside the support').toBe(n);
}

/** Normalises weights of values. */
export function normalised<V>(weights: readonly (readonly [V, number])[]): (readonly [V, number])[] {
  const total = weights.reduce((sum, [, weight]) => sum + weight, 0);
  return weights.map(([value, weight]) => [value, weight / total] as const);
}

/** Checks a mean against the exact one: five standard errors of n independent draws with the given variance. */
export function expectMean(values: readonly number[], mean: number, variance: number, effective = values.length): void {
  const found = values.reduce((sum, value) => sum + value, 0) / values.length;
  expect(Math.abs(found - mean)).toBeLessThan(5 * Math.sqrt(variance / effective));
}
