/** Drawings of one component: bars, histograms, densities, tables. */
import { bar as barOf } from '../show/bars.ts';
import { clip, grid, WIDTH, widthOf } from '../show/grid.ts';
import { binned, columnChart } from '../show/histogram.ts';
import { inlineText } from '../show/inline.ts';
import { shortNumber } from '../show/number.ts';
import { probabilityTable } from '../show/table.ts';
import type { Weighted } from '../weighted.ts';
import type { WeightedNumbers } from '../weighted-numbers.ts';
import { totals } from './data.ts';
import type { Curve } from './density.ts';
import type { DrawingOptions } from './options.ts';

/** Columns of a chart. */
const CHART_WIDTH = 64;
const CHART_HEIGHT = 10;

/** Labels with bars for numbers, negative ones to the left of the axis. */
export function barLines(labels: readonly unknown[], heights: readonly number[]): string[] {
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
export function tableLines(
  { values, weights }: Weighted<unknown>,
  { log, top, destructure }: DrawingOptions,
): string[] {
  const rows = totals(values, weights);
  const shown = top === undefined ? rows : [...rows].sort((a, b) => b.probability - a.probability).slice(0, top);
  if (log !== true) return probabilityTable(shown, destructure);
  const ordered = [...shown].sort((a, b) => b.probability - a.probability);
  return grid(
    ordered.map(({ value, probability }) => [clip(inlineText(value), 50), shortNumber(Math.log(probability))]),
    ['left', 'right'],
  ).map((line) => `  ${line}`);
}

/** Counts in bins. */
export function histogramLines(numbers: WeightedNumbers, { numBins = 30, bounds }: DrawingOptions): string[] {
  const { lower, upper, weights } = binned(numbers, numBins, bounds);
  const each = Math.max(1, Math.floor(CHART_WIDTH / numBins));
  const heights = Array.from({ length: numBins * each }, (_, i) => weights[Math.floor(i / each)]);
  return columnChart(heights, lower, upper, CHART_HEIGHT).map((line) => `  ${line}`.trimEnd());
}

/** A smooth curve, filled. */
export const curveLines = ({ heights, lower, upper }: Curve): string[] =>
  columnChart(heights, lower, upper, CHART_HEIGHT).map((line) => `  ${line}`.trimEnd());
