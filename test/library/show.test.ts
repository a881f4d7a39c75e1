import { beforeEach, describe, expect, test } from 'vitest';
import { Categorical, Gaussian, Marginal, SampleBasedMarginal } from '../../src/distributions/index.ts';
import { display, Matrix, print, range, show, Vector, zeros } from '../../src/library/index.ts';
import { bar, columns, sparkline } from '../../src/library/show/bars.ts';
import { clip, grid, widthOf } from '../../src/library/show/grid.ts';
import { probabilityText, shortNumber } from '../../src/library/show/number.ts';
import { type RecordedRun, recordedRun } from './run.ts';

let run: RecordedRun;
beforeEach(() => {
  run = recordedRun();
});

const lines = (...texts: string[]) => texts.join('\n');

describe('pieces', () => {
  test('numbers', () => {
    expect(
      [0, -0, 3, 1234567, 0.123456, 12.3456, 1234.56, 1.5e9, 0.00001234, Infinity, -Infinity, Number.NaN].map(
        shortNumber,
      ),
    ).toEqual(['0', '0', '3', '1234567', '0.1235', '12.35', '1235', '1.500e+9', '1.234e-5', '∞', '-∞', 'NaN']);
    expect([0, 0.5, 0.00005, 0.000049, 1].map(probabilityText)).toEqual([
      '0.0000',
      '0.5000',
      '0.0001',
      '4.9e-5',
      '1.0000',
    ]);
  });

  test('bars in eighths', () => {
    expect([bar(1, 2), bar(0.5, 2), bar(0.25, 2), bar(1e-9, 2), bar(0, 2)]).toEqual(['██', '█', '▌', '▏', '']);
    expect(columns([0, 1, 2, 4], 2)).toEqual(['   █', ' ▄██']);
    expect(sparkline([1, 8, 0])).toBe('▁█ ');
  });

  test('columns align by what a terminal shows', () => {
    expect([widthOf('abc'), widthOf('é'), widthOf('日本'), widthOf('e\u0301')]).toEqual([3, 1, 4, 1]);
    expect(
      grid(
        [
          ['a', '10'],
          ['日本', '5'],
        ],
        ['left', 'right'],
      ),
    ).toEqual(['a     10', '日本   5']);
    expect(clip('abcdef', 4)).toBe('abc…');
  });
});

describe('values', () => {
  test.each<[unknown, string]>([
    ['text', 'text'],
    [0.1 + 0.2, '0.30000000000000004'],
    [-0, '0'],
    [true, 'true'],
    [undefined, 'undefined'],
    [null, 'null'],
    [[1, 'a', [true]], '[1, "a", [true]]'],
    [{ a: 1, 'b c': 'x' }, '{ a: 1, "b c": "x" }'],
    [{}, '{}'],
    [[], '[]'],
    [function named() {}, '<function named>'],
    [[() => 1], '[<function>]'],
    [new Map([['a', 1]]), 'Map {["a", 1]}'],
    [new Float64Array([1, 2.5]), 'Float64Array [1, 2.500]'],
    [Gaussian({ mu: 0, sigma: 1 }), 'Gaussian({mu: 0, sigma: 1})'],
    [{ d: Gaussian({ mu: 0, sigma: 1 }) }, '{ d: Gaussian({mu: 0, sigma: 1}) }'],
    [Categorical({ ps: [0.5, 0.5], vs: ['a', 'b'] }), 'Categorical({ps: [0.5, 0.5], vs: ["a", "b"]})'],
    [Vector([1, 0.5]), 'Tensor [2, 1] [1, 0.5000]'],
    [
      Matrix([
        [1, 2.5],
        [30, 4],
      ]),
      'Tensor [2, 2]\n   1  2.500\n  30      4',
    ],
  ])('%o', (value, text) => {
    expect(show(value)).toBe(text);
  });

  test('long ones are broken into lines of at most 80 columns', () => {
    const text = show({ list: range(60), name: 'x'.repeat(60), nested: { deep: range(30) } });
    expect(text.split('\n').every((line) => line.length <= 80)).toBe(true);
    expect(text).toContain('\n  list: [\n    0, 1, 2,');
    expect(JSON.parse(text.replace(/(\w+): /g, '"$1": '))).toEqual({
      list: range(60),
      name: 'x'.repeat(60),
      nested: { deep: range(30) },
    });
  });

  test('very long ones are cut, with a count', () => {
    expect(show(range(1000))).toContain('… 800 more');
    expect(show(zeros([30, 20]))).toContain('… 10 more rows');
    expect(show(zeros([1000, 1]))).toContain('… 990 more');
  });

  test('a value that contains itself ends', () => {
    const ring: unknown[] = [1];
    ring.push(ring);
    expect(show(ring)).toBe('[1, <itself>]');
  });
});

