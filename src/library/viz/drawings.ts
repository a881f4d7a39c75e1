/** Drawings in both forms, text and specification, from the same numbers. */
import { describe } from '../../runtime/describe.ts';
import { WaymarkError } from '../../runtime/errors.ts';
import { binned } from '../show/histogram.ts';
import { inlineText } from '../show/inline.ts';
import { probabilityText, shortNumber } from '../show/number.ts';
import type { Weighted } from '../weighted.ts';
import type { WeightedNumbers } from '../weighted-numbers.ts';
import type { Bounds } from './canvas.ts';
import type { Drawing } from './chart.ts';
import { type Component, totals } from './data.ts';
import { type Curve, densityCurve, familyCurve } from './density.ts';
import { barLines, curveLines, histogramLines, tableLines } from './one-dimension.ts';
import type { DrawingOptions } from './options.ts';
import { barView, densityView, histogramView } from './spec/one-dimension.ts';
import { crossView, heatView, lineView, type Points, parallelView, scatterView } from './spec/two-dimensions.ts';
import {
  axisHeights,
  crossTable,
  heatGrid,
  heatLines,
  lineLines,
  parallelLines,
  scatterLines,
} from './two-dimensions.ts';

/** Rows of a table that are drawn as bars. */
const MOST_BARS = 40;

/** Places of a curve in a chart, which has more room than text. */
const FINE = 160;

/** Columns of a curve in text. */
const COARSE = 64;

type Size = { width: number; height: number };

/** A value as a label: strings as they are, the rest as a program writes it. */
const labelOf = (value: unknown): string => (typeof value === 'string' ? value : inlineText(value));

/** Values with their probabilities. */
export function tableDrawing(weighted: Weighted<unknown>, options: DrawingOptions): Drawing {
  const rows = totals(weighted.values, weighted.weights);
  const numeric = rows.every(({ value }) => typeof value === 'number');
  const byProbability = [...rows].sort((a, b) => b.probability - a.probability);
  const most = byProbability.slice(0, Math.min(options.top ?? MOST_BARS, MOST_BARS));
  const shown = numeric ? most.sort((a, b) => (a.value as number) - (b.value as number)) : most;
  const bars = shown.map(({ value, probability }) => ({
    label: labelOf(value),
    height: options.log === true ? Math.log(probability) : probability,
  }));
  const heightLabel = options.log === true ? 'log probability' : 'probability';
  return { lines: tableLines(weighted, options), view: barView(bars, options, { horizontal: true, heightLabel }) };
}

/** Heights by label, and by group within each label. */
export function barDrawing(
  labels: readonly unknown[],
  heights: readonly number[],
  options: DrawingOptions,
  groups?: readonly string[],
): Drawing {
  if (labels.length !== heights.length) {
    throw new WaymarkError(
      `viz.bar needs as many heights as labels, got ${labels.length} labels and ${heights.length} heights.`,
    );
  }
  const named = groups === undefined ? labels : labels.map((label, i) => `${labelOf(label)}, ${groups[i]}`);
  const bars = labels.map((label, i) => ({ label: labelOf(label), height: heights[i], group: groups?.[i] }));
  return { lines: barLines(named, heights), view: barView(bars, options, { horizontal: options.horizontal }) };
}

/** Says how many values have no place on an axis. */
function leftOut({ values, weights }: WeightedNumbers): string[] {
  let share = 0;
  for (let i = 0; i < values.length; i++) if (!Number.isFinite(values[i])) share += weights[i];
  return share > 0 ? [`  ${probabilityText(share)} of it is infinite or NaN, and not drawn`] : [];
}

/** Counts in bins. */
export function histogramDrawing(numbers: WeightedNumbers, options: DrawingOptions): Drawing {
  const { numBins = 30, bounds } = options;
  return {
    lines: [...histogramLines(numbers, { ...options, numBins }), ...leftOut(numbers)],
    view: histogramView(binned(numbers, numBins, bounds), options),
  };
}

const boundsIn = ({ bounds }: DrawingOptions): Bounds | undefined =>
  bounds === undefined ? undefined : { lower: bounds[0], upper: bounds[1] };

/** A smooth curve, filled. */
export function densityDrawing(numbers: WeightedNumbers, options: DrawingOptions, size?: Size): Drawing {
  const bounds = boundsIn(options);
  return {
    lines: [...curveLines(densityCurve(numbers, COARSE, bounds)), ...leftOut(numbers)],
    view: densityView([densityCurve(numbers, FINE, bounds)], options, size),
  };
}

/** The exact density of a continuous family, where its quantiles are known. */
export function familyDrawing(data: unknown, options: DrawingOptions): Drawing | undefined {
  const bounds = boundsIn(options);
  const coarse = familyCurve(data, COARSE, bounds);
  if (coarse === undefined) return undefined;
  return { lines: curveLines(coarse), view: densityView([familyCurve(data, FINE, bounds) as Curve], options) };
}

/** A dot per pair. */
export function scatterDrawing(points: Points, options: DrawingOptions): Drawing {
  const { xs, ys } = points;
  return { lines: scatterLines(xs, ys, options), view: scatterView(points, options) };
}

/** A line through the pairs in their order; several lines if there are groups. */
export function lineDrawing(points: Points, options: DrawingOptions): Drawing {
  const { xs, ys, groups } = points;
  return { lines: lineLines(xs, ys, groups, options), view: lineView(points, options) };
}

/** Weight by place. */
export function heatDrawing({ xs, ys }: Points, weights: ArrayLike<number>, options: DrawingOptions): Drawing {
  return {
    lines: heatLines(xs, ys, weights, options),
    view: heatView(heatGrid(xs, ys, weights, { columns: 40, rows: 30, ...options }), options),
  };
}

/** Probabilities of pairs of names; undefined if the table would be too wide. */
export function crossDrawing(
  first: Component,
  second: Component,
  weights: ArrayLike<number>,
  options: DrawingOptions,
): Drawing | undefined {
  const lines = crossTable(first, second, weights);
  if (lines === undefined) return undefined;
  const pairs = Array.from(weights, (_, i) => [first.values[i], second.values[i]]);
  const cells = totals(pairs, weights).map(({ value, probability }) => {
    const [a, b] = value as [unknown, unknown];
    return { first: labelOf(a), second: labelOf(b), probability };
  });
  return { lines, view: crossView(cells, [first.name, second.name], options) };
}

/** An axis per component, a line per sample. */
export function parallelDrawing(components: readonly Component[], options: DrawingOptions): Drawing {
  const { samples, bounds } = axisHeights(components);
  const names = components.map(({ name }, i) => {
    const { lower, upper } = bounds[i];
    return components[i].real ? `${name}|${shortNumber(lower)} to ${shortNumber(upper)}` : name;
  });
  return { lines: parallelLines(components), view: parallelView(names, samples, options) };
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
