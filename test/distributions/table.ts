/**
 * One row per family: parameters to try, and values outside the support. The property tests are generated from it:
 * a new family needs a row here, and nothing else.
 */

import type { BaseDistribution } from '../../src/distributions/distribution.ts';
import type { ClosedForms } from '../../src/distributions/family.ts';
import * as families from '../../src/distributions/index.ts';
import type { Distribution } from '../../src/runtime/handler.ts';
import { Tensor, vector } from '../../src/tensor/tensor.ts';

/** A distribution as tests see it: any closed form may be there. */
export type Tested<V> = BaseDistribution<V> & Partial<ClosedForms<V>>;

export interface Row {
  readonly family: string;
  readonly params: readonly object[];
  /** Of the right type, but with density 0 under all the parameters. */
  readonly outside?: readonly unknown[];
  /** Its density is singular at an end of the support, so that an integral up to there has fewer digits. */
  readonly singular?: boolean;
}

const constructors = new Map(Object.entries(families)) as Map<string, unknown>;

export function build<V>(row: { readonly family: string }, params: object): Tested<V> {
  const make = constructors.get(row.family) as (params: object) => Distribution<V>;
  return make(params) as Tested<V>;
}

/** Over the real line or an interval of it. */
export const CONTINUOUS: readonly Row[] = [
  {
    family: 'Beta',
    params: [
      { a: 2, b: 5 },
      { a: 0.5, b: 0.5 },
      { a: 30, b: 12 },
    ],
    outside: [0, 1, -0.5, 2],
    singular: true,
  },
  {
    family: 'Cauchy',
    params: [
      { location: 0, scale: 1 },
      { location: -3, scale: 0.2 },
    ],
  },
  { family: 'ChiSquared', params: [{ df: 1 }, { df: 4.5 }, { df: 60 }], outside: [0, -1], singular: true },
  { family: 'Exponential', params: [{ a: 1 }, { a: 0.02 }], outside: [-1e-9] },
  {
    family: 'Gamma',
    params: [
      { shape: 1, scale: 1 },
      { shape: 0.3, scale: 2 },
      { shape: 9, scale: 0.5 },
      { shape: 400, scale: 1 },
    ],
    outside: [0, -1],
    singular: true,
  },
  {
    family: 'Gaussian',
    params: [
      { mu: 0, sigma: 1 },
      { mu: -7, sigma: 0.01 },
      { mu: 1e3, sigma: 50 },
    ],
  },
  {
    family: 'Gumbel',
    params: [
      { location: 0, scale: 1 },
      { location: -4, scale: 2.5 },
    ],
  },
  { family: 'HalfCauchy', params: [{ scale: 1 }, { scale: 12 }], outside: [-0.1] },
  { family: 'HalfNormal', params: [{ sigma: 1 }, { sigma: 0.3 }], outside: [-0.1] },
  {
    family: 'InverseGamma',
    params: [
      { shape: 3, scale: 2 },
      { shape: 12, scale: 1 },
    ],
    outside: [0, -1],
  },
  {
    family: 'IspNormal',
    params: [
      { mu: 0, sigma: 1 },
      { mu: -3, sigma: 2 },
      { mu: 40, sigma: 3 },
    ],
    outside: [0, -1],
  },
  { family: 'IspNormal', params: [{ mu: 1, sigma: 0.7, b: 4 }], outside: [4, 5] },
  { family: 'IspNormal', params: [{ mu: 0.5, sigma: 0.7, a: -2 }], outside: [-2, -3] },
  {
    family: 'Laplace',
    params: [
      { location: 0, scale: 1 },
      { location: 5, scale: 0.1 },
    ],
  },
  {
    family: 'Logistic',
    params: [
      { location: 0, scale: 1 },
      { location: -2, scale: 7 },
    ],
  },
  {
    family: 'LogNormal',
    params: [
      { mu: 0, sigma: 1 },
      { mu: 2, sigma: 0.25 },
    ],
    outside: [0, -1],
  },
  {
    family: 'LogitNormal',
    params: [
      { mu: 0, sigma: 1 },
      { mu: 0.5, sigma: 2, a: -10, b: 0 },
      { mu: -1, sigma: 0.5, a: -1, b: 0 },
    ],
    outside: [-10, 1, 1.5, -20],
  },
  {
    family: 'Pareto',
    params: [
      { shape: 3, scale: 1 },
      { shape: 6, scale: 2 },
    ],
    outside: [0.99, -3],
  },
  {
    family: 'StudentT',
    params: [
      { df: 1, location: 0, scale: 1 },
      { df: 3.5, location: 2, scale: 0.5 },
      { df: 50, location: 0, scale: 3 },
    ],
  },
  {
    family: 'Uniform',
    params: [
      { a: 0, b: 1 },
      { a: -3, b: 7 },
    ],
    outside: [-3.1, 7.1],
  },
  {
    family: 'VonMises',
    params: [
      { mu: 0, kappa: 1 },
      { mu: 2.5, kappa: 20 },
      { mu: 9, kappa: 1e-6 },
    ],
    outside: [3.2, -4],
  },
  {
    family: 'Weibull',
    params: [
      { shape: 1.5, scale: 2 },
      { shape: 0.7, scale: 1 },
    ],
    outside: [0, -1],
    singular: true,
  },
  {
    family: 'Mixture',
    params: [
      {
        dists: [families.Gaussian({ mu: -2, sigma: 1 }), families.Gaussian({ mu: 3, sigma: 0.5 })],
        ps: [1, 3],
      },
    ],
  },
  {
    family: 'Truncated',
    params: [
      { dist: families.Gaussian({ mu: 0, sigma: 1 }), a: -0.5, b: 3 },
      { dist: families.Gaussian({ mu: 0, sigma: 1 }), a: 2.5, b: Infinity },
      { dist: families.Gaussian({ mu: 0, sigma: 1 }), a: -Infinity, b: -9 },
      { dist: families.Gamma({ shape: 2, scale: 3 }), a: 5, b: 6 },
      { dist: families.Cauchy({ location: 0, scale: 1 }), a: -1, b: 5 },
    ],
    outside: [-5],
  },
  { family: 'KDE', params: [{ data: [1, 2, 4, 9] }, { data: [0, 10], width: 1 }] },
];

