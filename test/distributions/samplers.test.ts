import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import * as families from '../../src/distributions/index.ts';
import * as samplers from '../../src/distributions/samplers.ts';
import { machine } from '../../src/runtime/machine.ts';
import { RandomStream } from '../../src/runtime/random.ts';
import { Tensor, vector } from '../../src/tensor/tensor.ts';

const outer = machine.stream;
beforeEach(() => {
  machine.stream = RandomStream.fromSeed(7);
});
afterEach(() => {
  machine.stream = outer;
});

/** The value of a choice made with a fresh stream, so that equal choices have equal values. */
function fresh<V>(choose: () => V): V {
  machine.stream = RandomStream.fromSeed(7);
  return choose();
}

const { gaussian, beta, categorical, dirichlet, discrete, mixture, multinomial, uniform, randomInteger } = samplers;

describe('lower-case helpers', () => {
  it('take named and positional parameters', () => {
    expect(fresh(() => gaussian(3, 0.5))).toBe(fresh(() => gaussian({ mu: 3, sigma: 0.5 })));
    expect(fresh(() => gaussian(3, 0.5))).toBe(fresh(() => gaussian({ sigma: 0.5, mu: 3 })));
    expect(fresh(() => beta(2, 3))).toBe(fresh(() => beta({ a: 2, b: 3 })));
    expect(fresh(() => uniform(1, 2))).toBe(fresh(() => uniform({ a: 1, b: 2 })));
    expect(fresh(() => randomInteger(10))).toBe(fresh(() => randomInteger({ n: 10 })));
    const three = fresh(() => samplers.studentT(3, 1, 2));
    expect(three).toBe(fresh(() => samplers.studentT({ df: 3, location: 1, scale: 2 })));
    const four = fresh(() => samplers.logitNormal(0, 1, 5, 6));
    expect(four).toBe(fresh(() => samplers.logitNormal({ mu: 0, sigma: 1, a: 5, b: 6 })));
    expect(four).toBeGreaterThan(5);
  });

  it('take arrays and tensors by position, which are not named parameters', () => {
    expect(fresh(() => discrete([0, 0, 1]))).toBe(2);
    expect(fresh(() => discrete(vector([0, 1])))).toBe(1);
    expect(fresh(() => discrete({ ps: [1] }))).toBe(0);
    expect(fresh(() => categorical([0, 1], ['a', 'b']))).toBe('b');
    expect(fresh(() => categorical({ ps: [1, 0], vs: ['a', 'b'] }))).toBe('a');
    expect(fresh(() => categorical({ vs: ['c'] }))).toBe('c');
    expect(fresh(() => dirichlet(vector([1, 1])))).toEqual(fresh(() => dirichlet({ alpha: [1, 1] })));
    expect(fresh(() => dirichlet([1, 1])).dims).toEqual([2, 1]);
    expect(fresh(() => mixture([families.Delta({ v: 5 })], [1]))).toBe(5);
    expect(fresh(() => multinomial([1, 0], 3))).toEqual([3, 0]);
  });

  it('check their parameters', () => {
    expect(() => gaussian(0, -1)).toThrow('Gaussian: sigma must be a finite number greater than 0, got -1.');
    expect(() => gaussian(0)).toThrow('Gaussian: sigma is missing');
  });

  it('exist for every family that can be drawn from', () => {
    const without = ['ImproperUniform', 'KDE', 'Marginal', 'SampleBasedMarginal', 'InverseSoftplusNormal'];
    // Other forms of a family are drawn from by its own helper.
    const forms = Object.values(families).flatMap((made) => {
      const family = (made as { family?: { alternatives?: Record<string, { family: { name: string } }> } }).family;
      return Object.values(family?.alternatives ?? {}).map((other) => other.family.name);
    });
    const expected = Object.keys(families)
      .filter((name) => !without.includes(name) && !forms.includes(name))
      .map((name) => (name === 'LKJCholesky' ? 'lkjCholesky' : name[0].toLowerCase() + name.slice(1)));
    expect(Object.keys(samplers).sort()).toEqual(expected.sort());
  });

  it('take the positional order of the constructor', () => {
    const order = Object.fromEntries(
      Object.values(families)
        .filter((made) => 'family' in made)
        .map((made) => [made.family.name, Object.keys(made.family.params)]),
    );
    expect(order).toMatchObject({
      Bernoulli: ['p'],
      Beta: ['a', 'b'],
      Binomial: ['p', 'n'],
      Categorical: ['ps', 'vs', 'logits'],
      Cauchy: ['location', 'scale'],
      Delta: ['v'],
      DiagCovGaussian: ['mu', 'sigma'],
      Dirichlet: ['alpha'],
      Discrete: ['ps'],
      Exponential: ['a'],
      Gamma: ['shape', 'scale'],
      Gaussian: ['mu', 'sigma'],
      IspNormal: ['mu', 'sigma', 'a', 'b'],
      KDE: ['data', 'width'],
      Laplace: ['location', 'scale'],
      LogisticNormal: ['mu', 'sigma'],
      LogitNormal: ['mu', 'sigma', 'a', 'b'],
      LogNormal: ['mu', 'sigma'],
      Mixture: ['dists', 'ps'],
      Multinomial: ['ps', 'n'],
      MultivariateBernoulli: ['ps'],
      MultivariateGaussian: ['mu', 'cov'],
      Poisson: ['mu'],
      RandomInteger: ['n'],
      StudentT: ['df', 'location', 'scale'],
      TensorGaussian: ['mu', 'sigma', 'dims'],
      TensorLaplace: ['location', 'scale', 'dims'],
      Uniform: ['a', 'b'],
    });
  });
});

describe('texts', () => {
  it('show the parameters, cut short', () => {
    const { Dirichlet, Gaussian, Categorical, TensorGaussian, Delta, MultivariateGaussian, LogitNormal } = families;
    const identity = new Tensor([2, 2], Float64Array.of(1, 0, 0, 1));
    expect(String(Gaussian({ mu: 0, sigma: 1 }))).toBe('Gaussian({mu: 0, sigma: 1})');
    expect(String(LogitNormal({ mu: 0, sigma: 1 }))).toBe('LogitNormal({mu: 0, sigma: 1})');
    expect(String(Dirichlet({ alpha: [1, 2] }))).toBe('Dirichlet({alpha: Vector([1, 2])})');
    expect(String(Dirichlet({ alpha: new Array(100).fill(1) }))).toBe(
      'Dirichlet({alpha: Vector([1, 1, 1, 1, 1, 1, 1, 1, …])})',
    );
    expect(String(Categorical({ vs: ['a', { b: 1 }] }))).toBe('Categorical({vs: ["a", {b: 1}]})');
    expect(String(TensorGaussian({ mu: 0, sigma: 1, dims: [2, 3] }))).toBe(
      'TensorGaussian({mu: 0, sigma: 1, dims: [2, 3]})',
    );
    expect(String(Delta({ v: null }))).toBe('Delta({v: null})');
    expect(String(MultivariateGaussian({ mu: [0, 0], cov: identity }))).toBe(
      'MultivariateGaussian({mu: Vector([0, 0]), cov: Tensor([2, 2], [1, 0, 0, 1])})',
    );
  });

  it('the paper’s name of IspNormal is an alias', () => {
    expect(families.InverseSoftplusNormal).toBe(families.IspNormal);
  });
});
