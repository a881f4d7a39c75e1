import { describe, expect, test } from 'vitest';
import { adjusted, shiftTest, spreadTest, UniformCounts } from '../../../src/library/calibration/uniform.ts';
import { RandomStream } from '../../../src/runtime/random.ts';

const uniforms = (size: number, seed: number): number[] => {
  const stream = RandomStream.fromSeed(seed);
  return Array.from({ length: size }, () => stream.begin().uniform());
};

/** Five standard errors of a share of so many. */
const error = (share: number, trials: number): number => 5 * Math.sqrt((share * (1 - share)) / trials);

describe('uniform numbers', () => {
  test.each([20, 60])('%d of them leave the band as often as the level says, and are called so by the test', (size) => {
    const counts = new UniformCounts(size);
    const trials = 400;
    const level = 0.1;
    let out = 0;
    let called = 0;
    for (let i = 0; i < trials; i++) {
      const numbers = uniforms(size, i);
      const { value, lower, upper } = counts.banded(numbers, level, true);
      if (value.some((v, k) => v < lower[k] - 1e-12 || v > upper[k] + 1e-12)) out++;
      if (counts.shapeTest(numbers) < level) called++;
    }
    // Counts are whole numbers, so that the level may not be reached.
    expect(out / trials).toBeLessThan(level + error(level, trials));
    expect(out / trials).toBeGreaterThan(level / 2);
    expect(called / trials).toBeLessThan(level + error(level, trials));
    expect(called / trials).toBeGreaterThan(level / 2);
  });

  test('have p-values that are uniform themselves', () => {
    const trials = 600;
    for (const p of [shiftTest, spreadTest]) {
      const below = Array.from({ length: trials }, (_, i) => p(uniforms(60, i)).p).filter((one) => one < 0.05).length;
      expect(Math.abs(below / trials - 0.05)).toBeLessThan(error(0.05, trials));
    }
  });

  test('others are told from them', () => {
    const numbers = uniforms(200, 1);
    const counts = new UniformCounts(200);
    expect(counts.shapeTest(numbers.map((u) => u ** 1.5))).toBeLessThan(1e-4);
    expect(shiftTest(numbers.map((u) => u ** 1.5)).z).toBeLessThan(-4);
    const ends = numbers.map((u) => 0.5 - 0.5 * Math.cos(Math.PI * u));
    expect(counts.shapeTest(ends)).toBeLessThan(1e-4);
    expect(spreadTest(ends).z).toBeGreaterThan(4);
    // All in one place, and all the same distance apart.
    expect(counts.shapeTest(numbers.map(() => 0.5))).toBeLessThan(1e-10);
    expect(counts.shapeTest(numbers.map((_, i) => (i + 0.5) / 200))).toBeGreaterThan(0.9);
  });
});

test("Holm's correction", () => {
  expect(adjusted([0.01, 0.04, 0.03, 0.5])).toEqual([0.04, 0.09, 0.09, 0.5]);
  expect(adjusted([0.4, 0.6])).toEqual([0.8, 0.8]);
  expect(adjusted([])).toEqual([]);
});
