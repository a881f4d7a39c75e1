import { beforeEach, describe, expect, test } from 'vitest';
import { Bernoulli } from '../../../src/distributions/bernoulli.ts';
import { Gaussian } from '../../../src/distributions/gaussian.ts';
import { automaticGuides } from '../../../src/guides/guide-of.ts';
import type { Trace } from '../../../src/inference/chains/trace.ts';
import { readOptions } from '../../../src/inference/options.ts';
import { smc } from '../../../src/inference/particles/smc.ts';
import type { Distribution } from '../../../src/runtime/handler.ts';
import { machine } from '../../../src/runtime/machine.ts';
import { condition, factor, observe, sample, setProposalBoundary } from '../../../src/runtime/primitives.ts';
import { expectFrequencies, expectMean } from '../frequencies.ts';
import { flip, gaussianMean } from '../models.ts';
import { hiddenStates, hiddenStatesJoint, sequentialModels } from '../particle-models.ts';
import { startTestRun } from '../test-run.ts';
import { expectUnbiased } from '../unbiased.ts';

const run = <T>(options: object, model: () => T) => smc.run(model, readOptions('SMC', options, smc.options));

beforeEach(() => void startTestRun(4));

describe('evidence times frequency is unbiased', () => {
  describe.each(sequentialModels)('for $name', ({ model, joint }) => {
    test.each([
      { particles: 1 },
      { particles: 6 },
      { particles: 6, rejuvSteps: 1, finalRejuv: false },
      { particles: 5, rejuvSteps: 2 },
    ])('with %j', (options) => {
      const infer = () => {
        const result = run({ ...options, throwOnError: false }, model);
        // A run in which all particles died counts as evidence zero.
        return result instanceof Error ? nothing : result;
      };
      expectUnbiased(2500, infer, joint);
    });
  });

  const guides: [string, (seen: boolean) => Distribution<boolean> | (() => Distribution<boolean>)][] = [
    ['distributions', (seen) => Bernoulli({ p: seen ? 0.9 : 0.2 })],
    ['functions', (seen) => () => Bernoulli({ p: seen ? 0.9 : 0.2 })],
  ];
  test.each(guides)('with guides that are %s', (_, guideFor) => {
    expectUnbiased(2500, () => run({ particles: 4 }, hiddenStates(guideFor)), hiddenStatesJoint);
    expectUnbiased(2500, () => run({ particles: 4, rejuvSteps: 1 }, hiddenStates(guideFor)), hiddenStatesJoint);
  });

  test('with automatic guides', () => {
    const { current } = automaticGuides;
    automaticGuides.current = { make: () => Bernoulli({ p: 0.4 }) as never, areAlike: () => false };
    try {
      const options = { particles: 4, importance: 'autoGuide' };
      expectUnbiased(2500, () => run(options, hiddenStates()), hiddenStatesJoint);
      const own = hiddenStates(() => Bernoulli({ p: 1 }));
      expect(run(options, own).support()).toEqual([[true, true, true]]);
    } finally {
      automaticGuides.current = current;
    }
  });

  test('when rejuvenation has a boundary', () => {
    const model = hiddenStates(undefined, true);
    expectUnbiased(2500, () => run({ particles: 5, rejuvSteps: 2, finalRejuv: false }, model), hiddenStatesJoint);
  });
});

/** What a run that lost all its particles stands for. */
const nothing = { logZ: -Infinity, support: () => [], score: () => -Infinity } as never;

