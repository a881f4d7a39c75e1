import { expect, test } from 'vitest';
import { Horizon } from '../../../src/inference/particles/horizon.ts';
import { RandomStream } from '../../../src/runtime/random.ts';

const SIZE = 10;
/** Factors that are gone through again to go on. */
const PAST = 16;

/** Factors met by all particles of a filter with so many observations, of which a fraction ends in half of them being replaced. */
function factorsMet(observations: number, fraction: (factor: number) => number): number {
  const random = RandomStream.fromSeed(1).begin();
  const horizon = new Horizon(SIZE, true);
  const met = new Array<number>(SIZE).fill(0);
  let total = 0;
  for (let factor = 0; factor < observations; factor++) {
    for (let i = 0; i < SIZE; i++) {
      if (met[i] > factor) continue;
      if (horizon.factors <= factor) horizon.move(factor, Math.max(0, factor - PAST), 0);
      total += horizon.factors - met[i] + Math.min(PAST, factor);
      met[i] = horizon.factors;
    }
    if (random.uniform() >= fraction(factor)) continue;
    for (let i = 0; i < SIZE / 2; i++) {
      if (met[i] <= factor + 1) continue;
      met[i] = factor + 1;
      horizon.branch(factor + 1);
    }
  }
  return total;
}

test.each([
  ['at some', () => 0.3],
  ['at few', () => 0.01],
  ['at all, after a long while at none', (factor: number) => (factor > 1000 ? 1 : 0)],
] as const)('what particles meet in all grows with the observations, if they are replaced %s', (_, fraction) => {
  // Each meets all factors once, and goes through its past and what was lost a few times.
  expect(factorsMet(16_000, fraction)).toBeLessThan(16_000 * SIZE * 14);
});
