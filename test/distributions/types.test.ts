import { describe, expectTypeOf, it } from 'vitest';
import { Bernoulli } from '../../src/distributions/bernoulli.ts';
import { Gaussian } from '../../src/distributions/gaussian.ts';
import type { Distribution } from '../../src/runtime/handler.ts';
import { sample } from '../../src/runtime/primitives.ts';

describe('types of distributions', () => {
  it('know their values and parameters', () => {
    const gaussian = Gaussian({ mu: 0, sigma: 1 });
    expectTypeOf(sample(gaussian)).toEqualTypeOf<number>();
    expectTypeOf(gaussian.params).toEqualTypeOf<{ mu: number; sigma: number }>();
    expectTypeOf(gaussian).toExtend<Distribution<number>>();
    expectTypeOf(sample(Bernoulli({ p: 0.5 }))).toEqualTypeOf<boolean>();
  });

  it('know what has a closed form', () => {
    expectTypeOf(Gaussian({ mu: 0, sigma: 1 }).mean()).toEqualTypeOf<number>();
    expectTypeOf(Gaussian({ mu: 0, sigma: 1 }).base()).toEqualTypeOf<Distribution<number>>();
    expectTypeOf(Bernoulli({ p: 0.5 }).support()).toEqualTypeOf<readonly boolean[]>();
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
