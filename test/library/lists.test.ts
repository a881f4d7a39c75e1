import { beforeEach, describe, expect, test } from 'vitest';
import * as lib from '../../src/scope.ts';
import { recordedRun } from './run.ts';

beforeEach(() => {
  recordedRun();
});

describe('taking lists apart and putting them together', () => {
  test.each<[string, unknown, unknown]>([
    ['append', lib.append([1], [2, 3]), [1, 2, 3]],
    ['append of nothing', lib.append([], []), []],
    ['cons', lib.cons(1, [2]), [1, 2]],
    ['cons to what is no list', lib.cons([1], false), [[1], false]],
    ['append of what is no list', lib.append([1], 2), [1, 2]],
    ['snoc', lib.snoc([1], 2), [1, 2]],
    ['first', lib.first([1, 2]), 1],
    ['first of nothing', lib.first([]), undefined],
    ['second', lib.second([1, 2]), 2],
    ['third', lib.third([1, 2, 3]), 3],
    ['fourth', lib.fourth([1, 2, 3, 4]), 4],
    ['last', lib.last([1, 2]), 2],
    ['secondLast', lib.secondLast([1, 2, 3]), 2],
    ['rest', lib.rest([1, 2, 3]), [2, 3]],
    ['rest of nothing', lib.rest([]), []],
    ['most', lib.most([1, 2, 3]), [1, 2]],
    ['most of one', lib.most([1]), []],
    ['everyOther', lib.everyOther([1, 2, 3, 4, 5]), [1, 3, 5]],
    [
      'zip',
      lib.zip([1, 2], ['a', 'b']),
      [
        [1, 'a'],
        [2, 'b'],
      ],
    ],
    ['remove', lib.remove(1, [1, 2, 1]), [2]],
    ['remove compares loosely', lib.remove<unknown>(0, ['0', 0, 1, '1']), [1, '1']],
    ['remove of null', lib.remove<unknown>(null, [undefined, 0, null, '']), [0, '']],
    ['remove of a text that an array has', lib.remove<unknown>('1', [1, 'a']), ['a']],
    ['remove by structure', lib.remove({ a: [1] }, [{ a: [1] }, { a: [2] }]), [{ a: [2] }]],
    ['flatten', lib.flatten<number>([[1, 2], [3], 4]), [1, 2, 3, 4]],
    ['unique', lib.unique<unknown>([1, '1', 1, [2], [2]]), [1, '1', [2]]],
    ['range(n)', lib.range(3), [0, 1, 2]],
    ['range(a, b)', lib.range(2, 5), [2, 3, 4]],
    ['range(a, b, step)', lib.range(0, 1, 0.25), [0, 0.25, 0.5, 0.75]],
    ['range downwards', lib.range(3, 0, -1), [3, 2, 1]],
    ['range of nothing', lib.range(0), []],
    ['countsToIndices', lib.countsToIndices([2, 0, 1]), [0, 0, 2]],
    ['of a vector', lib.last(lib.Vector([1, 5])), 5],
  ])('%s', (_, actual, expected) => {
    expect(actual).toEqual(expected);
  });

  test('nothing is changed in place', () => {
    const list = Object.freeze([3, 1, 2]);
    expect([lib.rest(list), lib.append(list, [4]), lib.sort(list)]).toEqual([
      [1, 2],
      [3, 1, 2, 4],
      [1, 2, 3],
    ]);
  });

  test('mistakes', () => {
    expect(() => lib.first(5 as never)).toThrow('first needs an array, as in first(array); got 5.');
    expect(() => lib.zip([1, 2], [3])).toThrow('zip needs a second array at least as long as the first');
    expect(() => lib.range(Number.NaN)).toThrow('range needs finite numbers');
    expect(() => lib.range(0, 5, 0)).toThrow('range needs a step other than 0.');
    expect(() => lib.countsToIndices([1.5])).toThrow(
      'countsToIndices needs whole numbers of at least 0; got 1.5 at index 0.',
    );
  });
});

describe('folding', () => {
  test('reduce goes from the right, item first', () => {
    expect(lib.reduce((item: string, soFar) => soFar + item, '', ['a', 'b', 'c'])).toBe('cba');
    expect(lib.reduce((_, soFar) => soFar, 5, [])).toBe(5);
    expect(() => lib.reduce(0 as never, ((x: unknown) => x) as never, (() => 1) as never)).toThrow(
      'reduce takes the function first: reduce(fn, init, array).',
    );
  });

  test('foldl and scan go from the left, result first', () => {
    expect(lib.foldl((soFar, item: string) => soFar + item, '', ['a', 'b', 'c'])).toBe('abc');
    expect(lib.scan((soFar, item: number) => soFar + item, 0, [1, 2, 3])).toEqual([0, 1, 3, 6]);
    expect(lib.scan((soFar: number) => soFar, 0, [])).toEqual([0]);
  });

  test('find, all and any stop when they know', () => {
    const seen: number[] = [];
    const over = (limit: number) => (x: number) => {
      seen.push(x);
      return x > limit;
    };
    expect(lib.find(over(1), [1, 2, 3])).toBe(2);
    expect(lib.find(over(9), [1])).toBeUndefined();
    expect(lib.all(over(1), [2, 1, 3])).toBe(false);
    expect(lib.any(over(1), [1, 2, 3])).toBe(true);
    expect(seen).toEqual([1, 2, 1, 2, 1, 1, 2]);
    expect([lib.all(over(0), []), lib.any(over(0), [])]).toEqual([true, false]);
    expect(() => lib.all([1] as never, over(0) as never)).toThrow(
      'all takes the function first: all(predicate, array).',
    );
  });

  test('100,000 items need no stack', () => {
    expect(lib.reduce((x: number, total: number) => x + total, 0, lib.range(100_000))).toBe(4_999_950_000);
  });
});