/** Over whole numbers. */
export const WHOLE: readonly Row[] = [
  {
    family: 'Binomial',
    params: [
      { p: 0.3, n: 8 },
      { p: 0.75, n: 60 },
      { p: 0.02, n: 300 },
      { p: 0.4, n: 5000 },
      { p: 1, n: 3 },
      { p: 0.5, n: 0 },
    ],
    outside: [-1, 5001, 2.5],
  },
  {
    family: 'BetaBinomial',
    params: [
      { a: 2, b: 3, n: 7 },
      { a: 0.3, b: 0.5, n: 40 },
      { a: 200, b: 100, n: 12 },
      { a: 1, b: 1, n: 0 },
    ],
    outside: [-1, 41, 2.5],
  },
  {
    family: 'BinomialLogits',
    params: [
      { logits: -1, n: 8 },
      { logits: 3, n: 60 },
      { logits: 0.2, n: 0 },
    ],
    outside: [-1, 61, 2.5],
  },
  { family: 'DiscreteLogits', params: [{ logits: [0, 1, -2] }, { logits: vector([5, 5]) }], outside: [-1, 4, 0.5] },
  {
    family: 'OrderedLogistic',
    params: [
      { eta: 0.3, cutpoints: [-1, 0.5, 2] },
      { eta: -3, cutpoints: [0] },
      { eta: 1, cutpoints: vector([-4, 4]) },
    ],
    outside: [-1, 4, 0.5],
  },
  { family: 'Discrete', params: [{ ps: [1, 2, 0, 5] }, { ps: vector([0.25, 0.75]) }], outside: [-1, 4, 0.5] },
  { family: 'Geometric', params: [{ p: 0.3 }, { p: 0.02 }, { p: 1 }], outside: [-1, 1.5] },
  {
    family: 'NegativeBinomial',
    params: [
      { r: 3, p: 0.4 },
      { r: 0.5, p: 0.1 },
      { r: 40, p: 0.5 },
    ],
    outside: [-1, 1.5],
  },
  { family: 'Poisson', params: [{ mu: 0.5 }, { mu: 7 }, { mu: 11 }, { mu: 130 }], outside: [-1, 2.5] },
  {
    family: 'Truncated',
    params: [
      { dist: families.Poisson({ mu: 3 }), a: 1, b: Infinity },
      { dist: families.Poisson({ mu: 3 }), a: 12, b: Infinity },
      { dist: families.Poisson({ mu: 7 }), a: 2, b: 9 },
      { dist: families.Binomial({ p: 0.2, n: 20 }), a: 6.5, b: 12 },
    ],
    outside: [0, 0.5],
  },
  {
    family: 'ZeroInflated',
    params: [
      { dist: families.Poisson({ mu: 3 }), p: 0.4 },
      { dist: families.Binomial({ p: 0.5, n: 6 }), p: 0.1 },
      { dist: families.Truncated({ dist: families.Geometric({ p: 0.3 }), a: 1, b: 20 }), p: 0.25 },
    ],
    outside: [-1, 0.5],
  },
  {
    family: 'Censored',
    params: [{ dist: families.Poisson({ mu: 3 }), a: 1, b: 5 }],
    outside: [0, 6, 2.5],
  },
  { family: 'RandomInteger', params: [{ n: 1 }, { n: 6 }, { n: 37 }], outside: [-1, 37, 0.5] },
];

