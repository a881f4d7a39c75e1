import { beforeEach, describe, expect, test } from 'vitest';
import { Bernoulli, Binomial, Gamma, Gaussian, Marginal, SampleBasedMarginal } from '../../src/distributions/index.ts';
import { Infer } from '../../src/inference/infer.ts';
import * as lib from '../../src/library/index.ts';
import { sample } from '../../src/runtime/primitives.ts';
import { recordedRun } from './run.ts';

beforeEach(() => {
  recordedRun(31);
});

const pair = () => Infer({ method: 'enumerate', model: () => ({ a: lib.flip(0.3), b: lib.flip(0.5) ? 2 : 4 }) });
const samplesOf = <V>(values: V[], weights?: number[]) =>
  new SampleBasedMarginal(
    values.map((value) => ({ value })),
    weights === undefined ? {} : { weights: weights.map(Math.log) },
  );

describe('expectation', () => {
  test('sums over values, averages samples, knows families', () => {
    expect(lib.expectation(pair(), (x) => x.b)).toBeCloseTo(3, 12);
    expect(lib.expectation(Bernoulli({ p: 0.3 }))).toBeCloseTo(0.3, 12);
    expect(lib.expectation(samplesOf([1, 2, 6]))).toBe(3);
    expect(lib.expectation(samplesOf([1, 2], [1, 3]))).toBeCloseTo(1.75, 12);
    expect(lib.expectation(Gaussian({ mu: 5, sigma: 1 }))).toBe(5);
    expect(lib.expectation(samplesOf([true, false]))).toBe(0.5);
  });

  test('of tensors, entry by entry', () => {
    expect(lib.expectation(samplesOf([lib.Vector([1, 2]), lib.Vector([3, 6])]))).toEqual(lib.Vector([2, 4]));
    expect(() => lib.expectation(samplesOf([lib.Vector([1]), lib.Vector([1, 2])]))).toThrow('tensors of one shape');
  });

  test('says what to do where it cannot', () => {
    expect(() => lib.expectation(Gaussian({ mu: 0, sigma: 1 }), (x) => x * x)).toThrow(
      'The expectation of a function is not known in closed form for Gaussian. Draw samples first',
    );
    expect(() => lib.expectation(pair() as never)).toThrow(
      'expectation needs numbers to average, got an object with a, b.',
    );
    expect(() => lib.expectation(3 as never)).toThrow(
      'expectation needs a distribution, as in expectation(dist, fn); got 3.',
    );
    expect(() => lib.expectation(pair(), 'b' as never)).toThrow('expectation needs a function');
  });

  test('the function may make choices', () => {
    const inner = Infer({ method: 'enumerate', model: () => lib.expectation(Bernoulli({ p: 0.5 }), () => lib.flip()) });
    expect([...inner.support()].sort()).toEqual([0, 0.5, 1]);
  });
});

describe('marginalize', () => {
  test('by field and by function, exactly', () => {
    const a = lib.marginalize(pair(), 'a');
    expect(a).toBeInstanceOf(Marginal);
    expect(Math.exp(a.score(true))).toBeCloseTo(0.3, 12);
    const doubled = lib.marginalize(pair(), (x) => x.b * 2);
    expect(Math.exp(doubled.score(8))).toBeCloseTo(0.5, 12);
    expect(Math.exp(lib.marginalize(Binomial({ n: 2, p: 0.5 }), (k) => k > 0).score(true))).toBeCloseTo(0.75, 12);
  });

  test('keeps samples in order, with weights and evidence', () => {
    const dist = new SampleBasedMarginal(
      [
        { value: { x: 1 }, score: -1 },
        { value: { x: 2 }, score: -2 },
      ],
      {
        weights: [0, 1],
        logZ: -7,
      },
    );
    const x = lib.marginalize(dist, 'x');
    expect(x.samples).toEqual([
      { value: 1, score: -1 },
      { value: 2, score: -2 },
    ]);
    expect(x.weights).toEqual([0, 1]);
    expect(x.logZ).toBe(-7);
    const exact = Marginal.fromScores([{ value: { x: 1 }, score: -3 }]);
    expect(lib.marginalize(exact, 'x').logZ).toBeCloseTo(exact.logZ!, 12);
  });

  test('infers where the function makes choices or the values cannot be listed', () => {
    const noisy = lib.marginalize(pair(), (x) => x.a || lib.flip(0.5));
    expect(Math.exp(noisy.score(true))).toBeCloseTo(0.3 + 0.35, 12);
    const positive = lib.marginalize(Gaussian({ mu: 0, sigma: 1 }), (x) => x > 0);
    const n = positive.samples!.length;
    expect(n).toBeGreaterThanOrEqual(1000);
    expect(Math.abs(Math.exp(positive.score(true)) - 0.5)).toBeLessThan(5 * Math.sqrt(0.25 / n));
  });

  test('missing fields', () => {
    expect(() => lib.marginalize(pair(), 'c' as never)).toThrow(
      "marginalize: a value of this distribution has no field 'c'; it has the fields a, b.",
    );
    expect(() => lib.marginalize(Bernoulli({ p: 0.5 }), 'c' as never)).toThrow("has no field 'c'; it is true.");
    const some = samplesOf<{ a?: number }>([{ a: 1 }, {}]);
    expect(lib.marginalize(some, 'a').support()).toEqual([1, undefined]);
    expect(() => lib.marginalize(pair(), undefined as never)).toThrow('needs the name of a field or a function');
    expect(() => lib.marginalize([] as never, 'a' as never)).toThrow('marginalize needs a distribution');
  });
});

