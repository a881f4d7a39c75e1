/** The specifications of drawings: that Vega draws each, that they hold what was asked for, and that slips are told. */
import { beforeEach, describe, expect, test } from 'vitest';
import { Beta, Dirichlet, Gaussian, MultivariateGaussian, SampleBasedMarginal } from '../../src/distributions/index.ts';
import { Infer } from '../../src/inference/infer.ts';
import { calibrate, flip, Matrix, range, repeat, uniformDraw, Vector, viz } from '../../src/library/index.ts';
import { type Chart, isChart } from '../../src/library/viz/chart.ts';
import { rankCounts } from '../../src/library/viz/diagnostics.ts';
import type { DrawingOptions } from '../../src/library/viz/options.ts';
import { chartConfig, DARK } from '../../src/library/viz/spec/config.ts';
import { svgOf } from '../../src/report/svg.ts';
import { type RecordedRun, recordedRun } from './run.ts';

let run: RecordedRun;
beforeEach(() => {
  run = recordedRun(3);
});

const numbers = (count: number): number[] => range(count).map((i) => Math.sin(i * 1.7) + i / count);
const chains = (count: number, length: number) =>
  new SampleBasedMarginal(
    numbers(count * length).map((x) => ({ value: { x, y: [x * x, 1 - x] } })),
    { diagnostics: { acceptance: 0.5, chains: count } },
  );
const exact = () => Infer({ method: 'enumerate', model: () => ({ a: flip(0.25), b: uniformDraw(['x', 'y']) }) });

const calibration = () =>
  calibrate((y: number) => y + (flip(0.5) ? 1 : 0), { example: 0, simulations: 20, method: () => Gaussian({ mu: 0.5, sigma: 1 }) }); // biome-ignore format: one thought

function chartOf(draw: () => void): Chart {
  draw();
  const value = run.values.at(-1);
  if (!isChart(value)) throw new Error('That was no chart.');
  expect(value.text).toBe(run.texts.at(-1));
  return value;
}

