import { SourceMap as DebuggerMap } from 'node:module';
import { expect, test } from 'vitest';
import { compile } from '../../src/compiler/compile.ts';

const options = {
  file: 'model.wppl',
  language: 'wppl' as const,
  library: new Map([
    ['flip', {}],
    ['map', {}],
  ]),
};

test('the standard map agrees with the look-up, as Node reads it', () => {
  const source = `var f = function(x) {
  // a comment that is not emitted
  return flip(x * 2)
    ? map(f, [x, "é"])
    : x.y.z(1);
};
f(3)`;
  const { code, map } = compile(source, options);
  const standard = map.standard();
  expect(standard).toMatchObject({ version: 3, sources: ['model.wppl'], sourcesContent: [source] });
  const debuggerMap = new DebuggerMap(standard as never);
  const lines = code.split('\n');
  let checked = 0;
  for (const word of ['flip(', 'map(', '.y', '.z', 'f(', '$mul(']) {
    lines.forEach((line, row) => {
      for (let column = line.indexOf(word); column !== -1; column = line.indexOf(word, column + 1)) {
        const own = map.position(row + 1, column + 1);
        if (own === undefined) continue;
        const entry = debuggerMap.findEntry(row, column) as { originalLine: number; originalColumn: number };
        expect([entry.originalLine + 1, entry.originalColumn + 1]).toEqual([own.line, own.column]);
        checked++;
      }
    });
  }
  expect(checked).toBeGreaterThan(5);
});

test('every marked word of the program is found again at its place', () => {
  const source =
    'var total = function(xs) {\n  var out = [];\n  for (var x of xs) { out.push(flip(x)); }\n  return out;\n};\ntotal([1])';
  const { code, map } = compile(source, options);
  const lines = code.split('\n');
  for (const word of ['flip', 'out.push', 'total = ']) {
    const row = lines.findIndex((line) => line.includes(word) && !line.startsWith('const'));
    const offset = map.offsetOf(row + 1, lines[row].indexOf(word) + 1) as number;
    expect(source.startsWith(word, offset)).toBe(true);
  }
});

test('the prelude stands for nothing in the program', () => {
  const { code, map } = compile('1 + flip(0.5)', options);
  const row = code.split('\n').findIndex((line) => line.includes('function $add'));
  expect(row).toBeGreaterThan(0);
  expect(map.offsetOf(row + 1, 20)).toBeUndefined();
});
