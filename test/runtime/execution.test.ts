import { beforeEach, describe, expect, test } from 'vitest';
import { Bernoulli } from '../../src/distributions/bernoulli.ts';
import { Gaussian } from '../../src/distributions/gaussian.ts';
import { abandon, abandoned, Entry } from '../../src/runtime/execution.ts';
import type { Handler } from '../../src/runtime/handler.ts';
import { machine, startRun } from '../../src/runtime/machine.ts';
import { condition, factor, observe, sample, sampleWithFactor } from '../../src/runtime/primitives.ts';

const quietRun = (seed: number) => ({
  seed,
  folder: '.',
  args: [],
  output() {},
  warn() {},
  progress: () => ({ update() {}, finish() {} }),
});

/** Draws choices, adds up factors, gives up on the impossible. */
class Weighing implements Handler {
  name = 'weighing';
  weight = 0;
  sample: Handler['sample'] = (distribution) => distribution.draw(machine.stream.begin());
  factor(score: number): void {
    this.weight += score;
    if (this.weight === -Infinity) throw abandon;
  }
}

beforeEach(() => startRun(quietRun(1)));

describe('Entry.execute', () => {
  test('runs the model under the handler and puts everything back', () => {
    const before = { ...machine };
    const handler = new Weighing();
    const entry = new Entry();
    const value = entry.execute(
      handler,
      () => {
        machine.store.seen = true;
        factor(-1);
        expect(machine.handler).toBe(handler);
        return 'done';
      },
      entry.streamOf(0),
    );
    expect(value).toBe('done');
    expect(handler.weight).toBe(-1);
    expect(machine.handler).toBe(before.handler);
    expect(machine.stream).toBe(before.stream);
    expect(machine.address).toBe(before.address);
    expect(machine.store).toEqual({});
  });

  test('puts everything back when the program throws', () => {
    const { handler, stream, store, memo } = machine;
    const entry = new Entry();
    const fail = () => {
      throw new Error('from the program');
    };
    expect(() => entry.execute(new Weighing(), fail, entry.streamOf(0))).toThrow('from the program');
    expect({ ...machine }).toMatchObject({ handler, stream, store, memo });
  });

  test('an abandoned execution is not an error, and does not reach the outer one', () => {
    const outer = new Weighing();
    const entry = new Entry();
    const value = entry.execute(
      outer,
      () => {
        const inner = new Entry();
        const result = inner.execute(new Weighing(), () => condition(false), inner.streamOf(0));
        expect(result).toBe(abandoned);
        expect(machine.handler).toBe(outer);
        return 'outer goes on';
      },
      entry.streamOf(0),
    );
    expect(value).toBe('outer goes on');
  });

  test('every execution starts from the store as it was', () => {
    machine.store.count = 1;
    const entry = new Entry();
    const increment = () => {
      machine.store.count = (machine.store.count as number) + 1;
      return machine.store.count;
    };
    for (let i = 0; i < 3; i++) expect(entry.execute(new Weighing(), increment, entry.streamOf(i))).toBe(2);
    expect(machine.store.count).toBe(1);
  });

  test('the i-th execution draws the same numbers whatever ran before it', () => {
    const draw = () => sample(Gaussian({ mu: 0, sigma: 1 }));
    const values = (order: number[]) => {
      startRun(quietRun(42));
      const entry = new Entry();
      return new Map(order.map((i) => [i, entry.execute(new Weighing(), draw, entry.streamOf(i))]));
    };
    const forwards = values([0, 1, 2]);
    const backwards = values([2, 1, 0]);
    for (const i of [0, 1, 2]) expect(backwards.get(i)).toBe(forwards.get(i));
    expect(new Set(forwards.values()).size).toBe(3);
  });
});

describe('primitives', () => {
  test('sample outside inference draws from the distribution', () => {
    expect([true, false]).toContain(sample(Bernoulli({ p: 0.5 })));
  });

  test('factor outside inference is refused', () => {
    expect(() => factor(0)).toThrow(
      'factor, condition and observe need an inference to weigh: call them inside the model given to Infer or Optimize.',
    );
  });

  test('observe without a value is a choice', () => {
    expect(typeof observe(Gaussian({ mu: 0, sigma: 1 }))).toBe('number');
  });

  test('sampleWithFactor weighs the value it drew', () => {
    const handler = new Weighing();
    const entry = new Entry();
    const model = () => sampleWithFactor(Bernoulli({ p: 1 }), (value) => (value ? -2 : 0));
    expect(entry.execute(handler, model, entry.streamOf(0))).toBe(true);
    expect(handler.weight).toBe(-2);
  });

  test.each<[string, () => unknown, string]>([
    [
      'a family instead of a distribution',
      () => sample(Gaussian as never),
      'sample needs a distribution: that is a function; call it with its parameters first, as in Gaussian({mu: 0, sigma: 1}).',
    ],
    ['a number', () => sample(3 as never), 'sample needs a distribution: got 3.'],
    [
      'an unknown option',
      () => sample(Bernoulli({ p: 0.5 }), { giude: Bernoulli({ p: 0.1 }) } as never),
      "sample has no option 'giude'; it takes guide, driftKernel, noAutoGuide, reparam, gradient, guideSamples. Did you mean 'guide'?",
    ],
    [
      'a drift kernel that is none',
      () => sample(Bernoulli({ p: 0.5 }), { driftKernel: 0.5 as never }),
      'A drift kernel is a function of the previous value that returns the distribution to propose from, as in ' +
        'driftKernel: x => Gaussian({mu: x, sigma: 1}); got 0.5.',
    ],
    ['factor of NaN', () => factor(Number.NaN), 'factor needs a number as its score, got NaN.'],
    ['factor of nothing', () => factor(undefined as never), 'factor needs a number as its score, got undefined.'],
  ])('%s', (_what, call, message) => expect(call).toThrow(message));
});
