import { describe, expect, test } from 'vitest';
import { run } from '../../src/program/run.ts';

const evaluate = async (code: string): Promise<unknown> => (await run(code, { seed: 1 })).value;

describe('the last expression is the value', () => {
  test.each<[code: string, value: unknown]>([
    ['', undefined],
    [';', undefined],
    ['var x = 1;', undefined],
    ['456', 456],
    ["'foobar'", 'foobar'],
    ["var f = function() { 'text' }; f()", 'text'],
    ["'use strict'; 5", 5],
    ['3; ; 7;', 7],
    ['7; ;', undefined],
    ['{ 3 } 5', 5],
    ['1; { 3; 4; }', 4],
    ['if (true) { 1 }', 1],
    ['if (false) { 1 }', undefined],
    ['if (false) { 1 } else { 2 }', 2],
    ['if (false) { 1 } else if (true) { 2 }', 2],
    ['if (false) 1; else if (false) 2; else 3;', 3],
    ['if (1 > 2) { 3 } else { if (4 < 5) { 6 } else { 7 } }', 6],
    ['var f = function(x) { x + 1 }; f(1)', 2],
    ['var f = function(x) { if (x > 2) { "big" } else { var y = x; y * 10 } }; [f(3), f(1)]', ['big', 10]],
    ['var f = function(x) { if (x > 2) { return 1 } }; [f(5), f(0)]', [1, undefined]],
    ['var f = function() { if (false) { "bad"; }; }; f()', undefined],
    ['var f = function() { if (true) { "bad"; }; return "good"; }; f()', 'good'],
    ['var f = function() { if (true) { return 3 } return 4 }; f()', 3],
    ['var f = function() { return 1; return 2; }; f()', 1],
    ['var f = function() { var g = function() { 3 } }; f()', undefined],
    ['var f = x => { x * 2 }; f(4)', 8],
    ['({f() { 5 }}).f()', 5],
    ['var f = function() { for (var i = 0; i < 3; i++) { i } }; f()', undefined],
    ['var f = function() { var x = 1; x = 2 }; f()', 2],
    ['[1, 2].map(function(x) { x + 1 })', [2, 3]],
  ])('%s', async (code, value) => {
    expect(await evaluate(code)).toEqual(value);
  });
});

describe('names of the library', () => {
  test('are in scope, and can be passed to other functions', async () => {
    expect(await evaluate('map(Math.exp, [0])')).toEqual([1]);
    expect(await evaluate('var f = sum; f([1, 2])')).toBe(3);
  });

  test('may be redefined with the old value at hand', async () => {
    expect(await evaluate('var sum = constF(sum); sum()([1, 2])')).toBe(3);
    expect(await evaluate('var old = sum; var sum = function(xs) { return -old(xs); }; sum([1, 2])')).toBe(-3);
    expect(await evaluate('var f = function() { var sum = sum([1, 2]); return sum; }; f() + sum([1])')).toBe(4);
  });

  test('do not change inside the library when a program redefines them', async () => {
    expect(await evaluate('var reduce = function() { return 99; }; sum([1, 2])')).toBe(3);
    expect(await evaluate('function map() { return 1; } mapIndexed(function(i, x) { return x; }, [4])')).toEqual([4]);
  });

  test('may be shadowed by parameters and local variables', async () => {
    expect(await evaluate('var f = function(map, sum) { return map + sum; }; f(1, 2)')).toBe(3);
    expect(await evaluate('var f = function() { let sum = 4; return sum; }; f() + sum([1])')).toBe(5);
  });
});

describe('a variable that shadows an outer one', () => {
  test('can be computed from it', async () => {
    expect(await evaluate('var xs = [1, 2]; var f = function() { var xs = xs.concat([3]); xs }; [f(), xs]')).toEqual([
      [1, 2, 3],
      [1, 2],
    ]);
    expect(await evaluate('var f = function(n) { var n = n + 1; n }; f(1)')).toBe(2);
    expect(await evaluate('var n = 5; var f = function() { var m = n; var n = m + 1; [m, n] }; f()')).toEqual([5, 6]);
  });

  test('starts empty if it is declared without a value', async () => {
    expect(await evaluate('var x = 1; var f = function() { var x; return x; }; f()')).toBeUndefined();
  });

  test('does not disturb recursion', async () => {
    expect(
      await evaluate('var f = 1; var g = function() { var f = function(n) { n ? f(n - 1) : 7 }; f(3) }; g()'),
    ).toBe(7);
  });
});

