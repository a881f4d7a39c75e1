import { beforeEach, describe, expect, test, vi } from 'vitest';
import {
  filter,
  forEach,
  map,
  map2,
  mapData,
  mapIndexed,
  mapN,
  mapObject,
  mapPairs,
  repeat,
  Vector,
} from '../../src/library/index.ts';
import { draw, recordedRun } from './run.ts';

beforeEach(() => {
  recordedRun();
});

const wrong = (call: unknown): string => {
  try {
    (call as () => unknown)();
  } catch (error) {
    return (error as Error).message;
  }
  return 'no error';
};

describe('map', () => {
  test('gives the function each item, and only that', () => {
    const fn = vi.fn((x: number) => x + 1);
    expect(map(fn, [1, 2, 3])).toEqual([2, 3, 4]);
    expect(fn.mock.calls).toEqual([[1], [2], [3]]);
    expect(map(fn, [])).toEqual([]);
  });

  test('takes typed arrays, vectors and host functions', () => {
    expect(map(Math.sqrt, new Float64Array([4, 9]))).toEqual([2, 3]);
    expect(map((x: number) => x * 2, Vector([1, 2]))).toEqual([2, 4]);
    expect(map((c: string) => c.toUpperCase(), 'ab')).toEqual(['A', 'B']);
  });

  test('says what is wrong', () => {
    expect(wrong(() => map([1] as never, ((x: number) => x) as never))).toBe(
      'map takes the function first: map(fn, array).',
    );
    expect(wrong(() => map(undefined as never, [1]))).toBe(
      'map needs a function, as in map(fn, array); got undefined in its place.',
    );
    expect(wrong(() => map((x) => x, 3 as never))).toBe('map needs an array, as in map(fn, array); got 3.');
    expect(wrong(() => map((x) => x, undefined as never))).toBe(
      'map needs an array, as in map(fn, array); got undefined.',
    );
  });

  test('200,000 items need no stack', () => {
    expect(
      map(
        (i: number) => i,
        Array.from({ length: 200_000 }, (_, i) => i),
      ).length,
    ).toBe(200_000);
  });
});

