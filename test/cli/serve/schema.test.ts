import { describe, expect, test } from 'vitest';
import { datumLike, schemaOf, WrongForm } from '../../../src/cli/serve/schema.ts';
import { Tensor } from '../../../src/tensor/tensor.ts';

const vector = new Tensor([2, 1], Float64Array.of(1, 2));

describe('data by an example', () => {
  test.each([
    [0, 3, 3],
    [true, false, false],
    ['a', 'b', 'b'],
    [0, null, undefined],
    [[0], [], []],
    [[0], [1, null, 3], [1, undefined, 3]],
    [[], [1, 'a'], [1, 'a']],
    [
      [1, 'a'],
      ['b', 2, [null]],
      ['b', 2, [undefined]],
    ],
    [
      { x: 1, ys: [1] },
      { ys: [2, 3], x: null },
      { x: undefined, ys: [2, 3] },
    ],
    [Float64Array.of(1, 2), [3], [3]],
    [undefined, { any: [null] }, { any: [undefined] }],
  ])('%j takes %j', (example, given, expected) => {
    expect(datumLike(example, given as never)).toEqual(expected);
  });

  test('tensors come as lists', () => {
    const read = datumLike({ x: vector }, { x: [[3], [4]] }) as { x: Tensor };
    expect(read.x).toBeInstanceOf(Tensor);
    expect({ dims: read.x.dims, data: [...read.x.data] }).toEqual({ dims: [2, 1], data: [3, 4] });
    expect(datumLike(vector, [5, 6])).toMatchObject({ dims: [2, 1] });
  });

  test.each([
    [0, 'a', 'data must be a number, got "a".'],
    [true, 1, 'data must be true or false, got 1.'],
    ['a', [1], 'data must be a string, got [1].'],
    [[0], 3, 'data must be a list, got 3.'],
    [[{ x: 0 }], [{ x: 1 }, { x: 'a' }], 'data[1].x must be a number, got "a".'],
    [{ x: 0 }, [1], 'data must be an object with x, got [1].'],
    [{ x: 0 }, { x: 1, y: 2 }, "data has a field 'y', which the model does not know: it has x."],
    [{ x: 0 }, {}, "data has no field 'x'. Give null if it is missing."],
    [vector, [1, 2, 3], 'data must have 2 numbers (dims [2, 1]), got 3.'],
    [vector, [1, 'a'], 'data must be a list of numbers, got "a".'],
    [{ x: 0 }, 'long '.repeat(40), `data must be an object with x, got "${'long '.repeat(12).slice(0, 59)}….`],
  ])('%j refuses %j', (example, given, message) => {
    expect(() => datumLike(example, given as never)).toThrow(WrongForm);
    expect(() => datumLike(example, given as never)).toThrow(message);
  });

  test('a schema says so beforehand', () => {
    expect(schemaOf({ x: 1, ys: [true], v: vector, any: [1, 'a'] })).toEqual({
      type: ['object', 'null'],
      properties: {
        x: { type: ['number', 'null'] },
        ys: { type: ['array', 'null'], items: { type: ['boolean', 'null'] } },
        v: {
          type: 'array',
          minItems: 2,
          maxItems: 2,
          items: { type: 'number' },
          description: 'tensor of dims [2, 1]',
        },
        any: { type: ['array', 'null'], items: {} },
      },
      additionalProperties: false,
    });
    expect(schemaOf(undefined)).toEqual({});
    expect(schemaOf(new Tensor([2, 3], new Float64Array(6)))).toMatchObject({
      items: { type: 'array', minItems: 3, maxItems: 3, items: { type: 'number' } },
    });
  });
});
