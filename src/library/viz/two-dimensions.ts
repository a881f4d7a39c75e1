/** Drawings of two components and more: points, lines, heat maps, cross tables, parallel axes. */
import { clip, grid, padEnd } from '../show/grid.ts';
import { inlineText } from '../show/inline.ts';
import { probabilityText, shortNumber } from '../show/number.ts';
import type { Bounds } from './canvas.ts';
import { boundsOf, Canvas, framed } from './canvas.ts';
import { type Component, totals } from './data.ts';
import type { Grid } from './spec/two-dimensions.ts';

const SHADES = [' ', '░', '▒', '▓', '█'];
const HEAT_WIDTH = 60;
const HEAT_HEIGHT = 18;

/** Where axes are told to end. */
interface Ends {
  readonly xBounds?: readonly [number, number];
  readonly yBounds?: readonly [number, number];
}

function endsOf(xs: ArrayLike<number>, ys: ArrayLike<number>, { xBounds, yBounds }: Ends): [Bounds, Bounds] {
  const told = (bounds: readonly [number, number]): Bounds => ({ lower: bounds[0], upper: bounds[1] });
  return [xBounds === undefined ? boundsOf(xs) : told(xBounds), yBounds === undefined ? boundsOf(ys) : told(yBounds)];
}

/** A dot per pair. */
export function scatterLines(xs: ArrayLike<number>, ys: ArrayLike<number>, ends: Ends = {}): string[] {
  const canvas = new Canvas(...endsOf(xs, ys, ends));
  for (let i = 0; i < xs.length; i++) canvas.point(xs[i], ys[i]);
  return canvas.lines();
}

/** A line through the pairs in their order; several lines if there are groups. */
export function lineLines(
  xs: ArrayLike<number>,
  ys: ArrayLike<number>,
  groups?: readonly unknown[],
  ends: Ends = {},
): string[] {
  const canvas = new Canvas(...endsOf(xs, ys, ends));
  const last = new Map<unknown, number>();
  for (let i = 0; i < xs.length; i++) {
    const group = groups?.[i];
    const previous = last.get(group);
    if (previous === undefined) canvas.point(xs[i], ys[i]);
    else canvas.line(xs[previous], ys[previous], xs[i], ys[i]);
    last.set(group, i);
  }
  return canvas.lines();
}

/** Weight by place, the smallest coordinates first. */
export function heatGrid(
  xs: ArrayLike<number>,
  ys: ArrayLike<number>,
  weights: ArrayLike<number>,
  { columns, rows, ...ends }: Ends & { columns: number; rows: number },
): Grid {
  const [x, y] = endsOf(xs, ys, ends);
  const cells = new Float64Array(columns * rows);
  for (let i = 0; i < xs.length; i++) {
    const [column, row] = [placeIn(xs[i], x, columns), placeIn(ys[i], y, rows)];
    if (column >= 0 && row >= 0) cells[row * columns + column] += weights[i];
  }
  return { x, y, columns, rows, weights: cells };
}

/** Weight by place, darker where there is more of it. */
export function heatLines(
  xs: ArrayLike<number>,
  ys: ArrayLike<number>,
  weights: ArrayLike<number>,
  ends: Ends = {},
): string[] {
  const grid = heatGrid(xs, ys, weights, { ...ends, columns: HEAT_WIDTH, rows: HEAT_HEIGHT });
  const cells = Float64Array.from(grid.weights);
  const largest = cells.reduce((a, b) => Math.max(a, b), 0);
  const rows = Array.from({ length: HEAT_HEIGHT }, (_, i) => {
    const row = HEAT_HEIGHT - 1 - i;
    return Array.from(cells.subarray(row * HEAT_WIDTH, (row + 1) * HEAT_WIDTH), (weight) =>
      shade(weight / largest),
    ).join('');
  });
  return framed(rows, HEAT_WIDTH, grid.x, grid.y);
}