describe('MAP, entropy, kde, serialisation', () => {
  test('MAP and entropy', () => {
    expect(lib.MAP(pair()).val.a).toBe(false);
    expect(lib.MAP(pair()).score).toBeCloseTo(Math.log(0.35), 12);
    expect(lib.entropy(Bernoulli({ p: 0.5 }))).toBeCloseTo(Math.log(2), 12);
    expect(() => lib.MAP(3 as never)).toThrow('MAP needs a distribution, as in MAP(dist); got 3.');
  });

  test('kde smooths samples', () => {
    const smooth = lib.kde(samplesOf([0, 1]), 0.5);
    const kernel = (x: number, at: number) => Math.exp(Gaussian({ mu: at, sigma: 0.5 }).score(x));
    expect(Math.exp(smooth.score(0.3))).toBeCloseTo((kernel(0.3, 0) + kernel(0.3, 1)) / 2, 12);
    const weighted = lib.kde(samplesOf([0, 1, 2, 3], [0.5, 0.5, 0, 0]), 0.5);
    expect(weighted.score(0.3)).toBeCloseTo(smooth.score(0.3), 12);
    expect(() => lib.kde(Gaussian({ mu: 0, sigma: 1 }))).toThrow(
      'kde needs the samples of an inference, and Gaussian has none.',
    );
  });

  test('there and back', () => {
    const text = lib.serializeDist(pair());
    expect(JSON.parse(text).support).toContainEqual({ a: true, b: 2 });
    const back = lib.deserializeDist(text);
    expect(Math.exp(back.score({ a: false, b: 4 }))).toBeCloseTo(0.35, 12);
    expect(() => lib.deserializeDist('x')).toThrow('This is not the JSON that util.serialize and serializeDist make:');
    expect(() => lib.deserializeDist('{}')).toThrow('deserializeDist needs the text that serializeDist makes');
    expect(() => lib.serializeDist(Gaussian({ mu: 0, sigma: 1 }))).toThrow('Gaussian');
  });
});

describe('statistics', () => {
  test('of lists', () => {
    expect(lib.mean([1, 2, 6])).toBe(3);
    expect(lib.mean([true, false])).toBe(0.5);
    expect(lib.variance([1, 3])).toBe(1);
    expect(lib.stdev([1, 3])).toBe(1);
    expect(lib.median([3, 1, 2])).toBe(2);
    expect(lib.median([4, 1, 2, 3])).toBe(2.5);
    expect(lib.quantile([0, 10], 0.25)).toBe(2.5);
    expect(lib.quantile([0, 10], [0, 1])).toEqual([0, 10]);
    expect(lib.mean(lib.Vector([1, 3]))).toBe(2);
  });

  test('of distributions', () => {
    expect(lib.mean(Gamma({ shape: 2, scale: 3 }))).toBeCloseTo(6, 12);
    expect(lib.variance(Bernoulli({ p: 0.3 }))).toBeCloseTo(0.21, 12);
    expect(lib.stdev(Gaussian({ mu: 0, sigma: 2 }))).toBeCloseTo(2, 12);
    expect(lib.quantile(Gaussian({ mu: 0, sigma: 1 }), 0.975)).toBeCloseTo(1.959963984540054, 8);
    expect(lib.quantile(samplesOf([3, 1, 2]), 0.5)).toBe(2);
    expect(lib.mean(samplesOf([1, 5], [1, 3]))).toBeCloseTo(4, 12);
    expect(lib.median(Binomial({ n: 4, p: 0.5 }))).toBe(2);
  });

  test('correlation of lists and of parts of a distribution', () => {
    expect(lib.correlation([1, 2, 3], [2, 4, 6])).toBeCloseTo(1, 12);
    expect(lib.correlation([1, 2, 3], [3, 2, 1])).toBeCloseTo(-1, 12);
    const dist = samplesOf([
      { x: 0, y: 1 },
      { x: 1, y: 0 },
      { x: 2, y: 2 },
    ]);
    expect(lib.correlation(dist, 'x', 'y')).toBeCloseTo(0.5, 12);
    expect(
      lib.correlation(
        dist,
        (v) => v.x,
        (v) => -v.y,
      ),
    ).toBeCloseTo(-0.5, 12);
    expect(() => lib.correlation([1, 1], [1, 2])).toThrow(
      'correlation is not defined where one of the two is constant.',
    );
    expect(() => lib.correlation([1], [1, 2])).toThrow('two lists of one length, got lengths 1 and 2');
  });

  test('mistakes', () => {
    expect(() => lib.mean([])).toThrow('mean of an empty list is not defined; give it at least one number.');
    expect(() => lib.mean(pair() as never)).toThrow(
      'mean needs numbers, and here is an object with a, b. Pick a number of each value with marginalize(dist, field), or use expectation(dist, fn).',
    );
    expect(() => lib.quantile([1], 2)).toThrow('quantile needs a probability from 0 to 1, got 2.');
    expect(() => lib.mean(3 as never)).toThrow('mean needs an array, as in mean(array or distribution); got 3.');
  });
});