describe('its relatives', () => {
  test('map2 takes its length from the first list', () => {
    expect(map2((a: number, b: string) => a + b, [1, 2], ['x', 'y', 'z'])).toEqual(['1x', '2y']);
    expect(wrong(() => map2((a, b) => [a, b], [1, 2], [3]))).toBe(
      'map2 needs a second array at least as long as the first; got lengths 2 and 1.',
    );
    expect(wrong(() => map2([1] as never, [2], (() => 0) as never))).toBe(
      'map2 takes the function first: map2(fn, array1, array2).',
    );
  });

  test('mapN goes over 0 … n − 1', () => {
    expect(mapN((i) => i * i, 4)).toEqual([0, 1, 4, 9]);
    expect(mapN((i) => i, 0)).toEqual([]);
    expect(wrong(() => mapN(3 as never, ((i: number) => i) as never))).toBe(
      'mapN takes the function first: mapN(fn, n).',
    );
    expect(wrong(() => mapN((i) => i, 1.5))).toBe(
      'mapN needs a whole number of at least 0 as n, as in mapN(fn, n); got 1.5.',
    );
  });

  test('mapIndexed gives the index first', () => {
    expect(mapIndexed((i, x: string) => `${i}${x}`, ['a', 'b'])).toEqual(['0a', '1b']);
  });

  test('mapObject keeps the keys', () => {
    expect(mapObject((key, value: number) => `${key}${value}`, { a: 1, b: 2 })).toEqual({ a: 'a1', b: 'b2' });
    expect(mapObject(() => 0, {})).toEqual({});
    expect(wrong(() => mapObject(() => 0, [1] as never))).toBe(
      'mapObject needs an object, as in mapObject(fn, object); got an array of length 1.',
    );
  });

  test('mapPairs looks at neighbours', () => {
    expect(mapPairs((a: number, b: number) => b - a, [1, 4, 9])).toEqual([3, 5]);
    expect(mapPairs((a: number, b: number) => b - a, [1])).toEqual([]);
  });

  test('filter keeps what the predicate holds for', () => {
    expect(filter((x: number) => x > 1, [3, 1, 2])).toEqual([3, 2]);
    expect(filter(() => true, [])).toEqual([]);
  });

  test('repeat calls n times', () => {
    expect(repeat(3, () => 7)).toEqual([7, 7, 7]);
    expect(repeat(0, () => 7)).toEqual([]);
    expect(wrong(() => repeat(-1, () => 7))).toBe(
      'repeat needs a whole number of at least 0 as n, as in repeat(n, fn); got -1.',
    );
    expect(wrong(() => repeat((() => 7) as never, 3 as never))).toBe(
      'repeat needs a whole number of at least 0 as n, as in repeat(n, fn); got a function.',
    );
    expect(wrong(() => repeat(3, 7 as never))).toBe(
      'repeat needs a function, as in repeat(n, fn); got 7 in its place.',
    );
  });

  test('forEach takes the list first or the function first, and gives item and index', () => {
    const seen: unknown[] = [];
    forEach([5, 6], (item, index) => seen.push([item, index]));
    forEach((item: number, index) => seen.push([item, index]), Vector([7]));
    expect(seen).toEqual([
      [5, 0],
      [6, 1],
      [7, 0],
    ]);
    expect(forEach([], () => 1)).toBeUndefined();
    expect(wrong(() => forEach([1] as never, [2] as never))).toContain(
      'forEach needs a function, as in forEach(array, fn)',
    );
  });

  test('mapData gives datum and index', () => {
    expect(mapData({ data: ['a', 'b'] }, (datum, index) => `${datum}${index}`)).toEqual(['a0', 'b1']);
    expect(mapData({ data: [1, 2, 3], batchSize: 2 }, (x) => x)).toEqual([1, 2, 3]);
    expect(mapData({ data: [] }, (x) => x)).toEqual([]);
  });

  test('mapData says what is wrong', () => {
    expect(wrong(() => mapData([1] as never, (x) => x))).toBe(
      'mapData takes its data in an object, as in mapData({data}, fn); got an array. Write mapData({data: array}, fn).',
    );
    expect(wrong(() => mapData({ data: 3 as never }, (x) => x))).toBe(
      'mapData needs an array, as in mapData({data}, fn); got 3.',
    );
    expect(wrong(() => mapData({ data: [1], batchsize: 1 } as never, (x) => x))).toBe(
      "mapData has no option 'batchsize'; it takes data, batchSize, dreamBatchSize. Did you mean 'batchSize'?",
    );
    expect(wrong(() => mapData({ data: [1], batchSize: 2 }, (x) => x))).toBe(
      'mapData: batchSize must be a whole number from 1 to the number of items, 1; got 2.',
    );
    expect(wrong(() => mapData({ data: [1] }, undefined as never))).toBe(
      'mapData needs a function, as in mapData({data}, fn); got undefined in its place.',
    );
  });
});

test('every mapping function gives each iteration its own stream', () => {
  const items = [0, 1, 2];
  const calls: ((draws: (i: number) => void) => unknown)[] = [
    (f) => map(f, items),
    (f) => map2(f, items, items),
    (f) => mapN(f, 3),
    (f) => mapIndexed(f, items),
    (f) => mapObject((key) => f(Number(key)), { 0: 0, 1: 0, 2: 0 }),
    (f) => mapPairs(f, [0, 1, 2, 3]),
    (f) => filter((i) => f(i) === undefined, items),
    (f) => forEach(items, f),
    (f) => mapData({ data: items }, f),
  ];
  for (const call of calls) {
    const last = (extra: number) => {
      recordedRun(3);
      let result = 0;
      call((i) => {
        for (let k = 0; k <= (i < 2 ? extra : 0); k++) result = draw();
      });
      return result;
    };
    expect(last(0)).toBe(last(5));
  }
  const counter = (extra: number) => {
    recordedRun(3);
    let i = 0;
    return repeat(3, () => {
      const more = i++ < 2 ? extra : 0;
      for (let k = 0; k < more; k++) draw();
      return more === 0 ? draw() : 0;
    })[2];
  };
  expect(counter(0)).toBe(counter(4));
});
