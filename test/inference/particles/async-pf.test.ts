import { beforeEach, describe, expect, test } from 'vitest';
import { readOptions } from '../../../src/inference/options.ts';
import { type AnytimePosterior, asyncPF } from '../../../src/inference/particles/async-pf.ts';
import { machine } from '../../../src/runtime/machine.ts';
import { condition, factor } from '../../../src/runtime/primitives.ts';
import { flip, gaussianMean } from '../models.ts';
import { sequentialModels } from '../particle-models.ts';
import { startTestRun } from '../test-run.ts';
import { expectUnbiased } from '../unbiased.ts';

const run = <T>(options: object, model: () => T) =>
  asyncPF.run(model, readOptions('asyncPF', options, asyncPF.options)) as AnytimePosterior<T>;

/** What a run that lost all its particles stands for. */
const nothing = { logZ: -Infinity, support: () => [], score: () => -Infinity } as never;

function unlessLost<R>(infer: () => R): R {
  try {
    return infer();
  } catch (error) {
    expect((error as Error).message).toMatch(/^asyncPF lost all of its/);
    return nothing;
  }
}

beforeEach(() => void startTestRun(6));

describe('asyncPF', () => {
  describe.each(sequentialModels)('is unbiased for $name', ({ model, joint }) => {
    test.each([{ particles: 1 }, { particles: 8 }, { particles: 8, bufferSize: 1 }])('with %j', (options) => {
      expectUnbiased(2500, () => unlessLost(() => run(options, model)), joint);
    });

    test('when continued', () => {
      expectUnbiased(2500, () => unlessLost(() => run({ particles: 2 }, model).continue(5)), joint);
    });
  });

  test('gets closer with more particles', () => {
    const first = run({ particles: 100 }, gaussianMean.model);
    const second = first.continue(20_000);
    expect(second.samples!.length).toBeGreaterThan(first.samples!.length);
    expect(Math.abs(second.logZ! - gaussianMean.logZ)).toBeLessThan(0.05);
    expect(Math.abs(second.mean() - gaussianMean.mean)).toBeLessThan(0.05);
    expect(second.normalizationConstant).toBe(second.logZ);
  });

  test('keeps the number of particles about as it was, through many factors', () => {
    const model = () => {
      let state = true;
      for (let i = 0; i < 20; i++) {
        state = flip(state ? 0.7 : 0.3);
        factor(state === i % 14 < 7 ? -0.1 : -2.3);
      }
    };
    for (const seed of [1, 2, 3, 4, 5]) {
      startTestRun(seed);
      const { length } = run({ particles: 500 }, model).samples!;
      expect(length).toBeGreaterThan(250);
      expect(length).toBeLessThan(750);
    }
  });

  test('takes factors above 0, and programs without factors', () => {
    const model = () => {
      const coin = flip(0.5);
      factor(coin ? 3 : 2);
      return coin;
    };
    const { logZ } = run({ particles: 2000 }, model);
    expect(Math.abs(logZ! - Math.log((Math.exp(3) + Math.exp(2)) / 2))).toBeLessThan(0.1);
    const plain = run({ particles: 500 }, () => flip(0.3));
    expect(plain.samples).toHaveLength(500);
    expect(plain.logZ).toBeCloseTo(0, 12);
  });

  test('gives the same samples for the same seed', () => {
    const values = () => {
      startTestRun(3);
      const result = run({ particles: 30 }, gaussianMean.model);
      return [result.samples, result.weights];
    };
    expect(values()).toEqual(values());
  });

  test('tells those who watch', () => {
    const seen: unknown[] = [];
    const watcher = {
      sample: ({ value }: { value: unknown }) => seen.push(value),
      finish: () => seen.push('end'),
    };
    run({ particles: 2, callbacks: [watcher] }, () => 'x').continue(1);
    expect(seen).toEqual(['x', 'x', 'end', 'x', 'end']);
  });

  test('says where it lost all particles', () => {
    const model = () => {
      factor(-1);
      condition(flip(0));
    };
    const failing = () => run({ particles: 5 }, model);
    expect(failing).toThrow('asyncPF lost all of its 5 particles: here, the last of them met');
    try {
      failing();
    } catch (error) {
      expect((error as Error).stack).toMatch(/condition.*model.*async-pf\.test\.ts/s);
    }
  });

  test('leaves the machine as it was when the program throws', () => {
    const { handler, stream } = machine;
    const model = () => {
      factor(-1);
      throw new Error('from the program');
    };
    expect(() => run({}, model)).toThrow('from the program');
    expect(machine).toMatchObject({ handler, stream });
  });

  test('checks its options', () => {
    expect(() => run({ bufferSize: 0 }, () => flip())).toThrow('asyncPF: bufferSize must be an integer of at least 1');
    const result = run({ particles: 3 }, () => flip());
    expect(() => result.continue(-3)).toThrow(
      'continue: the number of further particles must be an integer of at least 1, got -3.',
    );
  });
});