/** With values that can be listed, whatever they are. */
export const LISTED: readonly Row[] = [
  { family: 'Bernoulli', params: [{ p: 0.3 }, { p: 0 }, { p: 1 }] },
  { family: 'BernoulliLogits', params: [{ logits: -0.7 }, { logits: 4 }] },
  {
    family: 'DirichletMultinomial',
    params: [
      { alpha: [0.5, 2, 1], n: 4 },
      { alpha: [10, 1], n: 3 },
      { alpha: [1, 1], n: 0 },
    ],
    outside: [
      [1, 1, 1, 1],
      [4, -1, 1],
      [1.5, 1.5, 1],
      [9, 0, 0],
    ],
  },
  {
    family: 'Categorical',
    params: [
      { ps: [1, 2, 1], vs: ['a', 'b', 'a'] },
      { vs: [{ x: 1 }, [2], { x: 1 }, null] },
      { logits: [0, 2, -1], vs: ['a', 'b', 'd'] },
    ],
    outside: ['c'],
  },
  { family: 'Delta', params: [{ v: { a: [1] } }, { v: 3 }], outside: [{ a: [2] }, 4] },
  {
    family: 'Mixture',
    params: [{ dists: [families.Bernoulli({ p: 0.3 }), families.Delta({ v: true })], ps: [2, 1] }],
    outside: ['x'],
  },
  {
    family: 'Multinomial',
    params: [
      { ps: [0.2, 0.3, 0.5], n: 4 },
      { ps: vector([1, 0, 3]), n: 3 },
      { ps: [1, 1], n: 0 },
    ],
    outside: [
      [1, 1, 1, 1],
      [4, -1, 0],
      [1.5, 1.5, 1],
      [9, 0, 0],
    ],
  },
  {
    family: 'MultivariateBernoulli',
    params: [{ ps: [0.2, 0.5, 0.9] }, { ps: vector([0, 1]) }],
    outside: [vector([1]), vector([0.5, 1, 0]), vector([1, 1, 1, 1])],
  },
];