describe('results of inference', () => {
  const half = 'Marginal:';

  test('a table, the most probable first', () => {
    const dist = Marginal.fromScores([
      { value: 'no', score: Math.log(0.25) },
      { value: 'yes', score: Math.log(0.75) },
    ]);
    expect(show(dist)).toBe(lines(half, `  "yes"  0.7500  ${'█'.repeat(40)}`, `  "no"   0.2500  ${'█'.repeat(13)}▍`));
    expect(show([dist])).toBe('[<"yes": 0.7500, "no": 0.2500>]');
  });

  test('numbers in their order', () => {
    const dist = Marginal.fromScores([3, 1, 2].map((value) => ({ value, score: -value })));
    expect(
      show(dist)
        .split('\n')
        .slice(1)
        .map((line) => line.trim()[0]),
    ).toEqual(['1', '2', '3']);
  });

  test('fields in columns', () => {
    const dist = Marginal.fromScores([{ value: { a: true, b: 1 }, score: 0 }]);
    expect(show(dist)).toBe(lines(half, '  a     b', `  true  1  1.0000  ${'█'.repeat(40)}`));
  });

  test('the rest of many values in one line', () => {
    const dist = Marginal.fromScores(range(100).map((i) => ({ value: `v${i}`, score: 0 })));
    const text = show(dist).split('\n');
    expect(text.length).toBe(22);
    expect(text[21]).toBe('  … 80 more values, together 0.8000');
  });

  test('the evidence, where there is one', () => {
    const dist = Marginal.fromScores([{ value: 1, score: -3 }]);
    expect(show(dist).split('\n')[0]).toBe('Marginal, log evidence -3:');
  });

  test('many numbers as quantiles and a histogram', () => {
    const dist = new SampleBasedMarginal(range(1000).map((i) => ({ value: ((i * 617) % 1000) / 500 - 1 })));
    const text = show(dist).split('\n');
    expect(text[0]).toBe('1000 samples:');
    expect(text[1]).toMatch(/^ {2}mean -0\.001000, sd 0\.5773, effective sample size \d+$/);
    expect(text[2].trim().split(/\s+/)).toEqual(['2.5%', '25%', '50%', '75%', '97.5%']);
    expect(text[text.length - 2]).toBe(`  ${'─'.repeat(60)}`);
    expect(text[text.length - 1]).toMatch(/^ {2}-1 +-0\.001000 +0\.9980$/);
    expect(text.every((line) => line.length <= 80)).toBe(true);
  });

  test('objects with such numbers field by field', () => {
    const dist = new SampleBasedMarginal(range(100).map((i) => ({ value: { x: i / 7, c: i % 4 === 0 ? 'a' : 'b' } })));
    const text = show(dist).split('\n');
    expect(text[1].trim().split(/\s+/)).toEqual(['mean', 'sd', '2.5%', '50%', '97.5%', 'ESS']);
    expect(text[2]).toMatch(/^ {2}x +7\.071 +4\.124/);
    expect(text[3]).toMatch(/^ {2}c +"b" 0\.7500, 1 other$/);
  });
});

test('display and print tell the run the value and its text', () => {
  const value = { a: 1 };
  expect(display(value)).toBeUndefined();
  print('x');
  display();
  expect(run.texts).toEqual(['{ a: 1 }', 'x', 'undefined']);
  expect(run.values[0]).toBe(value);
});

describe('samples of chains', () => {
  const samples = range(0, 400).map((i) => ({ value: { x: Math.sin(i * i), k: 1 }, score: 0 }));
  const mixing = { rhat: 1.00234, bulkEss: 345.6, tailEss: 300 };

  test('with how well they have mixed', () => {
    const diagnostics = { acceptance: 0.9, chains: 4, divergences: 3, convergence: { x: mixing } };
    const text = show(new SampleBasedMarginal(samples, { diagnostics })) as string;
    expect(text).toContain('400 samples of 4 chains, 3 divergences:');
    expect(text).toMatch(/97\.5% +R-hat +ESS +tail ESS/);
    expect(text).toMatch(/ x .* 1\.002 +346 +300 /);
  });

  test('one divergence is singular', () => {
    const text = show(new SampleBasedMarginal(samples, { diagnostics: { divergences: 1 } })) as string;
    expect(text).toContain('400 samples, 1 divergence:');
  });

  test('bare numbers', () => {
    const numbers = samples.map(({ value }) => ({ value: value.x, score: 0 }));
    const known = show(new SampleBasedMarginal(numbers, { diagnostics: { convergence: { value: mixing } } })) as string;
    expect(known).toContain('effective sample size 346 (in the tails 300), R-hat 1.002');
    const few = { value: { ...mixing, rhat: Number.NaN } };
    const unknown = show(new SampleBasedMarginal(numbers, { diagnostics: { convergence: few } })) as string;
    expect(unknown).not.toContain('R-hat');
  });
});
