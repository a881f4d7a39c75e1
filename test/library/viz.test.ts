import { beforeEach, describe, expect, test } from 'vitest';
import { Bernoulli, Beta, Gaussian, SampleBasedMarginal } from '../../src/distributions/index.ts';
import { Infer } from '../../src/inference/infer.ts';
import { Canvas } from '../../src/library/viz/canvas.ts';
import { densityCurve } from '../../src/library/viz/density.ts';
import { sample } from '../../src/runtime/primitives.ts';
import { flip, range, repeat, Vector, viz, vizPrint } from '../../src/scope.ts';
import { type RecordedRun, recordedRun } from './run.ts';

let run: RecordedRun;
beforeEach(() => {
  run = recordedRun(8);
});

/** What the drawing printed, line by line. */
function drawing(draw: () => void): string[] {
  draw();
  const text = run.texts.pop()!;
  for (const line of text.split('\n')) expect(line.length).toBeLessThanOrEqual(80);
  return text.split('\n');
}

const samplesOf = <V>(values: V[]) => new SampleBasedMarginal(values.map((value) => ({ value })));
const gaussians = () => repeat(500, () => sample(Gaussian({ mu: 0, sigma: 1 })));

describe('viz chooses', () => {
  test('a table for values by name', () => {
    expect(drawing(() => viz(Bernoulli({ p: 0.25 })))).toEqual([
      `  false  0.7500  ${'█'.repeat(40)}`,
      `  true   0.2500  ${'█'.repeat(13)}▍`,
    ]);
    expect(drawing(() => viz(['a', 'b', 'a', 'a']))[0]).toContain('"a"  0.7500');
  });

  test('a density for real numbers', () => {
    for (const data of [gaussians(), samplesOf(gaussians()), Vector(gaussians()), Beta({ a: 2, b: 3 })]) {
      const text = drawing(() => viz(data));
      expect(text.length).toBe(12);
      expect(text[10]).toBe(`  ${'─'.repeat(64)}`);
      expect(text[9]).toContain('█');
    }
  });

  test('a cross table for two names', () => {
    const dist = Infer({ method: 'enumerate', model: () => ({ a: flip(0.25), b: flip(0.5) ? 'x' : 'y' }) });
    const text = drawing(() => viz(dist));
    expect(text.length).toBe(3);
    expect(text[0]).toMatch(/a \\ b +"[xy]" +"[xy]"/);
    expect(text.slice(1).sort()).toEqual(['  false  0.3750  0.3750', '  true   0.1250  0.1250']);
  });

  test('a density for each name', () => {
    const values = gaussians().map((x, i) => ({ group: i % 2 === 0 ? 'even' : 'odd', x }));
    const text = drawing(() => viz(samplesOf(values)));
    expect(text.filter((line) => line.includes('probability 0.5000'))).toEqual([
      'x, group = "even" (probability 0.5000):',
      'x, group = "odd" (probability 0.5000):',
    ]);
  });

  test('points for two real numbers, a heat map for very many', () => {
    const pairs = gaussians().map((x) => ({ x, y: x * x }));
    expect(drawing(() => viz(pairs)).join('')).toMatch(/y over x.*[\u2801-\u28ff]/);
    const many = Array.from({ length: 8 }, () => pairs).flat();
    expect(drawing(() => viz(many)).join('')).toMatch(/[░▒▓█]/);
  });

  test('a drawing per field beyond that', () => {
    const triples = gaussians().map((x) => ({ x, y: x + 1, z: -x }));
    const text = drawing(() => viz(triples)).join('\n');
    expect(text).toMatch(/x:\n[\s\S]*y:\n[\s\S]*z:\n/);
    expect(text).toContain('axis 3: z');
  });

  test('what display shows for anything else', () => {
    expect(drawing(() => viz({ a: 1 }))).toEqual(['{ a: 1 }']);
    expect(drawing(() => vizPrint([1, 1, 2]))[0]).toContain('1  0.6667');
  });
});