const covariance = new Tensor([2, 2], Float64Array.of(2, 0.7, 0.7, 1));

/** Over vectors, matrices and tensors. */
export const TENSORS: readonly Row[] = [
  {
    family: 'DiagCovGaussian',
    params: [{ mu: [1, -2, 0], sigma: [1, 0.1, 5] }],
    outside: [vector([1, 2]), new Tensor([1, 3], new Float64Array(3))],
  },
  {
    family: 'Dirichlet',
    params: [{ alpha: [1, 1, 1] }, { alpha: vector([0.2, 3]) }, { alpha: [10, 20, 5, 1] }],
    outside: [vector([0.5, 0.6]), vector([1, 0, 0]), vector([-0.5, 0.75, 0.75]), vector([1]), vector([0.3, 0.3, 0.3])],
  },
  {
    family: 'LogisticNormal',
    params: [{ mu: [0, 1], sigma: [1, 0.5] }],
    outside: [vector([0.5, 0.5]), vector([0.5, 0.4, 0.2]), vector([0, 0.5, 0.5])],
  },
  {
    family: 'LKJCholesky',
    params: [
      { dim: 2, eta: 1 },
      { dim: 4, eta: 2.5 },
    ],
    outside: [
      new Tensor([3, 3], Float64Array.of(1, 0, 0, 0, 1, 0, 0, 0, 1)),
      new Tensor([2, 2], Float64Array.of(1, 0, 0.5, 0.5)),
    ],
  },
  {
    family: 'MultivariateGaussian',
    params: [{ mu: [1, -1], cov: covariance }],
    outside: [vector([1]), vector([1, 2, 3])],
  },
  {
    family: 'MultivariateGaussianFactor',
    params: [{ mu: [1, -1], factor: new Tensor([2, 2], Float64Array.of(1.4, 0, 0.5, 0.8)) }],
    outside: [vector([1]), vector([1, 2, 3])],
  },
  {
    family: 'MultivariateGaussianPrecision',
    params: [{ mu: [1, -1], precision: covariance }],
    outside: [vector([1]), vector([1, 2, 3])],
  },
  {
    family: 'MultivariateStudentT',
    params: [
      { df: 5, mu: [1, -1], scale: covariance },
      { df: 30, mu: [0, 0], scale: covariance },
    ],
    outside: [vector([1]), vector([1, 2, 3])],
  },
  {
    family: 'InverseWishart',
    params: [{ df: 7, scale: covariance }],
    outside: [new Tensor([2, 2], Float64Array.of(1, 2, 2, 1)), new Tensor([2, 2], Float64Array.of(1, 0.5, 0, 1))],
  },
  {
    family: 'TensorGaussian',
    params: [
      { mu: 2, sigma: 0.5, dims: [2, 3] },
      { mu: 0, sigma: 1, dims: [4] },
    ],
    outside: [new Tensor([3, 2], new Float64Array(6)), vector([1])],
  },
  {
    family: 'TensorLaplace',
    params: [{ location: 2, scale: 0.5, dims: [2, 3] }],
    outside: [new Tensor([3, 2], new Float64Array(6)), vector([1])],
  },
  {
    family: 'Wishart',
    params: [
      { df: 5, scale: covariance },
      { df: 1.5, scale: covariance },
    ],
    outside: [new Tensor([2, 2], Float64Array.of(1, 2, 2, 1)), new Tensor([2, 2], Float64Array.of(1, 0.5, 0, 1))],
  },
  {
    family: 'KDE',
    params: [
      {
        data: [
          [0, 1],
          [2, 5],
          [4, 4],
        ],
      },
    ],
    outside: [vector([1, 2, 3]), 1],
  },
];

export const ALL: readonly Row[] = [...CONTINUOUS, ...WHOLE, ...LISTED, ...TENSORS];

/** A short name for a test. */
export function label(row: Row, params: object): string {
  return String(build(row, params));
}
