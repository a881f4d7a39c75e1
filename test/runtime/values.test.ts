import { describe, expect, test } from 'vitest';
import { sameValue, valueKey } from '../../src/runtime/values.ts';
import { vector } from '../../src/tensor/tensor.ts';

const f = () => 1;
const g = () => 1;

describe('sameValue', () => {
  test.each<[unknown, unknown]>([
    [1, 1],
    [Number.NaN, Number.NaN],
    [
      { a: 1, b: [2, { c: 'x' }] },
      { b: [2, { c: 'x' }], a: 1 },
    ],
    [vector([1, 2]), vector([1, 2])],
    [f, f],
    [{ f }, { f }],
    [undefined, undefined],
    [[undefined], [undefined]],
  ])('%o equals %o', (a, b) => expect(sameValue(a, b)).toBe(true));

  test.each<[unknown, unknown]>([
    [1, '1'],
    [true, 1],
    [null, undefined],
    [[null], [undefined]],
    [Number.NaN, null],
    [Infinity, 'Infinity'],
    [
      [1, 2],
      [2, 1],
    ],
    [{ a: 1 }, { a: 1, b: undefined }],
    [{ a: '1' }, { a: 1 }],
    [f, g],
    [{ f }, { f: g }],
    [vector([1, 2]), vector([1, 3])],
    ['\u0001[1]', [1]],
    [['a,b'], ['a', 'b']],
  ])('%o differs from %o', (a, b) => expect(sameValue(a, b)).toBe(false));

  test('a value that contains itself still has a key', () => {
    const knot: Record<string, unknown> = {};
    knot.self = knot;
    expect(sameValue(knot, knot)).toBe(true);
  });

  test('primitives are their own keys', () => {
    for (const value of [1, 'a', true, undefined, null]) expect(valueKey(value)).toBe(value);
  });
});