describe('a variable of a branch', () => {
  test.each<[code: string, value: unknown]>([
    ['var x = 1; var f = function() { if (true) { var x = 2; } return x; }; f()', 1],
    [
      'var f = function(x) { if (x > 0) { var x = x + 10; globalStore.seen = x; } return [x, globalStore.seen]; }; f(1)',
      [1, 11],
    ],
    [
      'var f = function(x) { if (x > 0) { var x = idF(x) + 1; var x = x * 2; return x; } else { return x; } }; [f(1), f(-1)]',
      [4, -1],
    ],
    ['var f = function(xs) { if (xs) { var g = function() { return xs; }; var xs = [1]; return g(); } }; f(true)', [1]],
    ['var x = 1; var f = function() { { var x = 5; } return x; }; f()', 5],
    ['if (true) { var sum = 3; } sum([1, 2])', 3],
    ['var f = function(c) { if (c) { var y = 1; } else { var y = 2; } return y; }; [f(true), f(false)]', [1, 2]],
    ['var f = function(c) { if (c) { var y = 1; if (c) { var y = 2; } return y; } }; f(true)', 1],
    ['var f = function() { var t = 0; for (var i = 0; i < 3; i++) { if (i) { var t = t + i; } } return t; }; f()', 3],
    ['if (true) { var a = 1; var b = a + 1; } [a, b]', [1, 2]],
  ])('%s', async (code, value) => {
    expect(await evaluate(code)).toEqual(value);
  });
});

test('let and const, too, are computed from what they hide', async () => {
  expect(await evaluate('const sum = constF(sum); sum()([1, 2])')).toBe(3);
  expect(
    await evaluate('let xs = [1]; var f = function() { const xs = xs.concat([2]); return xs; }; [f(), xs]'),
  ).toEqual([[1, 2], [1]]);
  await expect(evaluate('let z = z + 1; z')).rejects.toThrow("Cannot access 'z' before initialization");
});

describe('globalStore', () => {
  test('is assigned field by field', async () => {
    expect(
      await evaluate(
        `globalStore.n = 1; globalStore['k' + 1] = 5; globalStore.n += 2; globalStore.n++; globalStore.n *= 10;
         var f = function() { globalStore.n = globalStore.n - 1; }; f(); [globalStore.n, globalStore.k1, globalStore.none]`,
      ),
    ).toEqual([39, 5, undefined]);
  });

  test('can be handed on', async () => {
    expect(
      await evaluate('globalStore.a = 1; var s = globalStore; var o = {globalStore}; [s.a, o.globalStore.a]'),
    ).toEqual([1, 1]);
  });

  test('starts empty in every run', async () => {
    await evaluate('globalStore.a = 1');
    expect(await evaluate('globalStore.a')).toBeUndefined();
  });

  test('is an ordinary name where the program declares it', async () => {
    expect(await evaluate('var f = function(globalStore) { globalStore = 2; return globalStore; }; f(1)')).toBe(2);
  });
});

describe('sloppy script forms', () => {
  test.each<[string, unknown]>([
    ['[010, "\\101"]', [8, 'A']],
    ['var f = function(_, _, x) { return [_, x]; }; f(1, 2, 3)', [2, 3]],
    [
      'var package = 1; var interface = 2; var f = function(let, static) { return let + static; }; f(package, interface)',
      3,
    ],
    ['var yield = 4; ({yield}).yield', 4],
    ['if (true) function f() { return 1; } 2', 2],
    ['var undefinedField = {}.x; undefinedField', undefined],
  ])('%s', async (code, value) => {
    expect(await evaluate(code)).toEqual(value);
  });

  test('arguments is a real array', async () => {
    expect(await evaluate('var f = function() { return arguments; }; Array.isArray(f(1, 2))')).toBe(true);
    expect(
      await evaluate(
        'var foo = function(x, y) { return x + y }; var bar = function() { return apply(foo, arguments); }; bar(3, 4)',
      ),
    ).toBe(7);
  });
});

describe('conveniences', () => {
  test('lodash, assert, argv, require', async () => {
    expect(await evaluate('_.range(3)')).toEqual([0, 1, 2]);
    expect(await evaluate('assert(true); assert.equal(1, 1); "ok"')).toBe('ok');
    expect(await evaluate("require('node:path').basename('/a/b.c')")).toBe('b.c');
    expect(await evaluate('_top === globalThis')).toBe(true);
    const { value } = await run('argv', {
      args: ['--n', '3', 'data.csv', '--fast', '--name=x', '--no-plot', '-k', '-1'],
    });
    expect(value).toEqual({ _: ['data.csv'], n: 3, fast: true, name: 'x', plot: false, k: -1 });
  });

  test('a parameter called _ is a parameter', async () => {
    expect(await evaluate('[5].map(function(_) { return _ + 1; })')).toEqual([6]);
  });
});
