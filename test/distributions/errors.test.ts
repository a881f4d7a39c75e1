import { describe, expect, it } from 'vitest';
import * as d from '../../src/distributions/index.ts';
import { WaymarkError } from '../../src/runtime/errors.ts';
import { Tensor, vector } from '../../src/tensor/tensor.ts';

const matrix = (...rows: number[][]) => new Tensor([rows.length, rows[0].length], Float64Array.from(rows.flat()));

/** Programs need not be typed, so constructors see anything. */
const given = (value: unknown) => value as never;

const CASES: readonly (readonly [() => unknown, string])[] = [
  // Forms of calling.
  [() => d.Gaussian(given(0)), 'Gaussian takes one object of named parameters, as in Gaussian({mu, sigma}); got 0.'],
  [
    () => (d.Gaussian as (...args: unknown[]) => unknown)(0, 1),
    'Gaussian takes one object of named parameters, as in Gaussian({mu, sigma}); got 0 and more.',
  ],
  [
    () => d.Categorical(given(['a', 'b'])),
    'Categorical takes one object of named parameters, as in Categorical({ps, vs, logits}); got an array of length 2.',
  ],
  [
    () => d.Gaussian(given(null)),
    'Gaussian takes one object of named parameters, as in Gaussian({mu, sigma}); got null.',
  ],
  [() => d.Discrete(given(3)), 'Discrete takes one object of named parameters, as in Discrete({ps}); got 3.'],
  // Names.
  [
    () => d.Gaussian(given({ mu: 0, sd: 1 })),
    "Gaussian: sigma is missing; it must be a finite number greater than 0. It has 'sd' instead.",
  ],
  [
    () => d.MultivariateGaussian(given({ mu: [0], cholesky: [[1]] })),
    "MultivariateGaussian: cov is missing; it must be a square matrix of finite numbers. It has 'cholesky' instead. Other forms of it take precision or factor.",
  ],
  [() => d.Gaussian(given({ mu: 0 })), 'Gaussian: sigma is missing; it must be a finite number greater than 0.'],
  [
    () => d.Categorical(given({ p: [1, 2], vs: ['a', 'b'] })),
    "Categorical has no parameter 'p'; it takes ps, vs, logits. Did you mean 'ps'?",
  ],
  [
    () => d.Gaussian(given({ mu: 0, sigma: 1, sgima: 2 })),
    "Gaussian has no parameter 'sgima'; it takes mu, sigma. Did you mean 'sigma'?",
  ],
  [
    () => d.StudentT(given({ df: 3, location: 0, scale: 1, precision: 2 })),
    "StudentT has no parameter 'precision'; it takes df, location, scale.",
  ],
  [() => d.Bernoulli(given({ p: 0.3, logits: 1 })), 'Bernoulli takes p or logits, not both.'],
  [
    () => d.MultivariateGaussian(given({ mu: [0], cov: [[1]], factor: [[1]] })),
    'MultivariateGaussian takes cov or factor, not both.',
  ],
  [() => d.KDE(given({ data: [1, 2], bandwidth: 3 })), "KDE has no parameter 'bandwidth'; it takes data, width."],
  // Numbers.
  [() => d.Gaussian({ mu: 0, sigma: 0 }), 'Gaussian: sigma must be a finite number greater than 0, got 0.'],
  [() => d.Gaussian({ mu: Number.NaN, sigma: 1 }), 'Gaussian: mu must be a finite number, got NaN.'],
  [() => d.Gaussian(given({ mu: '1', sigma: 1 })), 'Gaussian: mu must be a finite number, got the string "1".'],
  [() => d.Bernoulli({ p: 1.5 }), 'Bernoulli: p must be a number from 0 to 1, got 1.5.'],
  [() => d.Bernoulli({ p: Number.NaN }), 'Bernoulli: p must be a number from 0 to 1, got NaN.'],
  [() => d.Binomial({ p: 0.5, n: 2.5 }), 'Binomial: n must be an integer of at least 0, got 2.5.'],
  [() => d.RandomInteger({ n: 0 }), 'RandomInteger: n must be an integer of at least 1, got 0.'],
  [() => d.Geometric({ p: 0 }), 'Geometric: p must be a number greater than 0 and at most 1, got 0.'],
  // Elements of vectors.
  [
    () => d.Dirichlet({ alpha: [1, 2, -3] }),
    'Dirichlet: alpha must be a vector (or array) of finite numbers greater than 0, got -3 at index 2.',
  ],
  [
    () => d.Dirichlet({ alpha: [] }),
    'Dirichlet: alpha must be a vector (or array) of finite numbers greater than 0, got an empty one.',
  ],
  [
    () => d.Dirichlet({ alpha: matrix([1, 2], [3, 4]) }),
    'Dirichlet: alpha must be a vector (or array) of finite numbers greater than 0, got a tensor of dims [2, 2].',
  ],
  [
    () => d.MultivariateBernoulli({ ps: vector([0.5, 1.25]) }),
    'MultivariateBernoulli: ps must be a vector (or array) of numbers from 0 to 1, got 1.25 at index 1.',
  ],
  [
    () => d.Discrete({ ps: [0.5, -0.5] }),
    'Discrete: ps must be an array or vector of non-negative numbers, not all 0, got -0.5 at index 1.',
  ],
  [
    () => d.Discrete([0, 0]),
    'Discrete: ps must be an array or vector of non-negative numbers, not all 0, got only zeros.',
  ],
  [
    () => d.Categorical({ ps: [0, 0], vs: ['a', 'b'] }),
    'Categorical: ps must be an array or vector of non-negative numbers, not all 0, got only zeros.',
  ],
  [
    () => d.Categorical(given({ ps: [1, 'x'], vs: ['a', 'b'] })),
    'Categorical: ps must be an array or vector of non-negative numbers, not all 0, got the string "x" at index 1.',
  ],
  [
    () => d.TensorGaussian({ mu: 0, sigma: 1, dims: [2, 0] }),
    'TensorGaussian: dims must be an array of integers of at least 1, such as [2, 3], got an array of length 2.',
  ],
  // Between parameters.
  [() => d.Uniform({ a: 2, b: 1 }), 'Uniform: a must be less than b, got a = 2 and b = 1.'],
  [() => d.Uniform({ a: -1e308, b: 1e308 }), 'Uniform: b - a must be a finite number, got a = -1e+308 and b = 1e+308.'],
  [() => d.LogitNormal({ mu: 0, sigma: 1, a: 1 }), 'LogitNormal: a must be less than b, got a = 1 and b = 1.'],
  [
    () => d.Categorical({ ps: [1, 2, 3], vs: ['a', 'b'] }),
    'Categorical: ps and vs must have the same length, got 3 and 2.',
  ],
  [
    () => d.Categorical({ vs: [] }),
    'Categorical: vs must be an array of at least one value, got an array of length 0.',
  ],
  [
    () => d.DiagCovGaussian({ mu: [1, 2], sigma: [1] }),
    'DiagCovGaussian: mu and sigma must have the same dims, got [2, 1] and [1, 1].',
  ],
  [
    () => d.LogisticNormal({ mu: [1, 2], sigma: [1] }),
    'LogisticNormal: mu and sigma must have the same length, got 2 and 1.',
  ],
  [
    () => d.MultivariateGaussian({ mu: [0, 0], cov: matrix([1, 2], [2, 1]) }),
    'MultivariateGaussian: cov must be positive definite, and it has no Cholesky factor ' +
      '(adding a small number to its diagonal may help).',
  ],
  [
    () => d.MultivariateGaussian({ mu: [0, 0], cov: matrix([1, 0.5], [0.2, 1]) }),
    'MultivariateGaussian: cov must be symmetric.',
  ],
  [
    () => d.MultivariateGaussian({ mu: [0, 0, 0], cov: matrix([1, 0], [0, 1]) }),
    'MultivariateGaussian: cov must have a row for each element of mu, got 2 rows for 3 elements.',
  ],
  [
    () => d.Wishart({ df: 1, scale: matrix([1, 0], [0, 1]) }),
    'Wishart: df must be greater than 1 for a scale of 2 rows, got 1.',
  ],
  [
    () => d.Mixture({ dists: [d.Gaussian({ mu: 0, sigma: 1 })], ps: [0.5, 0.5] }),
    'Mixture: ps and dists must have the same length, got 2 and 1.',
  ],
  [
    () => d.Mixture({ dists: given([d.Gaussian({ mu: 0, sigma: 1 }), d.Poisson({ mu: 1 })]), ps: [1, 1] }),
    'Mixture: dists must be all continuous or all discrete, got Gaussian at index 0 and Poisson at index 1.',
  ],
  [
    () => d.Mixture({ dists: [d.Gaussian({ mu: 0, sigma: 1 }), d.Beta({ a: 1, b: 1 })], ps: [1, 1] }),
    'Mixture: dists must have the same support, got Gaussian from -Infinity to Infinity at index 0 and ' +
      'Beta from 0 to 1 at index 1.',
  ],
  [() => d.KDE({ data: [2, 2] }), 'KDE: width must be given, because all data are equal.'],
  [
    () => d.KDE({ data: given([1, vector([1, 2])]) }),
    'KDE: data must be all numbers, or vectors of one length; the element at index 1 differs.',
  ],
  // Methods.
  [
    () => d.Mixture({ dists: [d.Cauchy({ location: 0, scale: 1 })], ps: [1] }).mean(),
    'This Mixture has no mean, because its component Cauchy has none that is a number.',
  ],
  [() => d.Gaussian({ mu: 0, sigma: 1 }).quantile(1.5), 'quantile needs a probability from 0 to 1, got 1.5.'],
  [() => d.Gaussian({ mu: 0, sigma: 1 }).cdf(given('x')), 'cdf needs a number, got the string "x".'],
  [
    () => d.Gaussian({ mu: 0, sigma: 1 }).MAP(),
    'MAP needs a distribution with finitely many values, and Gaussian is not one. ' +
      'Draw samples from it (Infer with method forward) and use those.',
  ],
  [
    () => d.MultivariateBernoulli({ ps: new Array(30).fill(0.5) }).support(),
    'This MultivariateBernoulli has 2 to the power 30 values, too many to list. ' +
      'Use a method that draws samples (MCMC, SMC, rejection).',
  ],
  [
    () => d.Multinomial({ ps: new Array(20).fill(1), n: 100 }).support(),
    'This Multinomial has more than 1000000 values, too many to list. ' +
      'Use a method that draws samples (MCMC, SMC, rejection).',
  ],
  [
    () => d.RandomInteger({ n: 1e9 }).support(),
    'This RandomInteger has 1000000000 values, too many to list. ' +
      'Use a method that draws samples (MCMC, SMC, rejection).',
  ],
  [
    () => d.Binomial({ p: 0.5, n: 1e9 }).MAP(),
    'This Binomial has 1000000001 values, too many to list. ' +
      'Use a method that draws samples (MCMC, SMC, rejection).',
  ],
];

describe('errors', () => {
  it.each(CASES.map(([run, message]) => [message, run] as const))('%s', (message, run) => {
    expect(run).toThrow(new WaymarkError(message));
  });
});
