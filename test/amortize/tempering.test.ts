/** Weights that a network learns from: as they are, where enough executions count, and else by a power of them. */
import { describe, expect, test } from 'vitest';
import type { Dreams } from '../../src/amortize/dreams.ts';
import { tempered } from '../../src/amortize/tempering.ts';

const dreamsOf = (logs: readonly number[]): Dreams => ({
  size: logs.length,
  choices: [],
  logWeights: Float64Array.from(logs),
  forms: [],
  values: [],
});

/** How many executions count, by their weights. */
function effective(logs: Float64Array): number {
  const largest = logs.reduce((a, b) => Math.max(a, b));
  const weights = Array.from(logs, (log) => Math.exp(log - largest));
  const sum = weights.reduce((a, b) => a + b);
  return (sum * sum) / weights.reduce((a, b) => a + b * b, 0);
}

describe('weights to learn from', () => {
  test('are as they are where enough of them count', () => {
    const logs = Array.from({ length: 50 }, (_, i) => 0.02 * i);
    expect([...tempered(dreamsOf(logs)).logWeights]).toEqual(logs);
  });

  test('are a power of what they were where one outweighs all, and as large a one as lets a fifth of them count', () => {
    const logs = Array.from({ length: 50 }, (_, i) => -((i * 7) % 50));
    const { logWeights } = tempered(dreamsOf(logs));
    const powers = logs.flatMap((log, i) => (log === 0 ? [] : [logWeights[i] / log]));
    expect(Math.max(...powers) - Math.min(...powers)).toBeLessThan(1e-12);
    expect(powers[0]).toBeLessThan(1);
    expect(effective(logWeights)).toBeGreaterThanOrEqual(10);
    expect(effective(logWeights.map((log) => log * Math.SQRT2))).toBeLessThan(10);
  });

  test('leave out what is impossible, and count the others', () => {
    const { logWeights } = tempered(dreamsOf([-Infinity, 0, -40, -Infinity, -80]));
    expect([logWeights[0], logWeights[1], logWeights[3]]).toEqual([-Infinity, 0, -Infinity]);
    expect(logWeights[2]).toBeLessThan(0);
    const none = dreamsOf([-Infinity, -Infinity]);
    expect(tempered(none)).toBe(none);
  });
});