describe('told what to draw', () => {
  test('table, with log-probabilities and a limit', () => {
    expect(drawing(() => viz.table(Bernoulli({ p: 0.25 }), { log: true }))).toEqual([
      '  false  -0.2877',
      '  true    -1.386',
    ]);
    expect(drawing(() => viz.table(range(10), { top: 2 })).length).toBe(2);
  });

  test('bars of labels and heights', () => {
    expect(drawing(() => viz.bar(['one', 'two'], [1, 2]))).toEqual([
      `  one  1  ${'█'.repeat(20)}`,
      `  two  2  ${'█'.repeat(40)}`,
    ]);
    const negative = drawing(() => viz.bar(['a', 'b'], [3, -3], { xLabel: 'x', yLabel: 'y', title: 'Title' }));
    expect(negative.slice(0, 2)).toEqual(['Title', 'y over x']);
    expect(negative[2].indexOf('│')).toBe(negative[3].indexOf('│'));
    expect(drawing(() => viz.bar(Bernoulli({ p: 0.5 }))).length).toBe(2);
    expect(() => viz.bar(3 as never)).toThrow('viz.bar needs a distribution or a list of values, got 3.');
    expect(() => viz.bar(['a'], [1, 2])).toThrow(
      'viz.bar needs as many heights as labels, got 1 labels and 2 heights.',
    );
  });

  test('histograms count into bins', () => {
    const text = drawing(() => viz.hist([0, 0.1, 0.9, 1, 1], { numBins: 2 }));
    expect(text[0]).toBe(`  ${' '.repeat(32)}${'█'.repeat(32)}`);
    expect(text[11].trim().split(/\s+/)).toEqual(['0', '0.5000', '1']);
    expect(drawing(() => viz.hist(['a', 'b'])).length).toBe(2);
    expect(() => viz.hist([1], { numBins: 0 })).toThrow(
      'viz.hist: numBins must be a whole number from 1 to 200, got 0.',
    );
  });

  test('densities within bounds', () => {
    const text = drawing(() => viz.density(gaussians(), { bounds: [-2, 2] }));
    expect(text[11].trim().split(/\s+/)).toEqual(['-2', '0', '2']);
    expect(() => viz.density(['a'])).toThrow(
      'viz.density needs numbers, and here is the string "a". Use viz.table for other values.',
    );
    expect(() => viz.density([1], { bounds: [2, 1] })).toThrow('viz.density: bounds must be [lower, upper]');
  });

  test('lines, points and heat', () => {
    const xs = range(0, 10, 0.5);
    const line = drawing(() => viz.line(xs, xs));
    expect(line[0]).toMatch(/^9\.500 │ +\S+$/);
    expect(line[line.length - 1].trim().split(/\s+/)).toEqual(['0', '9.500']);
    expect(drawing(() => viz.scatter(xs, xs)).length).toBe(18);
    expect(drawing(() => viz.heatMap(xs, xs)).length).toBe(20);
    expect(drawing(() => viz.line(xs.map((x) => ({ x, y: x })))).length).toBe(18);
    expect(drawing(() => viz.line([0, 1, 0, 1], [0, 0, 1, 1], { groupBy: ['a', 'a', 'b', 'b'] })).length).toBe(18);
    expect(() => viz.scatter([1], [1, 2])).toThrow('viz.scatter needs two lists of one length, got lengths 1 and 2.');
    expect(() => viz.line([1, 2])).toThrow(
      'viz.line needs two lists, as in viz.line(xs, ys), or values with two parts; got 1.',
    );
  });

  test('marginals and parallel coordinates', () => {
    const values = gaussians().map((x) => ({ x, y: x > 0 }));
    expect(drawing(() => viz.marginals(values)).filter((text) => text.endsWith(':'))).toEqual(['x:', 'y:']);
    expect(
      drawing(() => viz.parCoords(values))
        .slice(-2)
        .map((text) => text.slice(0, 11)),
    ).toEqual(['  axis 1: x', '  axis 2: y']);
    expect(() => viz.parCoords([1, 2])).toThrow('viz.parCoords needs values with at least two parts.');
  });

  test('mistakes', () => {
    expect(() => viz.table(3 as never)).toThrow('viz.table needs a distribution or a list of values, got 3.');
    expect(() => viz([1], 3 as never)).toThrow('viz takes its options as an object, got 3.');
  });
});

test('the same data give the same drawing', () => {
  const data = gaussians();
  expect(drawing(() => viz(data))).toEqual(drawing(() => viz(data)));
});

test('a canvas puts dots where they belong', () => {
  const canvas = new Canvas({ lower: 0, upper: 1 }, { lower: 0, upper: 1 }, 2, 1);
  canvas.point(0, 1);
  canvas.point(1, 0);
  canvas.point(5, 5);
  expect(canvas.lines()[0]).toBe('1 │⠁⢀');
});

test('a density curve integrates to one', () => {
  const values = Float64Array.from(gaussians());
  const { lower, upper, heights } = densityCurve({ values, weights: values.map(() => 1 / 500) }, 64);
  const total = heights.reduce((sum, height) => sum + height, 0) * ((upper - lower) / 64);
  expect(Math.abs(total - 1)).toBeLessThan(0.01);
});
