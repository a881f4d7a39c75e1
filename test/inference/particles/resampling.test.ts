import { describe, expect, test } from 'vitest';
import {
  isDue,
  multinomial,
  normalise,
  pick,
  sumOfSquares,
  systematic,
} from '../../../src/inference/particles/resampling.ts';
import { RandomStream } from '../../../src/runtime/random.ts';

const SHARES = Float64Array.of(0.35, 0, 0.05, 0.4, 0.2);
const DRAWS = 20_000;

/** Mean number of children of each, over many draws. */
function meanChildren(resample: typeof systematic, size: number): { mean: number[]; range: [number, number][] } {
  const random = RandomStream.fromSeed(1);
  const mean = [0, 0, 0, 0, 0];
  const range = mean.map((): [number, number] => [Infinity, -Infinity]);
  for (let i = 0; i < DRAWS; i++) {
    const children = resample(SHARES, size, random.begin());
    expect(children.reduce((sum, n) => sum + n, 0)).toBe(size);
    children.forEach((n, k) => {
      mean[k] += n / DRAWS;
      range[k] = [Math.min(range[k][0], n), Math.max(range[k][1], n)];
    });
  }
  return { mean, range };
}

describe('weights', () => {
  test('are normalised without overflow', () => {
    const shares = new Float64Array(3);
    expect(normalise(Float64Array.of(1000, 1000 + Math.log(3), -Infinity), shares)).toBeCloseTo(1000 + Math.log(4), 10);
    expect(shares[0]).toBeCloseTo(0.25, 12);
    expect(shares[2]).toBe(0);
    expect(normalise(Float64Array.of(-Infinity, -Infinity, -Infinity), shares)).toBe(-Infinity);
  });

  test('are worth as many particles as carry them', () => {
    expect(1 / sumOfSquares(Float64Array.of(0.25, 0.25, 0.25, 0.25))).toBe(4);
    expect(1 / sumOfSquares(Float64Array.of(0.5, 0.5, 0, 0))).toBe(2);
    expect(isDue(2, 4, null, null)).toBe(false);
    expect(isDue(1 / sumOfSquares(Float64Array.of(0.6, 0.4, 0, 0)), 4, null, null)).toBe(true);
  });
});

describe('the number of children', () => {
  test.each([
    ['systematic', systematic],
    ['multinomial', multinomial],
  ])('is right on average: %s', (_, resample) => {
    const { mean } = meanChildren(resample, 7);
    mean.forEach((found, k) => {
      // The number of children has at most the variance of the multinomial.
      const error = Math.sqrt((7 * SHARES[k] * (1 - SHARES[k])) / DRAWS);
      expect(Math.abs(found - 7 * SHARES[k])).toBeLessThan(5 * error + 1e-12);
    });
  });

  test('is the nearest integers, if systematic', () => {
    const { range } = meanChildren(systematic, 7);
    range.forEach(([least, most], k) => {
      expect(least).toBe(Math.floor(7 * SHARES[k]));
      expect(most).toBe(Math.ceil(7 * SHARES[k]));
    });
  });

  test('is one each for equal weights, if systematic', () => {
    const random = RandomStream.fromSeed(2);
    for (const n of [3, 10, 49, 1000]) {
      const children = systematic(new Float64Array(n).fill(1 / n), n, random.begin());
      expect(children.every((count) => count === 1)).toBe(true);
    }
  });

  test('never goes to a weight of zero when rounding leaves some over', () => {
    const shares = Float64Array.of(0.3, 0.7 - 1e-9, 0);
    const nearlyOne = { uniform: () => 1 - 2 ** -53, gaussian: () => 0, integer: () => 0 };
    expect([...systematic(shares, 4, nearlyOne)]).toEqual([1, 3, 0]);
    expect(pick(shares, nearlyOne)).toBe(1);
  });
});
