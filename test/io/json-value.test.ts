import { describe, expect, test } from 'vitest';
import { Bernoulli } from '../../src/distributions/bernoulli.ts';
import { Gaussian } from '../../src/distributions/gaussian.ts';
import { Marginal, MarginalBuilder, SampleBasedMarginal } from '../../src/distributions/marginal.ts';
import { toJsonValue } from '../../src/io/json-value.ts';
import { Tensor, vector } from '../../src/tensor/tensor.ts';

/** Through text and back, so that what is tested is what a reader of the file sees. */
function written(value: unknown): unknown {
  return JSON.parse(JSON.stringify(toJsonValue(value)));
}

describe('the JSON form of values', () => {
  test.each([
    [null, null],
    [true, true],
    [1.5, 1.5],
    ['text', 'text'],
    [
      [1, [2, 'x']],
      [1, [2, 'x']],
    ],
    [
      { a: 1, b: { c: null } },
      { a: 1, b: { c: null } },
    ],
    [Number.NaN, { number: 'NaN' }],
    [Infinity, { number: 'Infinity' }],
    [-Infinity, { number: '-Infinity' }],
    [-0, 0],
    [undefined, { undefined: true }],
    [() => 1, { function: true }],
    [12345678901234567890n, { bigint: '12345678901234567890' }],
    [Symbol('s'), { symbol: 's' }],
    [new Date(0), '1970-01-01T00:00:00.000Z'],
    [new Date(Number.NaN), { date: 'invalid' }],
    [new Map([['a', Infinity]]), { map: [['a', { number: 'Infinity' }]] }],
    [new Set([1, undefined]), { set: [1, { undefined: true }] }],
    [new Float32Array([0.5, 1]), [0.5, 1]],
    [/a+/g, '/a+/g'],
    [new RangeError('too far'), { error: 'too far' }],
    [
      { a: undefined, b: [undefined, Number.NaN] },
      { a: { undefined: true }, b: [{ undefined: true }, { number: 'NaN' }] },
    ],
  ])('%o is %o', (value, expected) => {
    expect(written(value)).toEqual(expected);
  });

  test('a hole in an array is undefined', () => {
    const holed: unknown[] = [1];
    holed[2] = 3;
    expect(written(holed)).toEqual([1, { undefined: true }, 3]);
  });

  test('a field called __proto__ is kept', () => {
    const value = JSON.parse('{"__proto__": 3}');
    expect(JSON.stringify(toJsonValue(value))).toBe('{"__proto__":3}');
  });

  test('tensors', () => {
    expect(written(vector([1, Infinity]))).toEqual({ tensor: true, dims: [2, 1], data: [1, { number: 'Infinity' }] });
    expect(written(new Tensor([1, 2], new Float64Array([3, 4])))).toEqual({
      tensor: true,
      dims: [1, 2],
      data: [3, 4],
    });
  });

  test('distributions with finite support', () => {
    const form = written(Bernoulli({ p: 0.25 })) as { probs: number[] };
    expect(form).toEqual({
      dist: 'Bernoulli',
      support: [true, false],
      probs: [expect.any(Number), expect.any(Number)],
    });
    expect(form.probs[0]).toBeCloseTo(0.25, 14);
    expect(form.probs[1]).toBeCloseTo(0.75, 14);
  });

  test('other distributions', () => {
    expect(written(Gaussian({ mu: 0, sigma: 2 }))).toEqual({ dist: 'Gaussian', params: { mu: 0, sigma: 2 } });
  });

  test('results of inference say their evidence and their number of samples where known', () => {
    const builder = new MarginalBuilder<unknown>();
    builder.add({ x: Infinity }, Math.log(0.5));
    expect(written(builder.build())).toEqual({
      dist: 'Marginal',
      support: [{ x: { number: 'Infinity' } }],
      probs: [1],
      logZ: Math.log(0.5),
    });
    expect(written(Marginal.fromScores([{ value: 'a', score: 0 }]))).toMatchObject({ dist: 'Marginal', probs: [1] });
    const sampled = new SampleBasedMarginal([{ value: 1 }, { value: 2 }, { value: 1 }, { value: 1 }], { logZ: -2 });
    expect(written(sampled)).toEqual({
      dist: 'SampleBasedMarginal',
      support: [1, 2],
      probs: [expect.closeTo(0.75, 12), expect.closeTo(0.25, 12)],
      logZ: -2,
      samples: 4,
    });
  });

  test('a distribution within a value', () => {
    expect(written({ answer: [Gaussian({ mu: 1, sigma: 1 })] })).toEqual({
      answer: [{ dist: 'Gaussian', params: { mu: 1, sigma: 1 } }],
    });
  });

  test('the same object twice is no cycle', () => {
    const shared = { a: 1 };
    expect(written([shared, { shared }])).toEqual([{ a: 1 }, { shared: { a: 1 } }]);
  });

  test('a value that contains itself is an error that says where', () => {
    const person: Record<string, unknown> = { name: 'a' };
    person.friends = [{ of: person }];
    expect(() => toJsonValue({ people: [person] })).toThrow(
      'value.people[0].friends[0].of is value.people[0] itself, and a value that contains itself has no JSON form. Leave it out.',
    );
    const map = new Map<string, unknown>();
    map.set('self', map);
    expect(() => toJsonValue(map)).toThrow('contains itself');
  });

  test('a deep chain', () => {
    let chain: unknown = null;
    for (let i = 0; i < 1000; i++) chain = { head: i, tail: chain };
    expect(JSON.stringify(toJsonValue(chain))).toMatch(/^\{"head":999,"tail":\{"head":998,/);
  });
});