describe('sorting', () => {
  test('by size, by predicate, by key', () => {
    expect(lib.sort([3, 1, 2])).toEqual([1, 2, 3]);
    expect(lib.sort([10, 9, 1])).toEqual([1, 9, 10]);
    expect(lib.sort(['b', 'a'])).toEqual(['a', 'b']);
    expect(lib.sort([3, 1, 2], lib.gt)).toEqual([3, 2, 1]);
    expect(lib.sort([-3, 1, 2], lib.lt, Math.abs)).toEqual([1, 2, -3]);
    expect(lib.sort([-3, 1, 2], (a, b) => a > b, Math.abs)).toEqual([-3, 2, 1]);
    expect(lib.sortOn([{ a: 2 }, { a: 1 }], (x) => x.a)).toEqual([{ a: 1 }, { a: 2 }]);
    expect(lib.sortOn([{ a: 1 }, { a: 2 }], (x) => x.a, lib.gt)).toEqual([{ a: 2 }, { a: 1 }]);
    expect(lib.sortOn([2, 1])).toEqual([1, 2]);
    expect(lib.sort([])).toEqual([]);
    expect(lib._sort([2, 1], lib.lt)).toEqual([1, 2]);
    expect(lib._merge([1, 3], [2], lib.lt)).toEqual([1, 2, 3]);
  });

  test('keeps the order of items on a par', () => {
    const items = lib.range(50).map((i) => ({ i, key: (i * 7) % 5 }));
    for (const before of [lib.lt, (a: number, b: number) => a < b]) {
      const order = lib.sortOn(items, (x) => x.key, before).map((x) => x.key * 100 + x.i);
      expect(order).toEqual([...order].sort((a, b) => a - b));
    }
  });

  test('a program’s predicate sorts any list', () => {
    for (let n = 0; n < 40; n++) {
      const list = Array.from({ length: n }, (_, i) => (i * 7919) % 31);
      expect(lib.sort(list, (a, b) => a < b)).toEqual([...list].sort((a, b) => a - b));
    }
  });

  test('best items', () => {
    expect(lib.minWith((x: number) => -x, [1, 5, 2])).toEqual([5, -5]);
    expect(lib.maxWith(() => 0, [1, 5, 2])).toEqual([1, 0]);
    expect(lib.minWith(() => 0, [])).toEqual([Infinity, Infinity]);
    expect(lib.maxWith(() => 0, [])).toEqual([-Infinity, -Infinity]);
    expect(lib.argMax([1, 5, 2])).toBe(1);
    expect(lib.argMax((s: string) => s.length, ['a', 'bb', 'cc'])).toBe(1);
    expect(lib.argMax([])).toBe(-1);
  });

  test('mistakes', () => {
    expect(() => lib.sort(lib.lt as never, [1] as never)).toThrow(
      'sort needs an array, as in sort(array, predicate, key); got the function lt.',
    );
    expect(() => lib.maxWith([1] as never, (() => 1) as never)).toThrow('maxWith takes the function first');
  });
});

describe('grouping', () => {
  test('by equivalence, by predicate, by count', () => {
    expect(lib.groupBy((a: number, b: number) => a % 2 === b % 2, [1, 2, 3, 4])).toEqual([
      [1, 3],
      [2, 4],
    ]);
    expect(lib.groupBy(() => true, [])).toEqual([]);
    expect(lib.span((x: number) => x > 2, [1, 3, 2, 4])).toEqual([
      [3, 4],
      [1, 2],
    ]);
    expect(lib.partition((x: number) => x > 2, [])).toEqual([[], []]);
    expect(lib.countBy((x: number) => x > 2, [1, 3, 2, 4, 5])).toEqual({ false: 2, true: 3 });
    expect(lib.countBy((x: number) => ({ b: x, a: 1 }), [1, 1])).toEqual({ '{"a":1,"b":1}': 2 });
  });
});

