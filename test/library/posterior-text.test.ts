/** What posteriors say of themselves, whatever the values are. */
import { inspect } from 'node:util';
import { describe, expect, test } from 'vitest';
import { Gaussian, SampleBasedMarginal } from '../../src/distributions/index.ts';
import { areDraws } from '../../src/library/show/chain-values.ts';
import { show } from '../../src/library/show/value.ts';
import { run } from '../../src/program/index.ts';
import { Tensor } from '../../src/tensor/tensor.ts';

async function shown(code: string): Promise<string> {
  const { outputs } = await run(`display(${code})`, { seed: 1, warn: () => {} });
  return outputs[0].text;
}

const rowNames = (text: string): string[] =>
  text
    .split('\n')
    .slice(2)
    .map((line) => line.trim().split(' ')[0]);

describe('parts of values are rows of their own', () => {
  const VALUE =
    '{a: gaussian(0, 1), in: {b: gaussian(0, 1), c: [gaussian(0, 1), flip()]}, v: Vector([gaussian(0, 1), 2])}';
  const NAMES = ['a', 'in.b', 'in.c[0]', 'in.c[1]', 'v[0]', 'v[1]'];

  test.each([
    ["{method: 'forward', samples: 200}", 'ESS'],
    ["{method: 'importance', samples: 200}", 'ESS'],
    ["{method: 'MCMC', samples: 200}", 'R-hat'],
    ["{method: 'MCMC', samples: 100, chains: 2}", 'R-hat'],
  ])('%s', async (options, column) => {
    const text = await shown(`Infer(${options}, function() { return ${VALUE} })`);
    expect(rowNames(text).slice(0, NAMES.length)).toEqual(NAMES);
    expect(text.split('\n')[1]).toContain(column);
  });

  test('lists at top level are named by index', async () => {
    const text = await shown(
      "Infer({method: 'forward', samples: 100}, function() { return repeat(3, function() { return gaussian(0, 1) }) })",
    );
    expect(rowNames(text)).toEqual(['[0]', '[1]', '[2]']);
  });

  test('very many parts are counted', async () => {
    const text = await shown(
      "Infer({method: 'forward', samples: 40}, function() { return repeat(60, function() { return gaussian(0, 1) }) })",
    );
    expect(text.split('\n').at(-1)).toBe('  … 20 more parts');
  });
});

describe('few draws of a continuous quantity are no table', () => {
  test.each([
    ["{method: 'forward', samples: 10}", 'gaussian(0, 1)'],
    ["{method: 'importance', samples: 20}", 'beta(2, 2)'],
    ["{method: 'rejection', samples: 8}", 'uniform(0, 1)'],
  ])('%s of %s', async (options, value) => {
    const text = await shown(`Infer(${options}, function() { return ${value} })`);
    expect(text).toMatch(/mean .*, sd /);
    expect(text).toContain('97.5%');
  });

  test('but numbers that somebody wrote are one', () => {
    expect(areDraws([0.1, 0.5, 0.9, 0.1, 0.25, 0.75])).toBe(false);
    expect(areDraws(Array.from({ length: 100 }, (_, i) => (i % 7) / 7))).toBe(false);
    expect(areDraws([1, 2, 3, 4, 5, 6])).toBe(false);
    expect(areDraws([0.123456789012345, 0.22345678901234, 0.323456789012345, 0.42345678901234, 0.5234567890123])).toBe(
      true,
    );
  });
});

test('a chain that hardly moved says so, with what it is worth', async () => {
  const text = await shown(`Infer({method: 'MCMC', samples: 1000, model: function() {
    var x = gaussian(0, 10); observe(Gaussian({mu: x, sigma: 0.002}), 1); return {x: x};
  }})`);
  expect(text).toMatch(/The chain hardly moved: its 1000 samples are worth about \d independent ones?\./);
  const moving = await shown("Infer({method: 'MCMC', samples: 1000, model: function() { return gaussian(0, 1) }})");
  expect(moving).not.toContain('hardly moved');
});

describe('lists of objects with the same fields', () => {
  const rows = Array.from({ length: 40 }, (_, i) => ({ id: i, name: `number ${i}`, half: i / 2 }));

  test('are a table, if they do not fit into a line', () => {
    const lines = show(rows).split('\n');
    expect(lines[0].trim().split(/\s+/)).toEqual(['id', 'name', 'half']);
    expect(lines[2]).toMatch(/^ {3}1 +1 +"number 1" +0\.5000$/);
    expect(lines.at(-1)).toBe('  … 10 more rows');
    expect(show([{ a: 1 }, { a: 2 }])).toBe('[{ a: 1 }, { a: 2 }]');
  });

  test('not if fields differ, or it would be too wide', () => {
    expect(show([...rows, { id: 1 }])).toMatch(/^\[\n/);
    expect(show([1, 2].map(() => ({ long: 'x'.repeat(30), more: 'y'.repeat(30), most: 'z'.repeat(30) })))).toMatch(
      /^\[\n/,
    );
  });
});

test('a posterior within an object that has no short form is shown whole', async () => {
  const text = await shown(`{p: Infer({method: 'forward', samples: 100}, function() {
    return {first: gaussian(0, 1), second: gaussian(0, 1), third: 'a text of some length'}; }), n: 1}`);
  expect(text).toMatch(
    /^\{\n {2}p: 100 samples:\n {4}.*mean.*\n {4}first .*\n {4}second .*\n {4}third .*,\n {2}n: 1\n\}$/s,
  );
});

describe('console.log', () => {
  const dist = new SampleBasedMarginal(Array.from({ length: 200 }, (_, i) => ({ value: i * 0.1 })));

  test('shows a posterior as display does, and within an object in a line', () => {
    expect(inspect(dist)).toBe(show(dist));
    expect(inspect({ dist })).toContain('dist: <200 samples, mean 9.950, sd 5.773>');
  });

  test('shows families as programs write them, and the beginning of tensors', () => {
    expect(inspect(Gaussian({ mu: 0, sigma: 1 }))).toBe('Gaussian({mu: 0, sigma: 1})');
    expect(inspect(new Tensor([1000, 1], new Float64Array(1000)))).toMatch(/^Tensor \[1000, 1\] \[0, .*… 900 more\]$/);
  });
});
