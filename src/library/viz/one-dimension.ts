/** Drawings of one component: bars, histograms, densities, tables. */
import { describe } from '../../runtime/describe.ts';
import { WaymarkError } from '../../runtime/errors.ts';
import { bar as barOf } from '../show/bars.ts';
import { clip, grid, WIDTH, widthOf } from '../show/grid.ts';
import { binned, columnChart } from '../show/histogram.ts';
import { inlineText } from '../show/inline.ts';
import { shortNumber } from '../show/number.ts';
import { probabilityTable } from '../show/table.ts';
import type { Weighted } from '../weighted.ts';
import type { WeightedNumbers } from '../weighted-numbers.ts';
import type { Bounds } from './canvas.ts';
import { totals } from './data.ts';
import { type Curve, densityCurve, familyCurve } from './density.ts';
import type { DrawingOptions } from './options.ts';

/** Columns of a chart. */
const CHART_WIDTH = 64;
const CHART_HEIGHT = 10;

/** Labels with bars for numbers, negative ones to the left of the axis. */
export function barLines(labels: readonly unknown[], heights: readonly number[]): string[] {
  if (labels.length !== heights.length) {
    throw new WaymarkError(
      `viz.bar needs as many heights as labels, got ${labels.length} labels and ${heights.length} heights.`,
    );
  }
  const rows = labels.map((label, i) => [
    clip(typeof label === 'string' ? label : inlineText(label), 30),
    shortNumber(heights[i]),
  ]);
  const texts = grid(rows, ['left', 'right']);
  const room = Math.max(10, Math.min(40, WIDTH - Math.max(0, ...texts.map(widthOf)) - 4));
  const largest = Math.max(1e-300, ...heights.map((height) => Math.abs(height)));
  const below = Math.max(0, ...heights.map((height) => -height));
  const above = Math.max(0, ...heights);
  const left = below === 0 ? 0 : Math.max(1, Math.round((room * below) / (below + above)));
  const scale = below === 0 ? room : Math.min(left, room - left || left);
  return texts.map((text, i) => {
    const width = texts[i].length;
    const pad = ' '.repeat(Math.max(0, Math.max(...texts.map((t) => t.length)) - width));
    if (heights[i] < 0) {
      const drawn = '█'.repeat(Math.max(1, Math.round((-heights[i] / largest) * scale)));
      return `  ${text}${pad}  ${drawn.padStart(left)}│`;
    }
    const axis = below === 0 ? '' : `${' '.repeat(left)}│`;
    return `  ${text}${pad}  ${axis}${barOf(heights[i] / largest, scale)}`.trimEnd();
  });
}

/** Values with their probabilities. */
export function tableLines({ values, weights }: Weighted<unknown>, { log, top }: DrawingOptions): string[] {
  const rows = totals(values, weights);
  const shown = top === undefined ? rows : [...rows].sort((a, b) => b.probability - a.probability).slice(0, top);
  if (log !== true) return probabilityTable(shown);
  const ordered = [...shown].sort((a, b) => b.probability - a.probability);
  return grid(
    ordered.map(({ value, probability }) => [clip(inlineText(value), 50), shortNumber(Math.log(probability))]),
    ['left', 'right'],
  ).map((line) => `  ${line}`);
}

/** Counts in bins. */
export function histogramLines(numbers: WeightedNumbers, { numBins = 32 }: DrawingOptions): string[] {
  const { lower, upper, weights } = binned(numbers, numBins);
  const each = Math.max(1, Math.floor(CHART_WIDTH / numBins));
  const heights = Array.from({ length: numBins * each }, (_, i) => weights[Math.floor(i / each)]);
  return columnChart(heights, lower, upper, CHART_HEIGHT).map((line) => `  ${line}`.trimEnd());
}

const boundsIn = ({ bounds }: DrawingOptions): Bounds | undefined =>
  bounds === undefined ? undefined : { lower: bounds[0], upper: bounds[1] };

const curveLines = ({ heights, lower, upper }: Curve): string[] =>
  columnChart(heights, lower, upper, CHART_HEIGHT).map((line) => `  ${line}`.trimEnd());

/** A smooth curve, filled. */
export function densityLines(numbers: WeightedNumbers, options: DrawingOptions): string[] {
  return curveLines(densityCurve(numbers, CHART_WIDTH, boundsIn(options)));
}

/** The exact density of a continuous family, where its quantiles are known. */
export function familyLines(data: unknown, options: DrawingOptions): string[] | undefined {
  const curve = familyCurve(data, CHART_WIDTH, boundsIn(options));
  return curve === undefined ? undefined : curveLines(curve);
}

/** The component as numbers. */
export function asNumbers(caller: string, { values, weights }: Weighted<unknown>): WeightedNumbers {
  const numbers = Float64Array.from(values, (value) => {
    if (typeof value === 'number') return value;
    if (typeof value === 'boolean') return value ? 1 : 0;
    throw new WaymarkError(`${caller} needs numbers, and here is ${describe(value)}. Use viz.table for other values.`);
  });
  return { values: numbers, weights };
}