function placeIn(value: number, { lower, upper }: Bounds, cells: number): number {
  if (!(value >= lower && value <= upper)) return -1;
  return Math.min(cells - 1, Math.floor(((value - lower) / (upper - lower)) * cells));
}

/** A fraction above 0 has at least the lightest shade. */
function shade(fraction: number): string {
  if (!(fraction > 0)) return SHADES[0];
  return SHADES[Math.min(SHADES.length - 1, Math.max(1, Math.ceil(fraction * (SHADES.length - 1))))];
}

/** Probabilities of pairs: the first component down, the second across. Undefined if it would be too wide. */
export function crossTable(first: Component, second: Component, weights: ArrayLike<number>): string[] | undefined {
  const down = totals(first.values, weights).map(({ value }) => value);
  const across = totals(second.values, weights).map(({ value }) => value);
  const titles = across.map((value) => clip(inlineText(value), 12));
  if (across.length > 8 || titles.join('  ').length > 60) return undefined;
  const places = new Map<string, number>();
  const key = (a: unknown, b: unknown) => `${inlineText(a)}\u0000${inlineText(b)}`;
  for (let i = 0; i < weights.length; i++) {
    const place = key(first.values[i], second.values[i]);
    places.set(place, (places.get(place) ?? 0) + weights[i]);
  }
  const rows = down.map((a) => [
    clip(inlineText(a), 20),
    ...across.map((b) => probabilityText(places.get(key(a, b)) ?? 0)),
  ]);
  const corner = first.name === '' ? '' : `${first.name} \\ ${second.name}`;
  return grid([[corner, ...titles], ...rows], ['left', ...across.map(() => 'right' as const)]).map(
    (line) => `  ${line}`,
  );
}

/** Where samples are on each axis, as shares of its range; evenly chosen ones if there are many. */
export function axisHeights(
  components: readonly Component[],
  most = 200,
): { samples: number[][]; bounds: readonly Bounds[] } {
  const axes = components.map(({ values }) => {
    const number = axisNumber(values);
    return { numbers: values.map(number), bounds: boundsOf(values.map(number)) };
  });
  const { length } = components[0].values;
  const stride = Math.max(1, Math.ceil(length / most));
  const samples: number[][] = [];
  for (let i = 0; i < length; i += stride) {
    samples.push(axes.map(({ numbers, bounds: { lower, upper } }) => (numbers[i] - lower) / (upper - lower)));
  }
  return { samples, bounds: axes.map(({ bounds }) => bounds) };
}

/** An axis per component beside each other, a line per sample across them. */
export function parallelLines(components: readonly Component[]): string[] {
  const { samples, bounds } = axisHeights(components);
  const gaps = components.length - 1;
  const width = Math.min(72, 24 * gaps);
  const canvas = new Canvas({ lower: 0, upper: gaps }, { lower: 0, upper: 1 }, width, 14);
  for (const heights of samples) {
    for (let c = 0; c < gaps; c++) canvas.line(c, heights[c], c + 1, heights[c + 1]);
  }
  const drawing = canvas.lines().slice(0, -2);
  const list = components.map(({ name }, c) => {
    const { lower, upper } = bounds[c];
    return `  axis ${c + 1}: ${padEnd(name, 16)} from ${shortNumber(lower)} (bottom) to ${shortNumber(upper)} (top)`;
  });
  return [...drawing.map((line) => line.slice(line.indexOf('│') + 1)).map((line) => `  ${line}`), ...list];
}

/** Numbers stand for themselves on an axis, other values by the order in which they come first. */
function axisNumber(values: readonly unknown[]): (value: unknown) => number {
  if (values.every((value) => typeof value === 'number' || typeof value === 'boolean')) return Number;
  const order = totals(values, new Float64Array(values.length)).map(({ value }) => inlineText(value));
  return (value) => order.indexOf(inlineText(value));
}
