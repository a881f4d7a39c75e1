import { describe, expect, it } from 'vitest';
import type { Interval } from '../../src/runtime/handler.ts';
import { draws, FALSE_ALARM, goodnessOfFit, integrate, standardErrors } from './statistics.ts';
import { build, CONTINUOUS, label, type Row, type Tested } from './table.ts';

const SAMPLES = 20_000;
const BINS = 50;

function interval(dist: Tested<number>): Interval {
  return (dist.support?.() ?? { lower: -Infinity, upper: Infinity }) as Interval;
}

/** Middle and width of the bulk, for integration over an infinite range. */
function bulk(dist: Tested<number>): { centre: number; spread: number } {
  if (dist.quantile === undefined) return { centre: dist.mean?.() ?? 0, spread: Math.sqrt(dist.variance?.() ?? 1) };
  return { centre: dist.quantile(0.5), spread: dist.quantile(0.75) - dist.quantile(0.25) };
}

function probability(dist: Tested<number>, lower: number, upper: number): number {
  const { centre, spread } = bulk(dist);
  return integrate((x) => Math.exp(dist.score(x)), lower, upper, centre, spread);
}

/** Ends of bins of equal probability, if quantiles are known, else of equal width. */
function binEnds(dist: Tested<number>, sample: readonly number[]): number[] {
  const { quantile } = dist;
  if (quantile !== undefined) return Array.from({ length: BINS - 1 }, (_, i) => quantile.call(dist, (i + 1) / BINS));
  const sorted = [...sample].sort((a, b) => a - b);
  const [first, last] = [sorted[SAMPLES * 0.01], sorted[SAMPLES * 0.99]];
  return Array.from({ length: BINS - 1 }, (_, i) => first + ((last - first) * i) / (BINS - 2));
}

function fitOf(dist: Tested<number>, sample: readonly number[]): number {
  const ends = binEnds(dist, sample);
  const counts = new Array<number>(BINS).fill(0);
  for (const x of sample) counts[ends.filter((end) => end < x).length]++;
  const { lower, upper } = interval(dist);
  const expected =
    dist.quantile !== undefined
      ? counts.map(() => sample.length / BINS)
      : counts.map((_, i) => sample.length * probability(dist, ends[i - 1] ?? lower, ends[i] ?? upper));
  return goodnessOfFit(counts, expected);
}

const cases = CONTINUOUS.flatMap((row) => row.params.map((params) => [label(row, params), row, params] as const));

describe.each(cases)('%s', (_, row: Row, params) => {
  const dist = build<number>(row, params);
  const sample = draws(dist, SAMPLES);

  it('has a density that integrates to 1', () => {
    const { lower, upper } = interval(dist);
    expect(Math.abs(probability(dist, lower, upper) - 1)).toBeLessThan(row.singular ? 1e-6 : 1e-9);
  });

  it('draws what it scores', () => {
    expect(sample.every((x) => Number.isFinite(x) && dist.score(x) > -Infinity)).toBe(true);
    expect(fitOf(dist, sample)).toBeGreaterThan(FALSE_ALARM);
  });

  it('has the mean and variance of its draws', () => {
    const mean = dist.mean?.();
    const variance = dist.variance?.();
    if (mean === undefined || !Number.isFinite(variance)) return;
    expect(standardErrors(sample, mean)).toBeLessThan(5);
    const squares = sample.map((x) => (x - mean) ** 2);
    expect(standardErrors(squares, variance as number)).toBeLessThan(5);
  });

  if (dist.cdf !== undefined && dist.quantile !== undefined) {
    const { cdf, quantile } = dist as Required<Tested<number>>;

    it('has a cdf that is the integral of its density', () => {
      const [a, median, b] = [0.2, 0.5, 0.7].map((p) => quantile.call(dist, p));
      const density = (x: number) => Math.exp(dist.score(x));
      const integral = integrate(density, a, median) + integrate(density, median, b);
      expect(cdf.call(dist, b) - cdf.call(dist, a)).toBeCloseTo(integral, 9);
      expect(cdf.call(dist, b)).toBeCloseTo(0.7, 9);
    });

    it('survives where its cdf ends', () => {
      for (const p of [1e-9, 0.01, 0.3, 0.5, 0.8, 0.999]) {
        const x = quantile.call(dist, p);
        expect(dist.survival(x) + cdf.call(dist, x)).toBeCloseTo(1, 12);
      }
      const { lower, upper } = interval(dist);
      expect([dist.survival(lower - 1), dist.survival(upper + 1)]).toEqual([1, 0]);
    });

    it('has a quantile that undoes its cdf', () => {
      for (const p of [1e-6, 0.01, 0.3, 0.5, 0.8, 0.999]) {
        expect(cdf.call(dist, quantile.call(dist, p))).toBeCloseTo(p, 10);
      }
      const { lower, upper } = interval(dist);
      expect([quantile.call(dist, 0), quantile.call(dist, 1)]).toEqual([lower, upper]);
      expect([cdf.call(dist, lower), cdf.call(dist, upper)]).toEqual([0, 1]);
      expect([cdf.call(dist, lower - 1), cdf.call(dist, upper + 1)]).toEqual([0, 1]);
    });
  }

  // Not `finiteSupport`'s, which would refuse.
  if (dist.quantile !== undefined && Object.hasOwn(Object.getPrototypeOf(dist), 'entropy')) {
    it('has the entropy that integration gives', () => {
      const { lower, upper } = interval(dist);
      const { centre, spread } = bulk(dist);
      const surprise = (x: number): number => -Math.exp(dist.score(x)) * dist.score(x);
      const integral = integrate(surprise, lower, upper, centre, spread);
      expect(Math.abs(dist.entropy() - integral)).toBeLessThan(row.singular ? 1e-5 : 1e-9);
    });
  }

  if (dist.base !== undefined) {
    it('is the transform of its base', () => {
      const noise = draws(dist.base!(), SAMPLES, 2);
      const made = noise.map((z) => dist.transform!(z));
      expect(fitOf(dist, made)).toBeGreaterThan(FALSE_ALARM);
    });
  }
});