describe('credibleInterval', () => {
  const numbers = lib.range(101);

  test('equal-tailed', () => {
    expect(lib.credibleInterval(numbers, 0.9)).toEqual({ lower: expect.closeTo(5, 12), upper: expect.closeTo(95, 12) });
    const { lower, upper } = lib.credibleInterval(Gaussian({ mu: 0, sigma: 1 }));
    expect([lower, upper]).toEqual([expect.closeTo(-1.959964, 5), expect.closeTo(1.959964, 5)]);
  });

  test('highest density', () => {
    const skewed = samplesOf([0, 1, 2, 3, 100], [0.3, 0.3, 0.3, 0.05, 0.05]);
    expect(lib.credibleInterval(skewed, 0.9, 'highest-density')).toEqual({ lower: 0, upper: 2 });
    // The exponential's densest interval starts at its end.
    const { lower, upper } = lib.credibleInterval(Gamma({ shape: 1, scale: 1 }), 0.9, 'highest-density');
    expect(lower).toBeCloseTo(0, 6);
    expect(upper).toBeCloseTo(-Math.log(0.1), 6);
    const normal = lib.credibleInterval(Gaussian({ mu: 3, sigma: 1 }), 0.5, 'highest-density');
    expect(normal.lower + normal.upper).toBeCloseTo(6, 4);
    const gamma = Gamma({ shape: 3, scale: 1 });
    const dense = lib.credibleInterval(gamma, 0.8, 'highest-density');
    expect(gamma.score(dense.lower)).toBeCloseTo(gamma.score(dense.upper), 4);
  });

  test('mistakes', () => {
    expect(() => lib.credibleInterval(numbers, 95)).toThrow('needs a mass between 0 and 1, such as 0.95; got 95.');
    expect(() => lib.credibleInterval(numbers, 0.9, 'hdi' as never)).toThrow("'equal-tailed' or 'highest-density'");
  });
});

describe('summary', () => {
  test('of numbers', () => {
    const facts = lib.summary(samplesOf(lib.range(1000).map((i) => (i * 617) % 1000))) as lib.NumberSummary;
    expect(facts.mean).toBeCloseTo(499.5, 9);
    expect(facts.sd).toBeCloseTo(Math.sqrt((1000 ** 2 - 1) / 12), 6);
    expect(facts.quantiles).toEqual({ '2.5%': 24, '25%': 249, '50%': 499, '75%': 749, '97.5%': 974 });
    expect(facts.mode).toBeUndefined();
    expect(facts.ess).toBeGreaterThan(0);
  });

  test('of exact results there is a mode and no sample size', () => {
    const facts = lib.summary(Bernoulli({ p: 0.3 })) as lib.NumberSummary;
    expect(facts.mode).toBe(false);
    expect(facts.ess).toBeUndefined();
  });

  test('field by field', () => {
    const facts = lib.summary(
      samplesOf([
        { x: 1, c: 'a' },
        { x: 3, c: 'b' },
        { x: 5, c: 'b' },
      ]),
    ) as Record<string, never>;
    expect(facts.x).toMatchObject({ mean: 3 });
    expect(facts.c).toMatchObject({ mode: 'b', distinct: 2, probability: expect.closeTo(2 / 3, 12) });
    expect(
      lib.summary(
        samplesOf([
          [1, 2],
          [3, 4],
        ]),
      ),
    ).toMatchObject({ 0: { mean: 2 }, 1: { mean: 3 } });
  });

  test('weights tell how many samples they are worth', () => {
    const facts = lib.summary(samplesOf([1, 2, 3, 4], [0.5, 0.5, 1e-300, 1e-300])) as lib.NumberSummary;
    expect(facts.ess).toBeCloseTo(2, 9);
  });

  test('a sticky chain is worth less than its length', () => {
    const chain = lib.scan((x: number) => 0.95 * x + sample(Gaussian({ mu: 0, sigma: 1 })), 0, lib.range(4999));
    const { ess } = lib.summary(samplesOf(chain)) as lib.NumberSummary;
    // Autocorrelation 0.95 makes the time (1 + 0.95) / (1 − 0.95) = 39.
    expect(ess).toBeGreaterThan(5000 / 39 / 2);
    expect(ess).toBeLessThan((5000 / 39) * 2);
  });

  test('of families, from what they know', () => {
    const facts = lib.summary(Gaussian({ mu: 1, sigma: 2 })) as lib.NumberSummary;
    expect([facts.mean, facts.sd]).toEqual([1, 2]);
    expect(facts.quantiles['50%']).toBeCloseTo(1, 8);
  });

  test('mistakes', () => {
    expect(() => lib.summary([])).toThrow(
      'summary needs a distribution or a list of values, got an array of length 0.',
    );
  });
});
