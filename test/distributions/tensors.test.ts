import { describe, expect, it } from 'vitest';
import { Beta, Dirichlet, KDE, LogisticNormal, MultivariateGaussian, Wishart } from '../../src/distributions/index.ts';
import { LKJCholesky } from '../../src/distributions/lkj-cholesky.ts';
import { Tensor, vector } from '../../src/tensor/tensor.ts';
import { draws, FALSE_ALARM, goodnessOfFit, integrate, standardErrors } from './statistics.ts';
import { build, label, type Row, TENSORS, type Tested } from './table.ts';

const SAMPLES = 10_000;

const cases = TENSORS.flatMap((row) => row.params.map((params) => [label(row, params), row, params] as const));

function expectMoments(dist: Tested<Tensor>, sample: readonly Tensor[]): void {
  const [mean, variance] = [dist.mean!(), dist.variance!()];
  for (let i = 0; i < mean.length; i++) {
    const element = sample.map((x) => x.data[i]);
    expect(standardErrors(element, mean.data[i])).toBeLessThan(5);
    const squares = element.map((x) => (x - mean.data[i]) ** 2);
    expect(standardErrors(squares, variance.data[i])).toBeLessThan(5);
  }
}

describe.each(cases)('%s', (_, row: Row, params) => {
  const dist = build<Tensor>(row, params);
  const sample = draws(dist, SAMPLES);

  it('draws values that it can score', () => {
    expect(sample.every((x) => Number.isFinite(dist.score(x)))).toBe(true);
  });

  it('scores with a density: its mean surprise is the entropy', () => {
    if (!Object.hasOwn(Object.getPrototypeOf(dist), 'entropy')) return;
    const surprises = sample.map((x) => -dist.score(x));
    expect(standardErrors(surprises, dist.entropy())).toBeLessThan(5);
  });

  it('has the mean and variance of its draws', () => {
    if (dist.mean === undefined) return;
    expectMoments(dist, sample);
  });

  it('is the transform of its base', () => {
    if (dist.base === undefined) return;
    const made = draws(dist.base(), SAMPLES, 2).map((noise) => dist.transform!(noise));
    expect(made[0].dims).toEqual(sample[0].dims);
    // Two samples of one distribution: their scores are alike.
    const scores = sample.map((x) => dist.score(x)).sort((a, b) => a - b);
    const cuts = Array.from({ length: 19 }, (_, i) => scores[((i + 1) * SAMPLES) / 20]);
    const counts = new Array<number>(20).fill(0);
    for (const x of made) counts[cuts.filter((cut) => cut < dist.score(x)).length]++;
    // The cuts are themselves random, which doubles the variance of the counts.
    const halved = counts.map((count) => SAMPLES / 20 + (count - SAMPLES / 20) / Math.SQRT2);
    expect(goodnessOfFit(halved, new Array<number>(20).fill(SAMPLES / 20))).toBeGreaterThan(FALSE_ALARM);
  });
});

/** Step of integration in two dimensions. */
const COARSE = 1 / 16;

/** ∫∫ over the plane of a density of two numbers. */
function integratePlane(score: (x: number, y: number) => number, spread: number): number {
  const inner = (x: number) => integrate((y) => Math.exp(score(x, y)), -Infinity, Infinity, 0, spread, COARSE);
  return integrate(inner, -Infinity, Infinity, 0, spread, COARSE);
}

describe('densities over tensors integrate to 1', () => {
  it('MultivariateGaussian', () => {
    const dist = MultivariateGaussian({ mu: [0.5, 0], cov: new Tensor([2, 2], Float64Array.of(2, 0.7, 0.7, 1)) });
    expect(integratePlane((x, y) => dist.score(vector([x, y])), 1)).toBeCloseTo(1, 8);
  });

  it('KDE over vectors', () => {
    const dist = KDE({ data: [vector([0, 1]), vector([2, -1])], width: [0.5, 2] });
    expect(integratePlane((x, y) => dist.score(vector([x, y])), 1)).toBeCloseTo(1, 8);
  });

  it('Dirichlet and LogisticNormal', () => {
    // Over the first two of three coordinates, cut off where the third vanishes.
    for (const dist of [Dirichlet({ alpha: [1.5, 2, 3] }), LogisticNormal({ mu: [0, 1], sigma: [1, 0.5] })]) {
      const inner = (x: number) =>
        integrate((y) => Math.exp(dist.score(vector([x, y, 1 - x - y]))), 0, 1 - x, 0, 1, COARSE);
      expect(integrate(inner, 0, 1, 0, 1, COARSE)).toBeCloseTo(1, 6);
    }
  });

  it('Wishart of one dimension is a gamma, of more has the mean df · scale', () => {
    const one = Wishart({ df: 3, scale: new Tensor([1, 1], Float64Array.of(2)) });
    expect(
      integrate((x) => Math.exp(one.score(new Tensor([1, 1], Float64Array.of(x)))), 0, Infinity, 0, 5),
    ).toBeCloseTo(1, 9);
  });

  it('LKJCholesky has beta-distributed correlations', () => {
    // Each correlation r of LKJ(n, eta) has (r + 1) / 2 ~ Beta(b, b) with b = eta − 1 + n / 2.
    const dist = LKJCholesky({ dim: 4, eta: 2.5 });
    const beta = Beta({ a: 3.5, b: 3.5 });
    const sample = draws(dist, SAMPLES);
    for (const [i, j] of [
      [1, 0],
      [3, 1],
      [3, 2],
    ]) {
      const counts = new Array<number>(20).fill(0);
      for (const { data } of sample) {
        let r = 0;
        for (let k = 0; k < 4; k++) r += data[i * 4 + k] * data[j * 4 + k];
        counts[Math.min(19, Math.floor(beta.cdf((r + 1) / 2) * 20))]++;
      }
      expect(goodnessOfFit(counts, new Array<number>(20).fill(SAMPLES / 20))).toBeGreaterThan(FALSE_ALARM);
    }
  });
});

describe('vectors', () => {
  it('come as [n, 1], and are scored as [n] and as arrays too', () => {
    const dist = Dirichlet({ alpha: [1, 2] });
    expect(draws(dist, 1)[0].dims).toEqual([2, 1]);
    expect(dist.params.alpha).toEqual(vector([1, 2]));
    const score = dist.score(vector([0.3, 0.7]));
    expect(dist.score(new Tensor([2], Float64Array.of(0.3, 0.7)))).toBe(score);
    expect(dist.score([0.3, 0.7] as unknown as Tensor)).toBe(score);
  });

  it('stay on the simplex for the smallest of parameters', () => {
    for (const x of draws(Dirichlet({ alpha: [1e-3, 1e-3, 1e-3] }), 1000)) {
      expect(x.data.every((p) => p > 0 && p < 1)).toBe(true);
    }
  });
});
