import { beforeEach, describe, expect, test } from 'vitest';
import { Gaussian } from '../../src/distributions/gaussian.ts';
import { Infer } from '../../src/inference/index.ts';
import { dists, util, Vector } from '../../src/scope.ts';
import { type RecordedRun, recordedRun } from './run.ts';

let run: RecordedRun;
beforeEach(() => {
  run = recordedRun(3);
});

describe('util', () => {
  test('random numbers come from the run’s seed, or from one that the program sets', () => {
    const first = util.random();
    expect(first > 0 && first < 1).toBe(true);
    recordedRun(3);
    expect(util.random()).toBe(first);
    util.seedRNG(17);
    const drawn = [util.random(), util.random()];
    util.seedRNG(17);
    expect([util.random(), util.random()]).toEqual(drawn);
    recordedRun(17);
    expect(util.random()).toBe(drawn[0]);
    recordedRun(3);
    util.seedRNG(5);
    util.resetRNG();
    expect(util.random()).toBe(first);
    expect(() => util.seedRNG('x' as never)).toThrow(
      'util.seedRNG needs a finite number as the seed, got the string "x".',
    );
    expect(() => Infer({ method: 'forward', samples: 1, model: () => util.seedRNG(1) })).toThrow(
      'util.seedRNG can be called at the top level of a program, not in a model.',
    );
  });

  test('JSON with infinity', () => {
    expect(util.serialize({ a: Infinity, b: [-Infinity] })).toBe('{"a":"Infinity","b":["-Infinity"]}');
    expect(util.deserialize('{"a":"Infinity","b":["-Infinity"]}')).toEqual({ a: Infinity, b: [-Infinity] });
    util.prettyJSON({ a: [1] });
    expect(run.texts).toEqual(['{\n  "a": [\n    1\n  ]\n}']);
  });

  test('what things are', () => {
    expect([util.isObject({}), util.isObject([]), util.isObject(null), util.isObject(new Date())]).toEqual([
      true,
      false,
      false,
      false,
    ]);
    expect([util.isInteger(3), util.isInteger(3.5)]).toEqual([true, false]);
    expect([
      util.isTensor(Vector([1])),
      util.isVector(Vector([1])),
      util.isMatrix(Vector([1])),
      util.isTensor([1]),
    ]).toEqual([true, true, true, false]);
    expect(util.tensorEqDims(Vector([1]), Vector([2]))).toBe(true);
    expect(util.tensorEqDim0(Vector([1]), Vector([2, 3]))).toBe(false);
  });

  test('the rest', () => {
    expect(util.mergeDefaults({ a: 1 }, { a: 2, b: 3 })).toEqual({ a: 1, b: 3 });
    expect([util.asArray(3), util.asArray([3]), util.asArray(undefined)]).toEqual([[3], [3], []]);
    expect([util.gensym('x'), util.gensym('x')]).toEqual(['x0', 'x1']);
    expect(util.makeGensym()('y')).toBe('y0');
    util.warn('careful');
    expect(run.warnings).toEqual(['careful']);
    expect(() => util.error('stop')).toThrow('stop');
    expect(() => util.jsthrow(new TypeError('thrown'))).toThrow(TypeError);
    expect([util.sum([1, 2]), util.logsumexp([0])]).toEqual([3, 0]);
    expect(util.oneHot(0, 2)).toEqual(Vector([1, 0]));
  });

  test('histograms', () => {
    const hist = { 1: 0.5, 3: 0.5 };
    expect([util.histExpectation(hist), util.histStd(hist)]).toEqual([2, 1]);
    expect(util.histExpectation({ x: { val: { n: 2 }, prob: 0.5 } }, (value) => (value as { n: number }).n)).toBe(1);
    expect(util.histsApproximatelyEqual(hist, { 1: 0.51, 3: 0.49 }, 0.05)).toBe(true);
    expect(util.histsApproximatelyEqual(hist, { 1: 0.6, 3: 0.4 }, 0.05)).toBe(false);
    expect(util.histsApproximatelyEqual({ ...hist, 4: 0 }, hist, 0.05, true)).toBe(false);
    expect(util.histsApproximatelyEqual(undefined, hist, 1)).toBe(false);
  });
});

describe('dists', () => {
  test('holds constructors and tells distributions from other things', () => {
    const dist = dists.Gaussian({ mu: 1, sigma: 2 });
    expect([dists.isDist(dist), dists.isDist({})]).toEqual([true, false]);
    expect(dists.clone(dist).params).toEqual({ mu: 1, sigma: 2 });
    expect((dists as unknown as { makeGaussian: typeof Gaussian }).makeGaussian({ mu: 0, sigma: 1 }).score(0)).toBe(
      Gaussian({ mu: 0, sigma: 1 }).score(0),
    );
    expect(dists.metadata).toContainEqual({ name: 'Gaussian', params: [{ name: 'mu' }, { name: 'sigma' }] });
    const text = dists.serialize(dists.Bernoulli({ p: 0.25 }));
    expect(Math.exp(dists.deserialize(text).score(true))).toBeCloseTo(0.25, 12);
  });
});
