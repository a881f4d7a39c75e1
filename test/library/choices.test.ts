import { beforeEach, describe, expect, test } from 'vitest';
import { Gaussian } from '../../src/distributions/gaussian.ts';
import { Infer } from '../../src/inference/infer.ts';
import type { Distribution, Handler, SampleOptions } from '../../src/runtime/handler.ts';
import { machine } from '../../src/runtime/machine.ts';
import { factor } from '../../src/runtime/primitives.ts';
import {
  dirichletDrift,
  flip,
  gaussianDrift,
  guide,
  makeBetaBernoulli,
  makeDirichletDiscrete,
  repeat,
  sum,
  uniformDraw,
  uniformDrift,
  Vector,
  webpplEval,
} from '../../src/scope.ts';
import { recordedRun } from './run.ts';

beforeEach(() => {
  recordedRun(21);
});

const exactly = <T>(model: () => T) => Infer({ method: 'enumerate', model });

describe('flip and uniformDraw', () => {
  test('flip is a coin of weight p, one half if none is given', () => {
    expect(Math.exp(exactly(() => flip(0.2)).score(true))).toBeCloseTo(0.2, 14);
    expect(Math.exp(exactly(() => flip()).score(true))).toBeCloseTo(0.5, 14);
    expect(() => flip(2)).toThrow('p must be a number from 0 to 1, got 2');
  });

  test('uniformDraw takes every item alike', () => {
    const posterior = exactly(() => uniformDraw(['a', 'b', 'c', 'a']));
    expect(Math.exp(posterior.score('a'))).toBeCloseTo(0.5, 14);
    expect(Math.exp(exactly(() => uniformDraw({ vs: [1, 2] })).score(2))).toBeCloseTo(0.5, 14);
    expect(uniformDraw([])).toBeUndefined();
    expect(() => uniformDraw(3 as never)).toThrow('uniformDraw needs an array, as in uniformDraw(array); got 3.');
  });
});

/** What a choice was made with. */
function choiceOf(make: () => unknown): { distribution: Distribution<unknown>; options: SampleOptions<unknown> } {
  let seen: { distribution: Distribution<unknown>; options: SampleOptions<unknown> } | undefined;
  const { handler } = machine;
  machine.handler = {
    name: 'the test',
    factor() {},
    sample(distribution: never, options: never) {
      seen = { distribution, options };
      return (distribution as Distribution<never>).draw(machine.stream.begin());
    },
  } as Handler;
  try {
    make();
  } finally {
    machine.handler = handler;
  }
  return seen!;
}

describe('drift choices', () => {
  test('gaussianDrift steps by 0.7 sigma unless told', () => {
    const { distribution, options } = choiceOf(() => gaussianDrift({ mu: 1, sigma: 2 }));
    expect(distribution.params).toEqual({ mu: 1, sigma: 2 });
    expect(options.driftKernel!(5).params).toEqual({ mu: 5, sigma: 1.4 });
    expect(choiceOf(() => gaussianDrift({ mu: 1, sigma: 2, width: 3 })).options.driftKernel!(5).params).toEqual({
      mu: 5,
      sigma: 3,
    });
  });

  test('uniformDrift stays within its bounds', () => {
    const { distribution, options } = choiceOf(() => uniformDrift({ a: 0, b: 1 }));
    expect(distribution.params).toEqual({ a: 0, b: 1 });
    expect(options.driftKernel!(0.95).params).toEqual({ a: 0.95 - 0.1, b: 1 });
    expect(options.driftKernel!(0.05).params).toEqual({ a: 0, b: 0.05 + 0.1 });
  });

  test('dirichletDrift concentrates about the present value', () => {
    const { distribution, options } = choiceOf(() => dirichletDrift({ alpha: Vector([1, 2]) }));
    expect(distribution.params).toEqual({ alpha: Vector([1, 2]) });
    expect(options.driftKernel!(Vector([0.25, 0.75])).params).toEqual({ alpha: Vector([2.5, 7.5]) });
    expect(options.driftKernel!(Vector([0, 1])).params).toEqual({ alpha: Vector([1e-6, 10]) });
  });

  test('mistakes', () => {
    expect(() => gaussianDrift(3 as never)).toThrow(
      'gaussianDrift takes one object, as in gaussianDrift({mu, sigma, width}); got 3.',
    );
    expect(() => gaussianDrift({ mu: 0, sigma: 1, widht: 2 } as never)).toThrow(
      "gaussianDrift has no parameter 'widht'; it takes mu, sigma, width. Did you mean 'width'?",
    );
    expect(() => uniformDrift({ a: 0, b: 1, width: 0 })).toThrow(
      'uniformDrift: width must be a finite number greater than 0, got 0.',
    );
  });

  test('they find the posterior', () => {
    const posterior = Infer({
      method: 'MCMC',
      samples: 20_000,
      burn: 500,
      model: () => {
        const x = gaussianDrift({ mu: 0, sigma: 1 });
        factor(Gaussian({ mu: x, sigma: 1 }).score(2));
        return x;
      },
    });
    // The exact posterior is Gaussian(1, √½); the chain's autocorrelation time is below 25.
    expect(Math.abs(posterior.mean() - 1)).toBeLessThan(5 * Math.sqrt(0.5 / (20_000 / 25)));
  });
});

