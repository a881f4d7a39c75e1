import { describe, expect, test } from 'vitest';
import { figure, withReach } from '../../src/reproduce/numbers.ts';
import { around, ending, firstAbove, interval, smoothed, standardError } from '../../src/reproduce/statistics.ts';

describe('statistics of runs', () => {
  test('the standard error is that of a mean', () => {
    // Squared deviations 1, 0 and 1: variance 1, of a mean of three a third of it.
    expect(standardError([1, 2, 3])).toBeCloseTo(Math.sqrt(1 / 3), 12);
    expect(standardError([5])).toBe(0);
  });

  test('an interval reaches two standard errors to either side', () => {
    const { mean, low, high } = interval([1, 2, 3]);
    expect(mean).toBe(2);
    expect(high - mean).toBeCloseTo(2 * Math.sqrt(1 / 3), 12);
    expect(mean - low).toBeCloseTo(high - mean, 12);
  });

  test('smoothing takes the steps that are there', () => {
    expect(smoothed([0, 3, 6, 9], 1)).toEqual([1.5, 3, 6, 7.5]);
    expect(smoothed([4, 2], 0)).toEqual([4, 2]);
  });

  test('where a history is at a step, and where it ends', () => {
    expect(around([0, 10, 20, 30], 1, 1)).toBe(10);
    expect(around([0, 10], 100)).toBe(10);
    expect(ending([0, 0, 0, 4, 6], 0.4)).toBe(5);
    expect(ending([7])).toBe(7);
  });

  test('the first step above a level', () => {
    expect(firstAbove([-300, -200, -100], -150, 0)).toBe(2);
    expect(firstAbove([-300, -200], -150, 0)).toBeUndefined();
  });
});

describe('numbers in the report', () => {
  test.each([
    [-39300.4, 0, '−39,300'],
    [1234567.891, 2, '1,234,567.89'],
    [-0.4, 0, '0'],
    [0.456, 2, '0.46'],
  ])('%d with %d digits is %s', (x, digits, text) => expect(figure(x, digits)).toBe(text));

  test('a mean has its reach only if there is one', () => {
    expect(withReach({ mean: -10, high: -8 })).toBe('−10 ± 2');
    expect(withReach({ mean: -10, high: -10 })).toBe('−10');
  });
});