describe('SMC', () => {
  test('estimates the evidence and the last state of a long hidden Markov model', () => {
    const seen = Array.from({ length: 40 }, (_, i) => i % 7 < 3);
    const model = () => {
      let state = true;
      for (const s of seen) {
        state = flip(state ? 0.7 : 0.3);
        observe(Bernoulli({ p: state ? 0.9 : 0.1 }), s);
      }
      return state;
    };
    let [on, off, logZ] = [1, 0, 0];
    for (const s of seen) {
      const next = [(0.7 * on + 0.3 * off) * (s ? 0.9 : 0.1), (0.3 * on + 0.7 * off) * (s ? 0.1 : 0.9)];
      const total = next[0] + next[1];
      logZ += Math.log(total);
      [on, off] = [next[0] / total, next[1] / total];
    }
    // The standard error of the log of the evidence, from runs of other seeds.
    const estimates = Array.from({ length: 12 }, (_, seed) => {
      startTestRun(100 + seed);
      return run({ particles: 300 }, model).logZ!;
    });
    const mean = estimates.reduce((sum, x) => sum + x, 0) / estimates.length;
    const variance = estimates.reduce((sum, x) => sum + (x - mean) ** 2, 0) / (estimates.length - 1);
    // The mean of the logs is below the log of the mean by half the variance.
    expect(Math.abs(mean + variance / 2 - logZ)).toBeLessThan(5 * Math.sqrt(variance / estimates.length));
    expect(Math.sqrt(variance)).toBeLessThan(0.4);
    const { samples } = run({ particles: 2000 }, model);
    const states = samples!.map(({ value }) => value);
    expectFrequencies(
      states,
      [
        [true, on],
        [false, off],
      ],
      1000,
    );
  });

  test('agrees with a Kalman filter', () => {
    const seen = [0.5, 1.1, 0.9, 2.3, 3.0];
    const model = () => {
      let x = 0;
      for (const y of seen) {
        x = sample(Gaussian({ mu: x, sigma: 1 }));
        observe(Gaussian({ mu: x, sigma: 0.5 }), y);
      }
      return x;
    };
    let [mean, variance, logZ] = [0, 0, 0];
    for (const y of seen) {
      variance += 1;
      logZ += Gaussian({ mu: mean, sigma: Math.sqrt(variance + 0.25) }).score(y);
      const gain = variance / (variance + 0.25);
      mean += gain * (y - mean);
      variance *= 1 - gain;
    }
    const result = run({ particles: 20_000 }, model);
    const values = result.samples!.map(({ value }) => value);
    expectMean(values, mean, variance, 2000);
    expect(Math.abs(result.logZ! - logZ)).toBeLessThan(0.1);
    expect(result.normalizationConstant).toBe(result.logZ);
  });

  test('executes once per particle if nothing is left to chance after the first factor', () => {
    let executions = 0;
    run({ particles: 50 }, () => {
      executions++;
      return gaussianMean.model();
    });
    expect(executions).toBe(50);
  });

  test('gives children futures of their own', () => {
    const { samples } = run({ particles: 200 }, () => {
      const first = flip(0.02);
      factor(first ? 0 : -20);
      return [first, sample(Gaussian({ mu: 0, sigma: 1 }))];
    });
    expect(samples!.every(({ value }) => value[0] === true)).toBe(true);
    expect(new Set(samples!.map(({ value }) => value[1])).size).toBe(200);
  });

  test('rejuvenates copies of one particle', () => {
    const model = () => {
      const x = sample(Gaussian({ mu: 0, sigma: 1 }));
      observe(Gaussian({ mu: x, sigma: 0.05 }), 2.5);
      flip();
      return x;
    };
    const distinct = (options: object) => new Set(run(options, model).samples!.map(({ value }) => value)).size;
    expect(distinct({ particles: 200, rejuvSteps: 100, finalRejuv: false })).toBeGreaterThan(
      3 * distinct({ particles: 200 }),
    );
  });

  test('leaves choices before the proposal boundary alone', () => {
    const model = () => {
      const x = sample(Gaussian({ mu: 0, sigma: 1 }));
      setProposalBoundary();
      const y = sample(Gaussian({ mu: 0, sigma: 1 }));
      factor(x > 0 ? 0 : -0.1);
      return [x, y];
    };
    const plain = run({ particles: 20 }, model).samples!.map(({ value }) => value);
    startTestRun(4);
    const moved = run({ particles: 20, rejuvSteps: 5, finalRejuv: false }, model).samples!.map(({ value }) => value);
    expect(moved.map(([x]) => x)).toEqual(plain.map(([x]) => x));
    expect(moved.map(([, y]) => y)).not.toEqual(plain.map(([, y]) => y));
  });

  test('gives a sample for every step of the final rejuvenation', () => {
    expect(run({ particles: 7, rejuvSteps: 3 }, gaussianMean.model).samples).toHaveLength(21);
    expect(run({ particles: 7, rejuvSteps: 3, finalRejuv: false }, gaussianMean.model).samples).toHaveLength(7);
    expect(run({}, gaussianMean.model).samples).toHaveLength(100);
  });

  test('scores samples with the joint probability of their executions', () => {
    for (const options of [{ particles: 30 }, { particles: 30, rejuvSteps: 2 }]) {
      for (const { value, score } of run(options, hiddenStates()).samples!) {
        const [, joint] = hiddenStatesJoint.find(([states]) => states.every((s, i) => s === value[i]))!;
        expect(score).toBeCloseTo(Math.log(joint), 10);
      }
    }
  });

  test('keeps the best sample only, if asked', () => {
    const [best] = [...hiddenStatesJoint].sort((a, b) => b[1] - a[1]);
    const { samples } = run({ particles: 300, onlyMAP: true }, hiddenStates());
    expect(samples).toHaveLength(1);
    expect(samples![0].value).toEqual(best[0]);
  });

  test('tells those who watch', () => {
    const seen: string[] = [];
    const watcher = {
      sample: ({ value }: { value: unknown }) => seen.push(`${value}`),
      finish: () => seen.push('end'),
    };
    run({ particles: 3, callbacks: [watcher] }, () => flip(1));
    expect(seen).toEqual(['true', 'true', 'true', 'end']);
  });

  test('keeps traces, if asked', () => {
    const result = run({ particles: 5, saveTraces: true }, hiddenStates());
    expect(result.traces).toHaveLength(5);
    result.traces!.forEach((saved, i) => {
      const trace = saved as Trace<boolean[]>;
      expect(trace.value).toEqual(result.samples![i].value);
      expect(trace.choices.slice(0, trace.length).map(({ value }) => value)).toEqual(trace.value);
      expect(trace.score).toBeCloseTo(result.samples![i].score!, 10);
      expect(trace.entry).toBe(machine.address);
    });
    expect(run({ particles: 5 }, hiddenStates()).traces).toBeUndefined();
  });

  test('draws from guides unless told to ignore them', () => {
    let consulted = 0;
    const guideFor = () => () => {
      consulted++;
      return Bernoulli({ p: 1 });
    };
    const options = { particles: 3 };
    expect(run(options, hiddenStates(guideFor)).support()).toEqual([[true, true, true]]);
    expect(consulted).toBeGreaterThan(0);
    consulted = 0;
    run({ ...options, importance: 'ignoreGuide' }, hiddenStates(guideFor));
    expect(consulted).toBe(0);
  });

  test('refuses guides that weigh, or are no distributions', () => {
    const guided = (guide: () => Distribution<boolean>) => () => sample(Bernoulli({ p: 0.5 }), { guide });
    expect(() =>
      run(
        {},
        guided(() => {
          factor(1);
          return Bernoulli({ p: 0.1 });
        }),
      ),
    ).toThrow('A guide must not call factor, condition or observe');
    expect(() =>
      run(
        {},
        guided(() => 0.3 as unknown as Distribution<boolean>),
      ),
    ).toThrow('A guide must be a distribution, or a function that returns one');
  });

  test.each([0, 2])('weeds out executions that would never end (%i steps of rejuvenation)', (rejuvSteps) => {
    const model = () => {
      let n = 0;
      const endless = flip(0.5);
      while (endless || flip(0.5)) {
        factor(endless ? -2 : 0);
        n++;
      }
      return n;
    };
    const { samples } = run({ particles: 50, rejuvSteps, finalRejuv: false }, model);
    expect(samples!.every(({ value }) => Number.isFinite(value))).toBe(true);
  });

  test('replays what a program draws on its own', () => {
    const model = () => {
      const hidden = Gaussian({ mu: 0, sigma: 1 }).sample();
      let n = 0;
      for (let i = 0; i < 30; i++) {
        if (sample(Bernoulli({ p: 0.5 }))) n++;
        // If hidden were drawn anew in a later execution, this would not hold for all i.
        condition(i === 0 ? hidden > 0 : true);
        factor(n > i / 2 ? 0 : -1);
      }
      return hidden;
    };
    const { samples } = run({ particles: 50 }, model);
    expect(samples!.every(({ value }) => value > 0)).toBe(true);
  });

  test('gives the same samples for the same seed, and others for another', () => {
    const values = (seed: number, options = {}) => {
      startTestRun(seed);
      return run({ particles: 20, ...options }, gaussianMean.model).samples!.map(({ value }) => value);
    };
    expect(values(1)).toEqual(values(1));
    expect(values(1, { rejuvSteps: 2 })).toEqual(values(1, { rejuvSteps: 2 }));
    expect(values(1)).not.toEqual(values(2));
  });

  test('says where it lost all particles, and what to do', () => {
    const model = () => {
      factor(-1);
      const x = flip(0.5);
      condition(x && !x);
      return x;
    };
    const failing = () => run({ particles: 10 }, model);
    expect(failing).toThrow('SMC lost all of its 10 particles at the 2nd factor: here, the last of them met');
    expect(failing).toThrow('Use more particles, soften the condition');
    try {
      failing();
    } catch (error) {
      expect((error as Error).stack).toMatch(/condition.*model.*smc\.long\.test\.ts/s);
    }
    expect(run({ throwOnError: false }, model)).toBeInstanceOf(Error);
  });

  test('leaves the machine as it was when the program throws', () => {
    const { handler, stream, store, address } = machine;
    let calls = 0;
    const model = () => {
      flip();
      factor(-1);
      if (++calls === 20) throw new Error('from the program');
    };
    expect(() => run({}, model)).toThrow('from the program');
    expect(machine).toMatchObject({ handler, stream, store });
    expect(machine.address).toBe(address);
  });

  test.each([
    [{ particles: 0 }, 'SMC: particles must be an integer of at least 1, got 0.'],
    [{ importance: 'guide' }, "SMC: importance must be one of 'default', 'ignoreGuide', 'autoGuide'"],
    [{ particels: 3 }, "Did you mean 'particles'?"],
    [{ rejuvKernel: 'HM' }, "SMC: rejuvKernel must be one of 'MH'"],
  ])('refuses %j', (options, message) => {
    expect(() => run(options, () => flip())).toThrow(message);
  });
});