describe('functions', () => {
  test('made of functions', () => {
    expect(
      lib.compose(
        (x: number) => x + 1,
        (x: number) => x * 2,
      )(5),
    ).toBe(11);
    expect(lib.stack([(x: number) => x + 1, (x) => x * 2])(5)).toBe(11);
    expect(lib.stack<number>([])(5)).toBe(5);
    expect(lib.apply((a: number, b: number) => a - b, [5, 3])).toBe(2);
    expect(lib.apply((a: number) => 2 * a, 0.5)).toBe(1);
    expect(lib.apply((...all: unknown[]) => all, undefined)).toEqual([undefined]);
    expect(lib.apply((text: string) => text.length, 'abc')).toBe(3);
    expect(lib.incrementalize((a: number) => -a, [5])).toBe(-5);
    expect(lib.applyd((a: number) => -a, [5], 'negation')).toBe(-5);
    expect(() => lib.applyd(() => lib.flip(), [], 'the drift function')).toThrow(
      'the drift function must not call sample',
    );
  });

  test('small ones', () => {
    expect([lib.idF(3), lib.constF(3)(), lib.trueF(), lib.falseF()]).toEqual([3, 3, true, false]);
    expect([lib.isEven(2), lib.isEven(-1), lib.isOdd(-1), lib.isOdd(0)]).toEqual([true, false, true, false]);
    expect([lib.lt(1, 2), lib.gt(1, 2)]).toEqual([true, false]);
  });

  test('extend makes a new object, later fields first', () => {
    const a = Object.freeze({ x: 1, y: 1 });
    expect(lib.extend({ a: 1 }, [])).toEqual({ a: 1 });
    expect(lib.extend({ a: 1 }, ['x'])).toEqual({ a: 1, 0: 'x' });
    expect(lib.extend(a, { y: 2 }, { z: 3 })).toEqual({ x: 1, y: 2, z: 3 });
    expect(lib.mergeObj(a, { y: 5 })).toEqual({ x: 1, y: 5 });
    expect(() => lib.extend(3 as never)).toThrow('extend needs an object, as in extend(object1, object2, …); got 3.');
  });

  test('error stops the program', () => {
    expect(() => lib.error('no luck')).toThrow('no luck');
  });
});

describe('sums', () => {
  test('of numbers and booleans', () => {
    expect([lib.sum([1, 2, 3]), lib.sum([]), lib.sum([true, false, true]), lib.sum(lib.Vector([1, 2]))]).toEqual([
      6, 0, 2, 3,
    ]);
    expect([lib.product([2, 3]), lib.product([])]).toEqual([6, 1]);
    expect(() => lib.sum(['1'] as never)).toThrow('sum needs numbers, got the string "1".');
  });

  test.each([1000, 2000, 20000])('of %d numbers are taken in order', (length) => {
    const numbers = Array.from({ length }, (_, i) => Math.sin(i) * 10 ** (i % 7));
    let total = 0;
    for (const x of numbers) total += x;
    expect([lib.sum(numbers), lib.listMean(numbers)]).toEqual([total, total / length]);
    const mixed = numbers.map((x, i) => (i % 3 === 2 ? x > 0 : x)) as number[];
    expect(lib.sum(mixed)).toBe(mixed.reduce((sum, x) => sum + Number(x), 0));
    expect(() => lib.sum([...numbers, '1'] as never)).toThrow('sum needs numbers, got the string "1".');
    expect(() => lib.sum([...numbers, null] as never)).toThrow('sum needs numbers, got null.');
    expect(() => lib.sum([...numbers, {}] as never)).toThrow('sum needs numbers, got');
    expect(lib.sum([...numbers, Number.NaN])).toBeNaN();
    const sparse = [...numbers];
    delete sparse[7];
    expect(() => lib.listMean(sparse)).toThrow('listMean needs numbers, got undefined.');
  });

  test('logsumexp keeps within the range of numbers', () => {
    expect(lib.logsumexp([-1000, -1000])).toBeCloseTo(-1000 + Math.log(2), 12);
    expect(lib.logsumexp([1000, 999])).toBeCloseTo(1000 + Math.log1p(Math.exp(-1)), 12);
    expect([lib.logsumexp([]), lib.logsumexp([-Infinity]), lib.logsumexp([Infinity, 1])]).toEqual([
      -Infinity,
      -Infinity,
      Infinity,
    ]);
    expect(() => lib.logsumexp([Number.NaN])).toThrow('logsumexp needs numbers, got NaN at index 0.');
  });

  test('normalize keeps the kind', () => {
    expect(lib.normalize([1, 3])).toEqual([0.25, 0.75]);
    expect(lib.normalize(lib.Vector([1, 3]))).toEqual(lib.Vector([0.25, 0.75]));
    expect(() => lib.normalize([0, 0])).toThrow(
      'normalize needs numbers with a finite sum other than 0; an array of length 2 has 0.',
    );
  });

  test('means and variances', () => {
    expect(lib.listMean([1, 2, 3])).toBe(2);
    expect(lib.listVar([1, 2, 3, 4])).toBe(1.25);
    expect(lib.listVar([1, 2], 0)).toBe(2.5);
    expect(lib.listStdev([1, 3])).toBe(1);
    expect(() => lib.listMean([])).toThrow('listMean of an empty list is not defined; give it at least one number.');
    expect(() => lib.listVar([], 1)).toThrow('listVar of an empty list is not defined');
  });
});
