import { expect, test } from 'vitest';
import { coordinateOf } from '../../src/amortize/coordinates.ts';
import { sequenceOf } from '../../src/amortize/scalar-sequences.ts';
import * as families from '../../src/distributions/index.ts';
import type { Distribution } from '../../src/runtime/handler.ts';
import { RandomStream } from '../../src/runtime/random.ts';
import { Tensor, vector } from '../../src/tensor/tensor.ts';

const matrix = (rows: number[][]): Tensor => new Tensor([rows.length, rows[0].length], Float64Array.from(rows.flat()));
const spread = matrix([
  [1, 0.4, 0],
  [0.4, 2, 0.3],
  [0, 0.3, 1],
]);
const mu = vector([0, 1, -1]);

const VECTORS = [
  families.DiagCovGaussian({ mu, sigma: vector([1, 2, 3]) }),
  families.TensorGaussian({ mu: 1, sigma: 2, dims: [2, 2] }),
  families.TensorLaplace({ location: 1, scale: 2, dims: [3, 1] }),
  families.MultivariateGaussian({ mu, cov: spread }),
  families.MultivariateGaussianPrecision({ mu, precision: spread }),
  families.MultivariateStudentT({ df: 3, mu, scale: spread }),
  families.MultivariateBernoulli({ ps: vector([0.2, 0.5, 0.7]) }),
  families.Dirichlet({ alpha: vector([0.5, 2, 3]) }),
  families.LogisticNormal({ mu, sigma: vector([1, 2, 1]) }),
  families.Multinomial({ ps: [0.2, 0.3, 0.5], n: 7 }),
  families.DirichletMultinomial({ alpha: vector([1, 2, 3]), n: 7 }),
  families.Wishart({ df: 5, scale: spread }),
  families.InverseWishart({ df: 6, scale: spread }),
  families.LKJCholesky({ dim: 4, eta: 1.5 }),
] as unknown as Distribution<unknown>[];

const DRAWS = 600;

/** Where a value is in its distribution, from 0 to 1: uniform, if it is drawn from it. Whole numbers are spread evenly over their step. */
function rank(part: Distribution<unknown>, element: number | boolean, uniform: number): number {
  if (part.name === 'Bernoulli') {
    const { p } = part.params as { p: number };
    return element ? 1 - p + p * uniform : (1 - p) * uniform;
  }
  const { cdf } = part as unknown as { cdf(x: number): number };
  const x = element as number;
  if (part.isContinuous) return cdf.call(part, x);
  return cdf.call(part, x - 1) + uniform * Math.exp(part.score(x));
}

test.each(VECTORS.map((target) => [target.name, target] as const))('%s is the sequence of its parts', (_, target) => {
  const sequence = sequenceOf(target)!;
  const random = RandomStream.fromSeed(3);
  const ranks = Array.from({ length: sequence.length }, (): number[] => []);
  for (let n = 0; n < DRAWS; n++) {
    const value = target.draw(random.begin());
    const parts = sequence.partsOf(value)!;
    const again = sequence.whole(parts) as Tensor | number[];
    const numbers = (x: unknown): number[] => [...(x instanceof Tensor ? x.data : (x as number[]))];
    numbers(again).forEach((x, i) => void expect(x).toBeCloseTo(numbers(value)[i], 6));
    parts.forEach((element, i) => {
      ranks[i].push(rank(sequence.part(i, parts.slice(0, i)), element, random.begin().uniform()));
    });
  }
  for (const list of ranks) {
    const sorted = list.sort((a, b) => a - b);
    const distance = sorted.reduce((most, x, i) => Math.max(most, Math.abs(x - (i + 0.5) / DRAWS)), 0);
    // Kolmogorov: beyond 2.1 / √n once in 3,000.
    expect(distance).toBeLessThan(2.1 / Math.sqrt(DRAWS));
  }
});

const NUMBERS = [
  families.VonMises({ mu: 1, kappa: 2 }),
  families.KDE({ data: [0, 1, 3], width: 0.5 }),
  families.Mixture({ dists: [families.Gamma({ shape: 2, scale: 1 }), families.Exponential({ a: 2 })], ps: [1, 3] }),
  families.Beta({ a: 2, b: 5 }),
  families.Cauchy({ location: 0, scale: 1 }),
] as unknown as Distribution<number>[];

test.each(NUMBERS.map((target) => [target.name, target] as const))('%s has a coordinate', (_, target) => {
  const coordinate = coordinateOf(target as Distribution<unknown>)!;
  if (coordinate.kind !== 'real') throw new Error('a real coordinate is expected');
  for (const u of [-3, -1, 0, 0.5, 2]) {
    const x = coordinate.from(u);
    expect(coordinate.to(x)).toBeCloseTo(u, 6);
    // Its slope is the density, over that of a standard normal: nothing else makes it the prior.
    const step = 1e-5 * Math.max(1, Math.abs(x));
    const slope = (coordinate.to(x + step) - coordinate.to(x - step)) / (2 * step);
    const wanted = Math.exp(target.score(x) + 0.5 * u * u) * Math.sqrt(2 * Math.PI);
    expect(slope / wanted).toBeCloseTo(1, 3);
  }
});
