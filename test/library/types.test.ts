import { expectTypeOf, test } from 'vitest';
import { Bernoulli, Gaussian } from '../../src/distributions/index.ts';
import type { Posterior } from '../../src/inference/algorithm.ts';
import * as lib from '../../src/library/index.ts';

test('types are behaviour too', () => {
  expectTypeOf(lib.map((x: number) => `${x}`, [1])).toEqualTypeOf<string[]>();
  expectTypeOf(lib.map((x) => x.length, ['a'])).toEqualTypeOf<number[]>();
  expectTypeOf(lib.map((x: number) => x, lib.Vector([1]))).toEqualTypeOf<number[]>();
  expectTypeOf(lib.mapData({ data: [{ a: 1 }] }, (datum, index) => datum.a + index)).toEqualTypeOf<number[]>();
  expectTypeOf(lib.filter((x) => x > 1, [1])).toEqualTypeOf<number[]>();
  expectTypeOf(lib.repeat(2, () => true)).toEqualTypeOf<boolean[]>();
  expectTypeOf(lib.reduce((x: string, n: number) => n + x.length, 0, ['a'])).toEqualTypeOf<number>();
  expectTypeOf(lib.mem((name: string, n: number) => name.length > n)).toEqualTypeOf<
    (name: string, n: number) => boolean
  >();
  expectTypeOf(lib.cache((name: string) => name.length)).toExtend<(name: string) => number>();
  expectTypeOf(lib.zip([1], ['a'])).toEqualTypeOf<[number, string][]>();
  expectTypeOf(lib.guide(() => 'a')).toEqualTypeOf<() => string>();
  expectTypeOf(lib.guide((y: number) => ({ y }))).toEqualTypeOf<() => { y: number }>();
  expectTypeOf(lib.uniformDraw(['a', 'b'])).toEqualTypeOf<string>();
  expectTypeOf(lib.expectation(Bernoulli({ p: 0.5 }))).toEqualTypeOf<number>();
  expectTypeOf(lib.expectation(Gaussian({ mu: 0, sigma: 1 }))).toEqualTypeOf<number>();
  expectTypeOf(lib.sigmoid(0)).toEqualTypeOf<number>();
  expectTypeOf(lib.sigmoid(lib.Vector([0]))).toEqualTypeOf<lib.Tensor>();
  expectTypeOf(lib.extend({ a: 1, b: 2 }, { b: 'x' })).toExtend<{ a: number; b: string }>();
  expectTypeOf<ReturnType<typeof lib.loadData>>().toEqualTypeOf<unknown>();

  type Pair = { a: boolean; b: number };
  const marginal = (dist: Posterior<Pair>) => lib.marginalize(dist, 'b');
  expectTypeOf(marginal).returns.toEqualTypeOf<Posterior<number>>();

  // @ts-expect-error The function comes first.
  const wrongOrder = () => lib.map([1], (x: number) => x);
  // @ts-expect-error There is no such field.
  const wrongField = (dist: Posterior<Pair>) => lib.marginalize(dist, 'c');
  // @ts-expect-error Items must fit the function.
  const wrongItem = () => lib.map((x: string) => x, [1]);
  expectTypeOf([wrongOrder, wrongField, wrongItem]).toBeArray();
});
