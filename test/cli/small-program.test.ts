import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { looksSmall } from '../../src/cli/small-program.ts';
import { algorithms as methods } from '../../src/inference/methods.ts';
import { libraryRows } from '../../src/library/rows.ts';

test.each([
  ['1 + 1'],
  [
    'var geometric = function(p) { return flip(p) ? 0 : 1 + geometric(p) }\nInfer({model: function() { return geometric(0.5) }})',
  ],
  ["// for (;;)\nvar text = 'while (true) process.exit()';\n/* class */ text"],
  ['var options = {a: 1e-3}; options.for'],
  ["import { Infer, flip } from 'waymark';\nconst model = () => flip();\nexport default Infer(model);"],
])('%s looks small', (text) => {
  expect(looksSmall(text)).toBe(true);
});

test.each([
  ['has a loop', 'while (flip()) {}'],
  ['learns', 'Optimize({model: model, steps: 10})'],
  ['imports a module', "import { f } from './other.js';\nf();"],
  ['imports one for what it does', "import './other.js';"],
  ['loads a module while it runs', "import('fs')"],
  ['sees the process', 'process.exit(3)'],
  ['sees the global object', '_top.leak = 5'],
  ['has large numbers', 'repeat(10000000, flip)'],
  ['has large numbers by their exponents', 'repeat(1e9, flip)'],
  [
    'has many large numbers',
    'repeat(100000, function() { return repeat(100000, function() { return repeat(100000, flip) }) })',
  ],
  ['is nested deeply', '('.repeat(100) + ')'.repeat(100)],
  ['is long', '1;'.repeat(20_000)],
])('a program that %s does not', (_, text) => {
  expect(looksSmall(text)).toBe(false);
});

/** The words of a list in one of the files that look at words alone, before the library is loaded. */
function wordsOf(file: string, list: string): string[] {
  const text = readFileSync(new URL(`../../src/cli/${file}`, import.meta.url), 'utf8');
  const start = text.indexOf(`const ${list} = `);
  const end = start + text.slice(start).search(/\]\)?;/);
  return [...text.slice(start, end).matchAll(/'(\w+)'/g)].map(([, name]) => name);
}

// A name of the library must not be forgotten there when it changes.
test.each([
  ['small-program.ts', 'BEYOND'],
  ['v8/kept-code.ts', 'WORDS'],
])('names in %s are those of the library, of methods and of JavaScript', (file, list) => {
  const names = wordsOf(file, list);
  expect(names.length).toBeGreaterThan(15);
  const ofJavaScript = 'for while do class async await yield import process globalThis eval Function Date'.split(' ');
  // (Kernels are options of a method, and one method is added when it is loaded.)
  const kernels = ['HMC', 'NUTS', 'optimize'];
  const known = new Set([...libraryRows.keys(), ...Object.keys(methods), ...kernels, ...ofJavaScript]);
  expect(names.filter((name) => !known.has(name))).toEqual([]);
});

test('a program that names a function of the library with steps, or with state of its own, does not look small', () => {
  const rows = [...libraryRows].filter(([, { steps, state }]) => steps || state).map(([name]) => name);
  // Inference may be short, and the store is the program's own.
  const left = rows.filter((name) => looksSmall(`${name}(model)`));
  expect(left).toEqual(['Infer', 'globalStore']);
});
