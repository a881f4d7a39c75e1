import { expect, test } from 'vitest';
import { looksSmall } from '../../src/cli/small-program.ts';

test.each([
  ['1 + 1'],
  ['var a = flip(0.3), b = flip(a ? 0.8 : 0.1); [a, b]'],
  ['var model = function() { return flip() }\nInfer({model: model})'],
  [
    'var f = function(x) { return Infer({model: function() { return {f: x} }}) };\nvar g = function() { return f(1) };\ng()',
  ],
  ['function f() { return 1; }\nfunction g() { return f(); }\ng()'],
  ["// f = f\nvar text = 'for (;;) text';\ntext"],
  ["import { Infer, flip } from 'waymark';\nconst model = () => flip();\nexport default Infer(model);"],
])('%s looks small', (text) => {
  expect(looksSmall(text)).toBe(true);
});

test.each([
  ['calls itself', 'var f = function(n) { return n == 0 ? 0 : f(n - 1); }; f(3)'],
  ['calls itself without semicolons', 'var f = function(n) { return n == 0 ? 0 : f(n - 1) }\nf(3)'],
  [
    'calls itself through others',
    'var f = function() { return g() }\nvar g = function() { return h() }\nvar h = () => f()',
  ],
  ['is a declaration that calls itself', 'function f(n) { if (n) return f(n - 1); }\nf(3)'],
  ['calls itself in a field', 'var table = {f: function(n) { return n ? table.f(n - 1) : 0; }}; table.f(3)'],
  ['has a loop', 'while (flip()) {}'],
  ['learns', 'Optimize({model: model, steps: 10})'],
  ['imports a module', "import { f } from './other.js';\nf();"],
  ['loads a module while it runs', "import('fs')"],
  ['sees the process', 'process.exit(3)'],
  ['has large numbers', 'repeat(10000000, flip)'],
  [
    'has many large numbers',
    'repeat(100000, function() { return repeat(100000, function() { return repeat(100000, flip) }) })',
  ],
  ['is nested deeply', '('.repeat(100) + ')'.repeat(100)],
  ['has calls in its text', 'var f = function(n) { return `${n ? f(n - 1) : 0}`; }; f(3)'],
])('a program that %s does not', (_, text) => {
  expect(looksSmall(text)).toBe(false);
});
