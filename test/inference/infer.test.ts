import { beforeEach, describe, expect, expectTypeOf, test } from 'vitest';
import { Gaussian } from '../../src/distributions/gaussian.ts';
import type { Sample } from '../../src/distributions/marginal.ts';
import type { Algorithm, Posterior } from '../../src/inference/algorithm.ts';
import { enumerate } from '../../src/inference/enumeration/enumerate.ts';
import { Infer } from '../../src/inference/infer.ts';
import type { InferOptions } from '../../src/inference/method-types.ts';
import { addMethod } from '../../src/inference/methods.ts';
import { machine } from '../../src/runtime/machine.ts';
import { condition, observe, sample } from '../../src/runtime/primitives.ts';
import { flip } from './models.ts';
import { startTestRun } from './test-run.ts';

beforeEach(() => void startTestRun(1));

const model = () => flip(0.25);

describe('the shapes of Infer', () => {
  test('the model first, last, alone, or among the options', () => {
    const method = 'forward';
    const samples = 7;
    const calls: (() => Posterior<boolean>)[] = [
      () => Infer(model, { method, samples }),
      () => Infer({ method, samples }, model),
      () => Infer({ method, samples, model }),
      () =>
        Infer({
          method,
          samples,
          model() {
            return flip(0.25);
          },
        }),
    ];
    for (const call of calls) expect(call().samples).toHaveLength(7);
    expect(Infer(model).score(true)).toBe(Math.log(0.25));
    expect(Infer({ model }).score(true)).toBe(Math.log(0.25));
  });

  test('the type of the result is that of the model’s value', () => {
    const result = Infer({ method: 'enumerate' }, (): string => (flip() ? 'a' : 'b'));
    expectTypeOf(result.sample()).toEqualTypeOf<string>();
    expectTypeOf(result.support()).toEqualTypeOf<readonly string[]>();
    expectTypeOf(result.MAP().val).toEqualTypeOf<string>();
    expectTypeOf(Infer({ model }).score).parameter(0).toEqualTypeOf<boolean>();
    expectTypeOf(result.samples).toEqualTypeOf<readonly Sample<string>[] | undefined>();
    // @ts-expect-error: the model returns booleans
    const wrong: Posterior<string> = Infer(model);
    expect(wrong).toBeDefined();
  });

  test.each([
    [
      undefined,
      undefined,
      'Infer takes a model and an object of options, as in Infer({model: () => …}); got undefined.',
    ],
    ['enumerate', model, 'as in Infer({model: () => …}); got the string "enumerate".'],
    [model, 'enumerate', 'as in Infer({model: () => …}); got the string "enumerate".'],
    [{ model: undefined }, undefined, 'The option model is there, but undefined: is the function defined further down'],
    [{ method: 'enumerate' }, undefined, 'Infer needs a model: a function of no arguments, given as the option model'],
    [{ method: 'enumerate', model: 3 }, undefined, 'Infer: the model must be a function of no arguments, got 3.'],
    [{ method: 'enumerate', modle: model }, undefined, "There is an option 'modle': did you mean 'model'?"],
    [Gaussian({ mu: 0, sigma: 1 }), undefined, 'Infer needs a model'],
  ])('%o, %o', (first, second, message) => {
    expect(() => Infer(first as InferOptions, second as () => unknown)).toThrow(message);
  });
});

describe('methods', () => {
  test.each([
    ['enumerat', /^Infer has no method 'enumerat'; it has enumerate, rejection, .*\. Did you mean 'enumerate'\?$/],
    ['mcmc', /Did you mean 'MCMC'\?$/],
    ['NUTS', /^Infer: NUTS is a kernel of MCMC\. Write method: 'MCMC', kernel: 'NUTS'\.$/],
    ['mh', /^Infer: MH is a kernel of MCMC\./],
    ['simulated annealing', /^Infer has no method 'simulated annealing'; it has [^?]*$/],
    [
      'optimize',
      /^Infer: method 'optimize' needs a program compiled for gradients\. Run the program with `waymark run`, or /,
    ],
    [3, /^Infer: method must be the name of a method \(one of enumerate, .*\), got 3\.$/],
  ])('%s', (method, message) => {
    expect(() => Infer(model, { method } as InferOptions)).toThrow(message);
  });

  test('can be added', () => {
    const constant: Algorithm<object> = {
      name: 'constant',
      options: {},
      run: (model) => enumerate.run(model, enumerateAll),
    };
    const enumerateAll = { ...standard(), maxExecutions: 1 };
    addMethod(constant);
    expect(Infer(model, { method: 'constant' } as unknown as InferOptions).support()).toEqual([true]);
  });

  test('WebPPL’s name of the automatic one', () => {
    expect(Infer(model, { method: 'defaultInfer' }).method).toBe('enumerate');
    expect(Infer(model, { method: 'automatic' }).method).toBe('enumerate');
  });
});

