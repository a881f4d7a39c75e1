import { describe, expect, it } from 'vitest';
import { Marginal, MarginalBuilder, SampleBasedMarginal } from '../../src/distributions/marginal.ts';
import { run } from '../../src/program/run.ts';
import { RandomStream } from '../../src/runtime/random.ts';
import { vector } from '../../src/tensor/tensor.ts';

function built<V>(...entries: [V, number][]): Marginal<V> {
  const builder = new MarginalBuilder<V>();
  for (const [value, weight] of entries) builder.add(value, weight);
  return builder.build()!;
}

describe('Marginal', () => {
  it('adds the weights of equal values and normalises', () => {
    const marginal = built([true, Math.log(1)], [false, Math.log(2)], [true, Math.log(5)]);
    expect(marginal.score(true)).toBeCloseTo(Math.log(6 / 8), 14);
    expect(marginal.score(false)).toBeCloseTo(Math.log(2 / 8), 14);
    expect(marginal.logZ).toBeCloseTo(Math.log(8), 14);
    expect(marginal.normalizationConstant).toBe(marginal.logZ);
  });

  it('survives weights far beyond the range of numbers', () => {
    const marginal = built(['a', -5000], ['b', -5001], ['a', -4999], ['c', -9000]);
    const total = Math.log(Math.exp(-1) + Math.exp(-2) + 1);
    expect(marginal.score('a')).toBeCloseTo(Math.log(Math.exp(-1) + 1) - total, 13);
    expect(marginal.score('b')).toBeCloseTo(-2 - total, 13);
    expect(marginal.score('c')).toBeCloseTo(-4001 - total, 10);
    expect(marginal.logZ).toBeCloseTo(-4999 + total, 10);
  });

  it('tells values apart by structure and keeps the order of meeting', () => {
    const marginal = built<unknown>(
      [{ a: 1, b: [2] }, 0],
      [3, 0],
      [{ b: [2], a: 1 }, 0],
      [vector([1, 2]), 0],
      ['3', 0],
    );
    expect(marginal.support()).toEqual([{ a: 1, b: [2] }, 3, vector([1, 2]), '3']);
    expect(marginal.score({ b: [2], a: 1 })).toBeCloseTo(Math.log(2 / 5), 14);
    expect(marginal.score(vector([1, 2]))).toBeCloseTo(Math.log(1 / 5), 14);
    expect(marginal.score('nothing')).toBe(-Infinity);
  });

  it('ignores impossible executions and refuses weights that are none', () => {
    const builder = new MarginalBuilder<string>();
    builder.add('never', -Infinity);
    expect(builder.build()).toBeUndefined();
    expect(() => builder.add('a', Number.NaN)).toThrow(
      'A weight must be a log-probability (a number below Infinity), got NaN.',
    );
    expect(() => builder.add('a', Infinity)).toThrow('below Infinity');
    expect(() => Marginal.fromScores([])).toThrow('at least one value of positive probability');
  });

  it('lists itself in WebPPL’s forms', () => {
    const marginal = built<unknown>([{ a: true }, Math.log(0.25)], ['x', Math.log(0.75)]);
    const [a, x] = [expect.closeTo(0.25, 14), expect.closeTo(0.75, 14)];
    const listed = { '{"a":true}': { val: { a: true }, prob: a }, '"x"': { val: 'x', prob: x } };
    expect(marginal.getDist()).toEqual(listed);
    expect(marginal.params.dist).toEqual(listed);
    expect(String(marginal)).toMatch(/^Marginal:\n {4}"x" : 0\.7\d+\n {4}\{"a":true\} : 0\.2\d+$/);
    expect(JSON.parse(JSON.stringify(marginal))).toEqual({ probs: [a, x], support: [{ a: true }, 'x'] });
    expect(marginal.meta.name).toBe('Marginal');
    expect(marginal.MAP()).toEqual({ val: 'x', score: expect.closeTo(Math.log(0.75), 14) });
    expect(marginal.entropy()).toBeCloseTo(-0.25 * Math.log(0.25) - 0.75 * Math.log(0.75), 14);
  });

  it('keeps apart values whose JSON is the same', () => {
    const marginal = built<unknown>([[Infinity], 0], [[null], 0], [undefined, 0], [null, 0]);
    expect(Object.values(marginal.getDist()).map((entry) => entry.val)).toHaveLength(4);
  });

  it('has moments and quantiles for numbers, and says so for others', () => {
    const marginal = built([3, Math.log(0.2)], [1, Math.log(0.5)], [2, Math.log(0.3)]);
    expect(marginal.mean()).toBeCloseTo(1.7, 14);
    expect(marginal.variance()).toBeCloseTo(0.5 + 1.2 + 1.8 - 1.7 ** 2, 13);
    expect([0, 0.5, 0.51, 0.8, 0.81, 1].map((p) => marginal.quantile(p))).toEqual([1, 1, 2, 2, 3, 3]);
    expect(marginal.cdf(2)).toBeCloseTo(0.8, 14);
    expect(built([true, Math.log(0.3)], [false, Math.log(0.7)]).mean()).toBeCloseTo(0.3, 14);
    expect(() => built(['a', 0]).mean()).toThrow(
      'mean needs numbers (or booleans) as values, and this distribution is over the string "a". ' +
        'Use expectation(dist, f) with a function that makes a number of each value.',
    );
    expect(() => marginal.quantile(2)).toThrow('quantile needs a probability from 0 to 1, got 2.');
  });

  it('draws in proportion, with few and with many values', () => {
    for (const size of [3, 40]) {
      const weights = Array.from({ length: size }, (_, i) => i + 1);
      const marginal = Marginal.fromScores(weights.map((weight, value) => ({ value, score: Math.log(weight) })));
      const random = RandomStream.fromSeed(size);
      const n = 40_000;
      const counts = new Array<number>(size).fill(0);
      for (let i = 0; i < n; i++) counts[marginal.draw(random.begin())]++;
      counts.forEach((count, value) => {
        const p = (value + 1) / ((size * (size + 1)) / 2);
        expect(Math.abs(count - n * p)).toBeLessThan(5 * Math.sqrt(n * p * (1 - p)));
      });
    }
  });

  it('compares as a value, whatever the order of meeting', () => {
    expect(built(['a', 0], ['b', 1]).valueKey()).toBe(built(['b', 1], ['a', 0]).valueKey());
    expect(built(['a', 0], ['b', 1]).valueKey()).not.toBe(built(['a', 1], ['b', 0]).valueKey());
  });
});

