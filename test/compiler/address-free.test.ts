import { describe, expect, test } from 'vitest';
import { compile } from '../../src/compiler/compile.ts';

/** The number of calls that are given an address. */
function addressed(code: string): number {
  const library = new Map([
    ...['flip', '_'].map((name) => [name, {}] as const),
    ...['Gaussian', 'sum', 'T'].map((name) => [name, { pure: true }] as const),
    ['map', { calls: 0 }],
    ['repeat', { calls: 1 }],
  ]);
  const { code: emitted } = compile(code, {
    file: 'model.wppl',
    language: 'wppl',
    library,
  });
  return emitted.split('$m.address = $a').length - 1;
}

describe('calls that need no address', () => {
  test.each([
    'Gaussian({mu: 0, sigma: 1})',
    'Math.log(3) + Math.max(1, 2)',
    'parseInt("3") + Number("4")',
    'JSON.stringify({a: 1})',
    'Object.keys({a: 1})',
    'console.log("x")',
    'new Map()',
    'T.add(1, 2)',
    '[1].concat([2]).join(",").split(",")',
    'var fib = function(n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }; fib(5)',
    'function even(n) { return n === 0 || odd(n - 1); } function odd(n) { return n !== 0 && even(n - 1); } even(4)',
    'var f = function(xs) { for (var i = 0; i < xs.length; i++) { g(xs[i]); } }; var g = x => Math.exp(x); f([1])',
    '(function(x) { return x + 1; })(2)',
    'var t = s => s[0]; t`a`',
    'var P = function(x) { return {x: x}; }; new P(1)',
    'var outer = () => { var inner = x => sum([x]); return inner(1); }; outer()',
    'map(x => x + 1, [1])',
    'var f = x => x; var g = xs => sum(map(f, xs)); g([1])',
    'repeat(3, function() { return Gaussian({mu: 0, sigma: 1}); })',
  ])('%s', (code) => {
    expect(addressed(code)).toBe(0);
  });
});

describe('calls that may make a choice have one', () => {
  test.each([
    ['flip(0.5)', 1],
    ['var f = function() { return flip(0.5); }; f()', 2],
    ['var even = n => n === 0 || odd(n - 1); var odd = n => flip() && even(n - 1); even(4)', 4],
    ['var apply2 = function(f, x) { return f(x); }; apply2(Math.exp, 1)', 2],
    ['var f = x => x; f = flip; f(1)', 1],
    ['var f = x => x; var f = flip; f(1)', 1],
    ['var o = {f: x => x}; o.f(1)', 1],
    ['var f = function(sum) { return sum(1); }; f(flip)', 2],
    ['var f = function(Math) { return Math.log(1); }; f({log: flip})', 2],
    ['[1].map(flip)', 1],
    ['JSON.stringify([1], (k, v) => v)', 1],
    ['var f = flip; f(1)', 1],
    ['var f = xs => xs.map(x => x + 1); f([1])', 2],
    ['[1].forEach(x => T.add(x, 1)); T.map([1], flip)', 2],
    ['var g = T => T.add(1); g({add: flip})', 2],
    ['map(flip, [1])', 1],
    ['map(x => flip(x), [1])', 2],
    ['map(x => x, map(flip, [1]))', 1],
    ['sum(map(x => x, [flip()]))', 1],
    ['var g = (f, xs) => map(f, xs); g(x => x, [1])', 2],
    ['var map = (f, x) => f(x); map(x => x, 1)', 2],
    ['repeat(x => x, flip)', 1],
    ['map(...[x => x], [1])', 1],
  ])('%s', (code, count) => {
    expect(addressed(code)).toBe(count);
  });
});

test('callbacks are wrapped only if they may make a choice', () => {
  const emitted = (code: string): string =>
    compile(code, {
      file: 'm.wppl',
      language: 'wppl',
      library: new Map([
        ['flip', {}],
        ['_', {}],
      ]),
    }).code;
  expect(emitted('[1].map(x => x + 1)')).not.toContain('$.each');
  expect(emitted('var f = x => x + 1; _.map([1], f)')).not.toContain('$.each');
  expect(emitted('[1].map(x => flip(x))')).toContain('$.each');
  expect(emitted('var f = flip; [1].map(f)')).toContain('$.each');
  expect(emitted('_.isEqual(flip, flip)')).not.toContain('$.each');
});