describe('urns', () => {
  test('a Beta–Bernoulli urn is exchangeable and has Pólya’s probabilities', () => {
    const posterior = exactly(() => {
      const urn = makeBetaBernoulli([1, 2]);
      return repeat(3, urn);
    });
    expect(Math.exp(posterior.score([true, true, false]))).toBeCloseTo((1 / 3) * (2 / 4) * (2 / 5), 12);
    expect(posterior.score([true, false, true])).toBeCloseTo(posterior.score([false, true, true]), 12);
  });

  test('a Dirichlet–discrete urn likewise', () => {
    const urn = makeDirichletDiscrete([1, 1, 3]);
    const posterior = exactly(() => [urn(), urn()]);
    expect(Math.exp(posterior.score([2, 2]))).toBeCloseTo((3 / 5) * (4 / 6), 12);
    expect(Math.exp(posterior.score([0, 1]))).toBeCloseTo((1 / 5) * (1 / 6), 12);
  });

  test('executions start anew, also with an urn made outside', () => {
    const urn = makeBetaBernoulli([1, 1]);
    const heads = Infer({ method: 'forward', samples: 4000, model: () => sum(repeat(2, urn)) });
    // The number of heads is uniform on 0, 1, 2.
    for (const count of [0, 1, 2]) {
      expect(Math.abs(Math.exp(heads.score(count)) - 1 / 3)).toBeLessThan(5 * Math.sqrt(((1 / 3) * (2 / 3)) / 4000));
    }
  });

  test('mistakes', () => {
    expect(() => makeBetaBernoulli([1])).toThrow(
      'makeBetaBernoulli needs two pseudocounts greater than 0, got an array of length 1.',
    );
    expect(() => makeDirichletDiscrete([1, 0])).toThrow(
      'makeDirichletDiscrete needs some pseudocounts greater than 0, got 0 at index 1.',
    );
  });
});

describe('guide', () => {
  const guided = (thunk: () => unknown) => {
    const { handler } = machine;
    machine.handler = { ...handler, guided: true };
    try {
      guide(thunk);
    } finally {
      machine.handler = handler;
    }
  };

  test('runs only where guides are used', () => {
    let runs = 0;
    guide(() => runs++);
    expect(runs).toBe(0);
    guided(() => runs++);
    expect(runs).toBe(1);
  });

  test('makes no choices', () => {
    expect(() => guided(() => flip())).toThrow('The function given to guide must not call sample');
    expect(() => guide(3 as never)).toThrow('guide needs a function');
  });
});

describe('webpplEval', () => {
  test('hands the text to the run', () => {
    Object.assign(machine.run, { evaluate: (code: string) => `ran ${code}` });
    expect(webpplEval('1 + 1')).toBe('ran 1 + 1');
  });

  test('says what it needs', () => {
    expect(() => webpplEval('1 + 1')).toThrow('webpplEval needs the compiler');
    expect(() => webpplEval(3 as never)).toThrow('webpplEval needs the text of a program, got 3.');
  });
});