describe('SampleBasedMarginal', () => {
  const samples = [2, 1, 2, 5].map((value, i) => ({ value, score: -i }));

  it('keeps the samples in order and counts them', () => {
    const marginal = new SampleBasedMarginal(samples, { logZ: -3, diagnostics: { acceptance: 0.5 } });
    expect(marginal.samples).toBe(samples);
    expect(marginal.support()).toEqual([2, 1, 5]);
    expect(marginal.score(2)).toBeCloseTo(Math.log(0.5), 14);
    expect(marginal.score(7)).toBe(-Infinity);
    expect(marginal.mean()).toBeCloseTo(2.5, 14);
    expect(marginal.normalizationConstant).toBe(-3);
    expect(marginal.diagnostics).toEqual({ acceptance: 0.5 });
    expect(marginal.meta.name).toBe('SampleBasedMarginal');
    expect(marginal.MAP().val).toBe(2);
  });

  it('takes log-weights', () => {
    const weights = [0.1, 0.2, 0.3, 0.4].map((w) => Math.log(w) - 2000);
    const marginal = new SampleBasedMarginal(samples, { weights });
    expect(Math.exp(marginal.score(2))).toBeCloseTo(0.4, 12);
    expect(Math.exp(marginal.score(5))).toBeCloseTo(0.4, 12);
    const random = RandomStream.fromSeed(1);
    const n = 20_000;
    let twos = 0;
    for (let i = 0; i < n; i++) if (marginal.draw(random.begin()) === 2) twos++;
    expect(Math.abs(twos - 0.4 * n)).toBeLessThan(5 * Math.sqrt(n * 0.4 * 0.6));
  });

  it('refuses to be empty', () => {
    expect(() => new SampleBasedMarginal([])).toThrow('needs at least one sample');
    expect(() => new SampleBasedMarginal(samples, { weights: [0] })).toThrow('4 samples, 1 weights');
    const impossible = new SampleBasedMarginal(samples, { weights: samples.map(() => -Infinity) });
    expect(() => impossible.support()).toThrow('All samples have weight zero');
    expect(() => impossible.draw(RandomStream.fromSeed(1))).toThrow('All samples have weight zero');
  });
});

it('the most probable of samples that are all different is none, and that is said', async () => {
  const said = async (n: number): Promise<string> => {
    const warnings: string[] = [];
    await run(`MAP(Infer({method: 'rejection', samples: 50, model: function() { return randomInteger(${n}); }}))`, {
      seed: 1,
      warn: (message) => warnings.push(message),
    });
    return warnings.join('\n');
  };
  expect(await said(1e9)).toContain('MAP: no two of the 50 samples are the same');
  expect(await said(4)).toBe('');
});
