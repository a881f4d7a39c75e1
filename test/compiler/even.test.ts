import { describe, expect, test } from 'vitest';
import { compile } from '../../src/compiler/compile.ts';
import * as library from '../../src/index.ts';
import { libraryRows, namesKnown } from '../../src/library/rows.ts';

const NAMES = [
  'Infer',
  'gaussian',
  'flip',
  'poisson',
  'map',
  'sum',
  'factor',
  'observe',
  'Gaussian',
  'uniformDraw',
  'mem',
  'nn',
  'T',
  'nneval',
  'affine',
  'Vector',
  'concat',
  'tanh',
  'softplus',
];
const known = namesKnown(library as never, libraryRows);
const LIBRARY = new Map(NAMES.map((name) => [name, known.get(name)!]));

/** Whether executions of the functions of a program are expected to do much the same. */
const evennessOf = (code: string): string =>
  compile(code, { file: 'model.wppl', language: 'wppl', library: LIBRARY }).evenness;

describe('executions that do much the same', () => {
  test.each([
    'var model = function() { return gaussian(0, 1); };',
    'var model = function() { return flip(0.5) ? gaussian(0, 1) : Math.exp(gaussian(1, 1)); };',
    'var f = function(x) { return 2 * x; }; var model = function() { return sum(map(f, [gaussian(0, 1)])); };',
    'var model = function() { for (var i = 0; i < 9; i++) { observe(Gaussian({mu: 0, sigma: 1}), i); } return [1].map(function(x) { return x; }); };',
    // Networks do the same for all.
    'var net = nn.mlp(2, [{nOut: 2}], "net"); var model = function() { return softplus(T.get(nneval(net, Vector([gaussian(0, 1), 1])), 0)); };',
    'var f = affine("f", {in: 2, out: 1}); var model = function() { return T.sumreduce(f(tanh(concat([Vector([gaussian(0, 1)]), Vector([1])])))); };',
    // Over a list of data, and down from a number.
    'var data = [1, 2]; var step = function(i, x) { if (i === data.length) { return x; } var y = gaussian(x, 1); observe(Gaussian({mu: y, sigma: 1}), data[i]); return step(i + 1, y); }; var model = function() { return step(0, gaussian(0, 1)); };',
    'var go = function(xs, x) { return xs.length == 0 ? x : go(xs.slice(1), x > 0 ? gaussian(x, 1) : gaussian(0, xs[0])); }; var model = function() { return go([1, 2], 0); };',
    'function walk(x, n) { return n > 0 && gaussian(x, 1) + walk(x, n - 1); } var model = function() { return walk(gaussian(0, 1), 9); };',
    // What is done once, at top level, does not matter.
    'var xs = [3, 1].sort(); while (xs.length > 1) { xs.pop(); } var model = function() { return gaussian(xs[0], 1); };',
  ])('%s', (code) => expect(evennessOf(code)).toBe('even'));
});

describe('executions that may do different things', () => {
  test.each([
    'var model = function() { return poisson(3); };',
    'var model = function() { var n = 0; while (flip(0.5)) { n++; } return n; };',
    'var model = function() { return [gaussian(0, 1), 2].sort(); };',
    'var model = function() { return new Map(); };',
    'var model = function() { for (var i = 0; i < 9; i++) { if (flip(0.5)) { return i; } } return 9; };',
    'var model = function() { return uniformDraw(["a", "b"]); };',
    'var f = mem(function(x) { return flip(0.5); }); var model = function() { return mem(f); };',
    'var fs = [function(x) { return x; }]; var model = function() { return fs[0](1); };',
    'var model = function() { switch (flip(0.5)) { case true: return 1; default: return 2; } };',
  ])('%s', (code) => expect(evennessOf(code)).toBe('uneven'));
});

describe('executions that do as much the same as they call themselves equally often', () => {
  test.each([
    'var count = function(n) { return flip(0.5) ? count(n + 1) : n; }; var model = function() { return count(0); };',
    'function count(n) { return flip(0.5) ? count(n + 1) : n; }',
    // Something else decides, too; the first number differs; calls that are handed on, made in a loop or by another function.
    'var f = function(n, x) { if (x > 3) { return x; } return n == 0 ? x : f(n - 1, gaussian(x, 1)); }; var model = function() { return f(9, 0); };',
    'var f = function(n) { return n <= 0 ? 0 : f(n - 1); }; var model = function() { return f(gaussian(9, 1)); };',
    'var f = function(n) { return n == 0 ? 0 : sum(map(f, [n - 1])); }; var model = function() { return f(2); };',
    'var f = function(n) { return n == 0 ? 0 : sum(map(function(x) { return f(n - 1); }, [1])); }; var model = function() { return f(2); };',
    'var f = function(n) { return n == 0 ? 0 : f(n - gaussian(1, 1)); }; var model = function() { return f(2); };',
    'var f = function(n) { for (var i = 0; i < n; i++) { f(n - 1); } return n; }; var model = function() { return f(2); };',
  ])('%s', (code) => expect(evennessOf(code)).toBe('recursive'));
});
