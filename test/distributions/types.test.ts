import { describe, expectTypeOf, it } from 'vitest';
import {
  Bernoulli,
  Categorical,
  Delta,
  Dirichlet,
  Discrete,
  Gaussian,
  ImproperUniform,
  KDE,
  LogitNormal,
  Mixture,
  Multinomial,
  Uniform,
} from '../../src/distributions/index.ts';
import { categorical, dirichlet, gaussian, mixture } from '../../src/distributions/samplers.ts';
import type { Distribution, Interval } from '../../src/runtime/handler.ts';
import { observe, sample } from '../../src/runtime/primitives.ts';
import { type Tensor, vector } from '../../src/tensor/tensor.ts';

describe('types of distributions', () => {
  it('know their values and parameters', () => {
    const gaussian = Gaussian({ mu: 0, sigma: 1 });
    expectTypeOf(sample(gaussian)).toEqualTypeOf<number>();
    expectTypeOf(gaussian.params).toEqualTypeOf<{ mu: number; sigma: number }>();
    expectTypeOf(gaussian).toExtend<Distribution<number>>();
    expectTypeOf(sample(Bernoulli({ p: 0.5 }))).toEqualTypeOf<boolean>();
    expectTypeOf(sample(Categorical({ ps: [1, 2], vs: ['a', 'b'] }))).toEqualTypeOf<string>();
    expectTypeOf(sample(Dirichlet({ alpha: [1, 1] }))).toEqualTypeOf<Tensor>();
    expectTypeOf(Dirichlet({ alpha: [1, 1] }).params.alpha).toEqualTypeOf<Tensor>();
    expectTypeOf(sample(Discrete(vector([1, 2])))).toEqualTypeOf<number>();
    expectTypeOf(sample(Multinomial({ ps: [1, 2], n: 3 }))).toEqualTypeOf<number[]>();
    expectTypeOf(sample(Delta({ v: { a: 1 } }))).toEqualTypeOf<{ a: number }>();
    expectTypeOf(sample(Mixture({ dists: [Bernoulli({ p: 0.5 })], ps: [1] }))).toEqualTypeOf<boolean>();
    expectTypeOf(sample(KDE({ data: [1, 2] }))).toEqualTypeOf<number>();
    expectTypeOf(sample(KDE({ data: [vector([1]), [2]], width: 1 }))).toEqualTypeOf<Tensor>();
    expectTypeOf(observe(Gaussian({ mu: 0, sigma: 1 }))).toEqualTypeOf<number>();
    expectTypeOf(ImproperUniform()).toEqualTypeOf<Distribution<number>>();
    LogitNormal({ mu: 0, sigma: 1 });
  });

  it('know what helpers return', () => {
    expectTypeOf(gaussian(0, 1)).toEqualTypeOf<number>();
    expectTypeOf(gaussian({ mu: 0, sigma: 1 })).toEqualTypeOf<number>();
    expectTypeOf(categorical([1, 2], ['a', 'b'])).toEqualTypeOf<string>();
    expectTypeOf(categorical({ vs: [1, 2] })).toEqualTypeOf<number>();
    expectTypeOf(dirichlet([1, 2])).toEqualTypeOf<Tensor>();
    expectTypeOf(mixture([Bernoulli({ p: 0.5 })], [1])).toEqualTypeOf<boolean>();
  });

  it('know what has a closed form', () => {
    expectTypeOf(Gaussian({ mu: 0, sigma: 1 }).mean()).toEqualTypeOf<number>();
    expectTypeOf(Gaussian({ mu: 0, sigma: 1 }).base()).toEqualTypeOf<Distribution<number>>();
    expectTypeOf(Bernoulli({ p: 0.5 }).support()).toEqualTypeOf<readonly boolean[]>();
    expectTypeOf(Uniform({ a: 0, b: 1 }).support()).toExtend<Interval>();
    expectTypeOf(Bernoulli({ p: 0.5 }).mean()).toEqualTypeOf<number>();
    expectTypeOf(Dirichlet({ alpha: [1, 1] }).mean()).toEqualTypeOf<Tensor>();
    // @ts-expect-error a Bernoulli cannot be reparameterised
    expectTypeOf(() => Bernoulli({ p: 0.5 }).base()).toBeFunction();
  });

  it('refuse what is not a parameter, and guides over other values', () => {
    // @ts-expect-error the name is sigma
    expectTypeOf(() => Gaussian({ mu: 0, sd: 1 })).toBeFunction();
    // @ts-expect-error sigma is missing
    expectTypeOf(() => Gaussian({ mu: 0 })).toBeFunction();
    // @ts-expect-error a number is needed
    expectTypeOf(() => Gaussian({ mu: '0', sigma: 1 })).toBeFunction();
    // @ts-expect-error a guide over booleans for a choice of a number
    expectTypeOf(() => sample(Gaussian({ mu: 0, sigma: 1 }), { guide: Bernoulli({ p: 0.5 }) })).toBeFunction();
  });
});
