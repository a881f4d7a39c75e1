import { beforeEach, describe, expect, test, vi } from 'vitest';
import { Gaussian } from '../../../src/distributions/gaussian.ts';
import * as families from '../../../src/distributions/index.ts';
import * as samplers from '../../../src/distributions/samplers.ts';
import { Infer } from '../../../src/inference/infer.ts';
import * as library from '../../../src/library/choices.ts';
import { condition, factor, sample } from '../../../src/runtime/primitives.ts';
import { flip } from '../models.ts';
import { startTestRun } from '../test-run.ts';

beforeEach(() => void startTestRun(1));

const impossible = () => {
  flip();
  condition(false);
};

describe('rejection', () => {
  test('accepts the same executions whether it is incremental or not', () => {
    const model = () => {
      const x = sample(Gaussian({ mu: 0, sigma: 1 }));
      factor(-Math.abs(x));
      factor(-Math.abs(x - 1));
      return x;
    };
    const draw = (incremental: boolean) => {
      startTestRun(9);
      return Infer({ method: 'rejection', samples: 50, incremental }, model).samples;
    };
    expect(draw(true)).toEqual(draw(false));
  });

  test('incremental stops at the factor that decides', () => {
    let ends = 0;
    const model = () => {
      factor(-3);
      ends++;
    };
    const { diagnostics } = Infer({ method: 'rejection', samples: 10, incremental: true }, model);
    expect(ends).toBe(10);
    expect(diagnostics!.attempts).toBeGreaterThan(10);
  });

  test('draws the same with helpers, which make no distribution, as without them', () => {
    const pairs: [helper: () => unknown, distribution: () => unknown][] = [
      [() => samplers.gaussian(1, 2), () => sample(Gaussian({ mu: 1, sigma: 2 }))],
      [() => samplers.gaussian({ mu: 1, sigma: 2 }), () => sample(Gaussian({ mu: 1, sigma: 2 }))],
      [() => samplers.gamma(2, 3), () => sample(families.Gamma({ shape: 2, scale: 3 }))],
      [() => samplers.poisson(4), () => sample(families.Poisson({ mu: 4 }))],
      [() => samplers.delta({ v: 3 }), () => 3],
      [() => samplers.delta(3 as never), () => 3],
      [() => samplers.uniform(1, 2), () => sample(families.Uniform({ a: 1, b: 2 }))],
      [() => samplers.discrete([0.2, 0.8]), () => sample(families.Discrete({ ps: [0.2, 0.8] }))],
      [() => library.flip(0.3), () => sample(families.Bernoulli({ p: 0.3 }))],
      [() => library.flip(), () => sample(families.Bernoulli({ p: 0.5 }))],
    ];
    for (const [helper, distribution] of pairs) {
      const draw = (choose: () => unknown) => {
        startTestRun(4);
        const model = () => [choose(), choose()];
        return Infer({ method: 'rejection', samples: 20 }, model).samples!.map(({ value }) => value);
      };
      expect(draw(helper)).toEqual(draw(distribution));
    }
    expect(() => Infer({ method: 'rejection' }, () => samplers.gaussian(0, -1))).toThrow('Gaussian: sigma must be');
    expect(() => Infer({ method: 'rejection' }, () => samplers.gaussian(0))).toThrow('Gaussian: sigma is missing');
    expect(() => Infer({ method: 'rejection' }, () => library.flip(2))).toThrow('Bernoulli: p must be');
    expect(() => Infer({ method: 'rejection' }, () => library.flip('0.5' as never))).toThrow('Bernoulli: p must be');
  });

  test('samples carry no score', () => {
    expect(Infer({ method: 'rejection', samples: 2 }, () => 'a').samples).toEqual([{ value: 'a' }, { value: 'a' }]);
  });

  test('gives up when nothing is accepted', () => {
    expect(() => Infer({ method: 'rejection', maxRejections: 1000 }, impossible)).toThrow(
      'rejection: 1000 executions in a row were rejected. The conditions hold too rarely, or maxScore is far above the ' +
        'scores that occur. Use MCMC or SMC, soften the conditions, or, if you can wait, raise maxRejections.',
    );
    let runs = 0;
    expect(() =>
      Infer({ method: 'rejection' }, () => {
        runs++;
        condition(false);
      }),
    ).toThrow('rejection: 1000000 executions in a row');
    expect(runs).toBe(1_000_000);
  });

  test('says when a bound does not hold', () => {
    expect(() => Infer({ method: 'rejection' }, () => factor(1.5))).toThrow(
      'rejection: the factors of an execution add up to 1.5, more than maxScore (0). ' +
        'Give an upper bound of all factors together as maxScore, or use MCMC or SMC.',
    );
    expect(() => Infer({ method: 'rejection', incremental: true }, () => factor(0.5))).toThrow(
      'rejection with incremental needs every factor to be at most 0, got 0.5.',
    );
    const { warnings } = startTestRun(1);
    Infer({ method: 'rejection', incremental: true, maxScore: 1 }, () => 0);
    expect(warnings).toEqual([
      'rejection: with incremental, every factor is at most 0, so a maxScore above 0 only wastes work.',
    ]);
  });

  test('gives up when samples come too slowly', () => {
    const options = { method: 'rejection', minSampleRate: 1e9, maxRejections: Infinity } as const;
    let now = 0;
    vi.spyOn(Date, 'now').mockImplementation(() => (now += 100));
    expect(() => Infer(options, impossible)).toThrow(
      /^rejection accepted 0 executions in 2000 ms, fewer than minSampleRate \(1000000000 per second\)/,
    );
    expect(Infer({ ...options, throwOnError: false }, impossible)).toBeInstanceOf(Error);
    vi.restoreAllMocks();
  });

  test('reports progress', () => {
    const { progress } = startTestRun(1);
    Infer({ method: 'rejection', samples: 5000 }, () => flip());
    expect(progress).toContainEqual(['rejection', 4096, undefined]);
  });
});