/** Every drawing there is, with marks that it must have. */
const DRAWINGS: Record<string, { draw: () => void; marks: string[]; words?: string[] }> = {
  'a table': { draw: () => viz.table(['a', 'b', 'a']), marks: ['rect'], words: ['probability'] },
  'a table of logarithms': { draw: () => viz.table(['a', 'b', 'a'], { log: true }), marks: ['rect'], words: ['log'] },
  bars: { draw: () => viz.bar(['one', 'two'], [1, -2], { xLabel: 'which' }), marks: ['rect'], words: ['which'] },
  'lying bars': { draw: () => viz.bar(['one', 'two'], [1, 2], { horizontal: true }), marks: ['rect'] },
  'grouped bars': {
    draw: () =>
      viz.bar(
        [
          { k: 'a', n: 1, g: 'left' },
          { k: 'a', n: 2, g: 'right' },
        ],
        { groupBy: 'g' },
      ),
    marks: ['rect'],
    words: ['left', 'right'],
  },
  'a histogram': { draw: () => viz.hist(numbers(50), { numBins: 7 }), marks: ['rect'], words: ['share'] },
  'a histogram of one field': { draw: () => viz.hist(numbers(50).map((p) => ({ p }))), marks: ['rect'] },
  'a density': { draw: () => viz.density(numbers(50)), marks: ['area'], words: ['density'] },
  'a family': { draw: () => viz(Beta({ a: 2, b: 3 })), marks: ['area'] },
  'densities by name': {
    draw: () => viz(numbers(80).map((x, i) => ({ x, group: i % 2 === 0 ? 'even' : 'odd' }))),
    marks: ['area'],
    words: ['even', 'odd'],
  },
  'a cross table': { draw: () => viz(exact()), marks: ['rect', 'text'], words: ['0.1250', '0.3750'] },
  points: { draw: () => viz.scatter(numbers(30), numbers(30)), marks: ['symbol'] },
  'grouped points': {
    draw: () =>
      viz.scatter(
        numbers(20).map((x, i) => ({ x, kind: i % 2 ? 'odd' : 'even', y: i })),
        { groupBy: 'kind' },
      ),
    marks: ['symbol'],
    words: ['odd'],
  },
  'a line': { draw: () => viz.line(range(9), numbers(9), { yLabel: 'height' }), marks: ['line'], words: ['height'] },
  'lines by group': {
    draw: () => viz.line([0, 1, 0, 1], [0, 1, 1, 0], { groupBy: ['a', 'a', 'b', 'b'] }),
    marks: ['line'],
  },
  'a heat map': { draw: () => viz.heatMap(numbers(90), numbers(90).reverse()), marks: ['rect'] },
  'two numbers, summarised': {
    draw: () =>
      viz(
        numbers(90).map((x) => ({ x, y: -x })),
        { summarize: true },
      ),
    marks: ['rect'],
  },
  marginals: { draw: () => viz.marginals(numbers(50).map((x) => ({ x, sign: x > 0.5 }))), marks: ['area', 'rect'] },
  'parallel coordinates': { draw: () => viz.parCoords(numbers(40).map((x) => [x, -x, x * x])), marks: ['line'] },
  'points in colours': {
    draw: () => viz(numbers(60).map((x, i) => ({ x, y: i + x, kind: i % 2 ? 'odd' : 'even' }))),
    marks: ['area', 'rect', 'symbol'],
  },
  'samples of a vector family': {
    draw: () => viz(Dirichlet({ alpha: Vector([2, 1, 3]) }), { samples: 50 }),
    marks: ['area', 'line'],
  },
  'points of a family of pairs': {
    draw: () => viz(MultivariateGaussian({ mu: Vector([0, 1]), cov: Matrix([[1, 0.5], [0.5, 1]]) })), // biome-ignore format: one thought
    marks: ['symbol'],
  },
  traces: { draw: () => viz.trace(chains(3, 20)), marks: ['line'], words: ['chain 3', 'y[1]'] },
  'traces of lists': { draw: () => viz.trace(numbers(20)), marks: ['line'] },
  ranks: { draw: () => viz.rank(chains(3, 20), { numBins: 5 }), marks: ['rect', 'rule'], words: ['x, chain 2'] },
  pairs: { draw: () => viz.pairs(chains(1, 40)), marks: ['symbol', 'rect'], words: ['y[0]'] },
  'a forest': { draw: () => viz.forest(chains(2, 20)), marks: ['rule', 'symbol'], words: ['x', 'y[1]'] },
  'what calibrate found': {
    draw: () => viz(calibration()),
    marks: ['area', 'line', 'rule'],
    words: ['coverage of intervals'],
  },
  'what a model predicts': {
    draw: () =>
      viz.predictive(
        numbers(12),
        repeat(20, () => numbers(12)),
      ),
    marks: ['line'],
  },
};

describe('Vega draws', () => {
  test.each(Object.keys(DRAWINGS))('%s', async (name) => {
    const { draw, marks, words = [] } = DRAWINGS[name];
    const { spec } = chartOf(draw);
    expect(JSON.parse(JSON.stringify(spec))).toEqual(spec);
    const svg = await svgOf(spec, chartConfig(DARK));
    // What is missing, rather than the whole drawing.
    expect(marks.filter((mark) => !svg.includes(`mark-${mark} role-mark`))).toEqual([]);
    expect(words.filter((word) => !svg.includes(word))).toEqual([]);
    expect(/NaN|undefined|Infinity/.exec(svg)?.[0]).toBeUndefined();
  });
});

test('specifications hold few points of very many, and numbers alone', () => {
  const { spec } = chartOf(() => viz.scatter(numbers(20_000), [...numbers(19_999), Number.NaN]));
  const { values } = spec.data as { values: { x: number; y: number }[] };
  expect(values.length).toBeLessThanOrEqual(2000);
  expect(values.every(({ x, y }) => Number.isFinite(x) && Number.isFinite(y))).toBe(true);
});