function standard() {
  return {
    maxExecutions: Infinity,
    strategy: 'depthFirst',
    maxRuntimeInMS: Infinity,
    maxEnumTreeSize: Infinity,
    throwOnError: true,
  } as const;
}

describe('options', () => {
  test.each([
    [
      { method: 'rejection', sample: 10 },
      "rejection has no option 'sample'; it takes samples, maxScore, incremental, minSampleRate, maxRejections, " +
        "throwOnError, callbacks. Did you mean 'samples'?",
    ],
    [{ method: 'enumerate', toString: 1 }, "enumerate has no option 'toString'"],
    [{ method: 'rejection', samples: 0 }, 'rejection: samples must be an integer of at least 1, got 0.'],
    [
      { method: 'rejection', samples: '10' },
      'rejection: samples must be an integer of at least 1, got the string "10".',
    ],
    [
      { method: 'enumerate', strategy: 'bestFirst' },
      "enumerate: strategy must be one of 'depthFirst', 'breadthFirst', 'likelyFirst', got the string \"bestFirst\".",
    ],
    [
      { method: 'enumerate', maxExecutions: 0.5 },
      'enumerate: maxExecutions must be an integer of at least 1, or Infinity, got 0.5.',
    ],
    [
      { method: 'forward', callbacks: [{ sample: 3 }] },
      'forward: callbacks must be an array of objects with functions under any of setup, initialize, iteration, ' +
        'sample, finish, got an array of length 1.',
    ],
  ])('%o', (options, message) => {
    expect(() => Infer(options as InferOptions, model)).toThrow(message);
  });

  test('of another method are ignored with a warning', () => {
    const { warnings } = startTestRun(1);
    expect(Infer({ method: 'enumerate', lag: 10 } as InferOptions, model).score(true)).toBe(Math.log(0.25));
    expect(Infer({ burn: 10 } as InferOptions, model).score(true)).toBe(Math.log(0.25));
    expect(warnings).toEqual([
      "enumerate has no option 'lag' and ignores it; it takes maxExecutions, strategy, maxRuntimeInMS, " +
        'maxEnumTreeSize, throwOnError. lag is for MCMC, incrementalMH.',
      "Infer without a method has no option 'burn' and ignores it; it takes samples, verbose. " +
        'burn is for MCMC, incrementalMH.',
    ]);
  });

  test('left undefined are left out', () => {
    expect(Infer({ method: 'forward', samples: undefined }, model).samples).toHaveLength(100);
  });
});

describe('every method', () => {
  const continuous = () => {
    const x = sample(Gaussian({ mu: 0, sigma: 1 }));
    observe(Gaussian({ mu: x, sigma: 1 }), 1);
    return x;
  };
  const rows: InferOptions[] = [
    {},
    { method: 'rejection', samples: 20 },
    { method: 'importance', samples: 20 },
    { method: 'forward', samples: 20 },
    { method: 'MCMC', samples: 20 },
    { method: 'SMC', particles: 20 },
  ];

  test.each(rows)('gives the same for the same seed, and something else for another: %o', (options) => {
    const draw = (seed: number) => {
      startTestRun(seed);
      return Infer(options, continuous).samples!.map(({ value }) => value);
    };
    expect(draw(5)).toEqual(draw(5));
    expect(draw(5)).not.toEqual(draw(6));
  });

  test.each(rows)('gives something else when it is called again: %o', (options) => {
    const again = () => Infer(options, continuous).samples![0].value;
    expect(again()).not.toBe(again());
  });

  test.each<InferOptions>([...rows, { method: 'enumerate' }])(
    'puts everything back when the program throws: %o',
    (options) => {
      const { handler, stream, store, memo, address } = machine;
      let runs = 0;
      const failing = () => {
        flip();
        machine.store.touched = true;
        if (++runs === 2) throw new Error('from the program');
        condition(true);
      };
      expect(() => Infer(options, failing)).toThrow('from the program');
      expect(machine).toMatchObject({ handler, stream, store, memo, address });
      expect(store).not.toHaveProperty('touched');
    },
  );

  test.each<InferOptions>([...rows, { method: 'enumerate' }])('keeps executions apart in the store: %o', (options) => {
    machine.store.count = 1;
    const counting = () => {
      machine.store.count = (machine.store.count as number) + 1;
      flip();
      return machine.store.count;
    };
    expect(Infer(options, counting).support()).toEqual([2]);
    expect(machine.store.count).toBe(1);
  });
});