describe('forward', () => {
  test('ignores factors, and says so', () => {
    const { warnings } = startTestRun(1);
    const result = Infer({ method: 'forward', samples: 10 }, () => {
      factor(-2);
      condition(false);
      return flip(1);
    });
    expect(result.score(true)).toBe(0);
    expect(new Set(warnings)).toEqual(
      new Set([
        'Forward sampling has met a factor (or condition, or observe) and goes on as if it were not there. ' +
          'Choose another method to take it into account.',
      ]),
    );
    expect(result.normalizationConstant).toBe(-Infinity);
  });

  test('estimates the evidence', () => {
    const result = Infer({ method: 'forward', samples: 50 }, () => factor(-2));
    expect(result.normalizationConstant).toBeCloseTo(-2, 14);
  });

  test('scores samples by their choices', () => {
    const result = Infer({ method: 'forward', samples: 30 }, () => [flip(0.2), flip(0.7)]);
    for (const { value, score } of result.samples!) {
      expect(score).toBeCloseTo(Math.log(value[0] ? 0.2 : 0.8) + Math.log(value[1] ? 0.7 : 0.3), 14);
    }
  });

  test('keeps the most probable sample alone if asked', () => {
    const result = Infer({ method: 'forward', samples: 100, onlyMAP: true }, () => flip(0.3));
    expect(result.samples).toEqual([{ value: false, score: Math.log1p(-0.3) }]);
  });
});

describe('importance', () => {
  test('weighs samples by their factors', () => {
    const result = Infer({ method: 'importance', samples: 500 }, () => {
      const a = flip(0.5);
      factor(a ? 700 : 698);
      return a;
    });
    for (const [i, { value, score }] of result.samples!.entries()) {
      expect(score).toBe(value ? 700 : 698);
      expect(result.weights![i]).toBe(score);
    }
    const heads = result.samples!.filter(({ value }) => value).length;
    const expected = heads / (heads + (500 - heads) * Math.exp(-2));
    expect(Math.exp(result.score(true))).toBeCloseTo(expected, 12);
    const size = (heads + (500 - heads) * Math.exp(-2)) ** 2 / (heads + (500 - heads) * Math.exp(-4));
    expect(result.diagnostics!.effectiveSampleSize).toBeCloseTo(size, 8);
  });

  test('leaves out impossible executions, but counts them', () => {
    const result = Infer({ method: 'importance', samples: 400 }, () => {
      const a = flip(0.5);
      condition(a);
      return a;
    });
    expect(result.support()).toEqual([true]);
    expect(Math.exp(result.logZ!)).toBeCloseTo(result.samples!.length / 400, 12);
  });

  test('refuses a weight that is none', () => {
    expect(() => Infer({ method: 'importance' }, () => factor(Infinity))).toThrow('factor got Infinity');
  });

  test('says when nothing is possible', () => {
    expect(() => Infer({ method: 'importance', samples: 10 }, impossible)).toThrow(
      'importance: none of 10 executions is possible (factors of −Infinity, conditions that do not hold). ' +
        'Raise samples, soften the conditions, or use MCMC or SMC.',
    );
  });
});

test.each(['rejection', 'forward', 'importance'] as const)('callbacks of %s', (method) => {
  const seen: unknown[] = [];
  const watcher = {
    setup: () => seen.push('setup'),
    sample: ({ value }: { value: unknown }) => seen.push(value),
    finish: () => seen.push('finish'),
    note: 'other fields are none of our business',
  };
  const result = Infer({ method, samples: 3, callbacks: [watcher, {}] }, () => flip());
  expect(seen).toEqual([...result.samples!.map(({ value }) => value), 'finish']);
});
