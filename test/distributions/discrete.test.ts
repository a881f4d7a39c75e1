import { describe, expect, it } from 'vitest';
import { valueKey } from '../../src/runtime/values.ts';
import { draws, FALSE_ALARM, goodnessOfFit, standardErrors } from './statistics.ts';
import { build, LISTED, label, type Row, type Tested, WHOLE } from './table.ts';

const SAMPLES = 20_000;

const casesOf = (rows: readonly Row[]) =>
  rows.flatMap((row) => row.params.map((params) => [label(row, params), row, params] as const));

/** Whole numbers that hold all but a negligible part of the probability. */
function bulk(dist: Tested<number>): number[] {
  const last = dist.quantile!(1 - 1e-13);
  return Array.from({ length: last + 1 }, (_, k) => k);
}

describe.each(casesOf(WHOLE))('%s', (_, row, params) => {
  const dist = build<number>(row, params) as Required<Tested<number>>;
  const values = bulk(dist);
  const probabilities = values.map((k) => Math.exp(dist.score(k)));
  const sample = draws(dist, SAMPLES);

  it('has probabilities that add up to 1', () => {
    expect(probabilities.reduce((sum, p) => sum + p, 0)).toBeCloseTo(1, 10);
  });

  it('draws what it scores', () => {
    const counts = new Array<number>(values.length).fill(0);
    for (const k of sample) counts[Math.min(k, counts.length - 1)]++;
    expect(sample.every((k) => dist.score(k) > -Infinity)).toBe(true);
    const fit = goodnessOfFit(
      counts,
      probabilities.map((p) => p * SAMPLES),
    );
    expect(fit).toBeGreaterThan(FALSE_ALARM);
  });

  it('has the mean and variance of its probabilities and of its draws', () => {
    const mean = values.reduce((sum, k, i) => sum + k * probabilities[i], 0);
    const variance = values.reduce((sum, k, i) => sum + (k - mean) ** 2 * probabilities[i], 0);
    expect(Math.abs(dist.mean() - mean)).toBeLessThan(1e-8 * Math.max(1, mean));
    expect(Math.abs(dist.variance() - variance)).toBeLessThan(1e-8 * Math.max(1, variance));
    expect(standardErrors(sample, dist.mean())).toBeLessThan(5);
  });

  it('has a cdf that adds up its probabilities, and a quantile that undoes it', () => {
    let sum = 0;
    const bad = values.filter((k, i) => {
      sum += probabilities[i];
      const cdf = dist.cdf(k);
      if (Math.abs(cdf - sum) > 1e-10 || dist.cdf(k + 0.5) !== cdf) return true;
      if (probabilities[i] < 1e-9 || cdf > 1 - 1e-9) return false;
      return dist.quantile(cdf) !== k || dist.quantile(cdf - 0.5 * probabilities[i]) !== k;
    });
    expect(bad).toEqual([]);
    expect(dist.cdf(-0.5)).toBe(0);
    expect(dist.cdf(Infinity)).toBe(1);
  });

  it('has the entropy of its probabilities', () => {
    if (dist.support === undefined && !Object.hasOwn(Object.getPrototypeOf(dist), 'entropy')) {
      expect(() => dist.entropy()).toThrow(`${dist.name} is not one`);
      return;
    }
    const entropy = probabilities.reduce((sum, p) => (p > 0 ? sum - p * Math.log(p) : sum), 0);
    expect(dist.entropy()).toBeCloseTo(entropy, 9);
  });
});

describe.each(casesOf(LISTED))('%s', (_, row, params) => {
  const dist = build<unknown>(row, params);
  const support = dist.support!() as readonly unknown[];
  const probabilities = support.map((value) => Math.exp(dist.score(value)));

  it('lists distinct values whose probabilities add up to 1', () => {
    expect(new Set(support.map(valueKey)).size).toBe(support.length);
    expect(probabilities.reduce((sum, p) => sum + p, 0)).toBeCloseTo(1, 12);
    expect(dist.toJSON()).toEqual({ probs: probabilities.map((p) => expect.closeTo(p, 14)), support });
  });

  it('draws what it scores', () => {
    const place = new Map(support.map((value, i) => [valueKey(value), i]));
    const counts = new Array<number>(support.length).fill(0);
    const sample = draws(dist, SAMPLES);
    for (const value of sample) counts[place.get(valueKey(value))!]++;
    expect(sample.every((value) => dist.score(value) > -Infinity)).toBe(true);
    const fit = goodnessOfFit(
      counts,
      probabilities.map((p) => p * SAMPLES),
    );
    expect(fit).toBeGreaterThan(FALSE_ALARM);
  });

  it('has the entropy and the most probable value of its probabilities', () => {
    const entropy = probabilities.reduce((sum, p) => (p > 0 ? sum - p * Math.log(p) : sum), 0);
    expect(dist.entropy()).toBeCloseTo(entropy, 12);
    expect(Math.exp(dist.MAP().score)).toBeCloseTo(Math.max(...probabilities), 12);
  });
});