describe('options', () => {
  const calls: Record<string, (options: DrawingOptions) => void> = {
    viz: (options) => viz([1, 2], options),
    'viz.table': (options) => viz.table([1, 2], options),
    'viz.bar': (options) => viz.bar([1, 2], [3, 4], options),
    'viz.hist': (options) => viz.hist([1, 2], options),
    'viz.density': (options) => viz.density([1, 2], options),
    'viz.line': (options) => viz.line([1, 2], [3, 4], options),
    'viz.scatter': (options) => viz.scatter([1, 2], [3, 4], options),
    'viz.heatMap': (options) => viz.heatMap([1, 2], [3, 4], options),
    'viz.marginals': (options) => viz.marginals([{ a: 1 }, { a: 2 }], options),
    'viz.parCoords': (options) => viz.parCoords([[1, 2], [3, 4]], options), // biome-ignore format: one thought
    'viz.trace': (options) => viz.trace([1, 2], options),
    'viz.rank': (options) => viz.rank([1, 2], options),
    'viz.pairs': (options) => viz.pairs([1, 2], options),
    'viz.forest': (options) => viz.forest([1, 2], options),
    'viz.calibration': (options) => viz.calibration(calibration(), options),
    'viz.predictive': (options) => viz.predictive([1, 2], [[1, 2]], options),
  };

  test('every function has a row', () => {
    const own = Object.keys(viz).filter((name) => name !== 'auto');
    expect(Object.keys(calls).sort()).toEqual(['viz', ...own.map((name) => `viz.${name}`)].sort());
  });

  test.each(Object.keys(calls))('%s refuses one that it does not have', (name) => {
    expect(() => calls[name]({ titel: 'x' } as never)).toThrow(
      new RegExp(`^${name.replace('.', '\\.')} has no option 'titel'; it takes .*title.* Did you mean 'title'\\?$`),
    );
    expect(() => calls[name]({ title: 3 } as never)).toThrow(`${name}: title must be a string, got 3.`);
    calls[name]({ title: 'A title' });
    expect(run.texts.at(-1)).toMatch(/^A title\n/);
    expect((run.values.at(-1) as Chart).spec.title).toBe('A title');
  });

  test('values that cannot be are told', () => {
    expect(() => viz.line([1], [2], { xBounds: [2, 1] })).toThrow('viz.line: xBounds must be [lower, upper], got');
    expect(() => viz.scatter([{ x: 1, y: 2 }], { groupBy: 'knd' })).toThrow(
      "viz.scatter: the values have no field 'knd' to group by; they have x, y.",
    );
    expect(() => viz.line([1, 2], [1, 2], { groupBy: ['a'] })).toThrow(
      'viz.line: groupBy must have an item for each of 2 points, got 1.',
    );
  });
});

describe('diagnostics', () => {
  test('ranks of chains that agree are even, those of one that is apart are not', () => {
    const even = rankCounts([Float64Array.from([1, 3, 5, 7]), Float64Array.from([2, 4, 6, 8])], 2);
    expect(even.map((counts) => [...counts])).toEqual([[2, 2], [2, 2]]); // biome-ignore format: one thought
    const apart = rankCounts([Float64Array.from([1, 2, 3, 4]), Float64Array.from([5, 6, 7, 8])], 2);
    expect(apart.map((counts) => [...counts])).toEqual([[4, 0], [0, 4]]); // biome-ignore format: one thought
    const tied = rankCounts([new Float64Array(4), new Float64Array(4)], 2);
    expect(tied.map((counts) => counts[0] + counts[1])).toEqual([4, 4]);
  });

  test('a forest says where the numbers lie', () => {
    const { text } = chartOf(() => viz.forest(range(101).map((x) => ({ x }))));
    expect(text).toMatch(/^ {2}x +─+━+●━+─+ +50 \(2 to 98\)$/);
  });

  test('what has no order has no trace', () => {
    const weighted = new SampleBasedMarginal([{ value: 1 }, { value: 2 }], { weights: [0, -1] });
    expect(() => viz.trace(weighted)).toThrow('viz.trace needs samples in the order of a chain');
    expect(() => viz.trace(Beta({ a: 1, b: 1 }))).toThrow('viz.trace needs samples, and Beta is not made of any.');
    expect(() => viz.rank(['a', 'b'])).toThrow('viz.rank needs numbers in the values, and here is the string "a".');
    viz.forest(weighted);
  });

  test('predictions are lists of numbers', () => {
    expect(() => viz.predictive([1, 2], [1, 2])).toThrow(
      'viz.predictive needs a list of predicted data for every sample, and here is 1.',
    );
    const { text } = chartOf(() => viz.predictive([1, 2, 3], [[1, 2, 3], [2, 3, 4]])); // biome-ignore format: one thought
    expect(text.split('\n')[1].trim().split(/\s+/)).toEqual(['mean', '2', '2', '2', '3', '1.00']);
  });
});

test('charts load nothing', async () => {
  const spec = { data: { url: 'file:///etc/passwd' }, mark: 'point', encoding: { x: { field: 'a' } } };
  const svg = await svgOf(spec).catch((error: Error) => error.message);
  expect(svg.includes('root:')).toBe(false);
});
