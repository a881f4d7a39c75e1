/** Drawings of two components and more: points, lines, heat maps, cross tables, parallel axes. */
import { clip, grid, padEnd } from '../show/grid.ts';
import { inlineText } from '../show/inline.ts';
import { probabilityText, shortNumber } from '../show/number.ts';
import type { Bounds } from './canvas.ts';
import { boundsOf, Canvas, framed } from './canvas.ts';
import { type Component, totals } from './data.ts';

const SHADES = [' ', '░', '▒', '▓', '█'];
const HEAT_WIDTH = 60;
const HEAT_HEIGHT = 18;

/** A dot per pair. */
export function scatterLines(xs: ArrayLike<number>, ys: ArrayLike<number>): string[] {
  const canvas = new Canvas(boundsOf(xs), boundsOf(ys));
  for (let i = 0; i < xs.length; i++) canvas.point(xs[i], ys[i]);
  return canvas.lines();
}

/** A line through the pairs in their order; several lines if there are groups. */
export function lineLines(xs: ArrayLike<number>, ys: ArrayLike<number>, groups?: readonly unknown[]): string[] {
  const canvas = new Canvas(boundsOf(xs), boundsOf(ys));
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

/** Weight by place, darker where there is more of it. */
export function heatLines(xs: ArrayLike<number>, ys: ArrayLike<number>, weights: ArrayLike<number>): string[] {
  const [x, y] = [boundsOf(xs), boundsOf(ys)];
  const cells = new Float64Array(HEAT_WIDTH * HEAT_HEIGHT);
  for (let i = 0; i < xs.length; i++) {
    const column = placeIn(xs[i], x, HEAT_WIDTH);
    const row = HEAT_HEIGHT - 1 - placeIn(ys[i], y, HEAT_HEIGHT);
    if (column >= 0 && row >= 0 && row < HEAT_HEIGHT) cells[row * HEAT_WIDTH + column] += weights[i];
  }
  const largest = cells.reduce((a, b) => Math.max(a, b), 0);
  const rows = Array.from({ length: HEAT_HEIGHT }, (_, row) =>
    Array.from(cells.subarray(row * HEAT_WIDTH, (row + 1) * HEAT_WIDTH), (weight) => shade(weight / largest)).join(''),
  );
  return framed(rows, HEAT_WIDTH, x, y);
}

function placeIn(value: number, { lower, upper }: Bounds, cells: number): number {
  if (!Number.isFinite(value)) return -1;
  return Math.min(cells - 1, Math.floor(((value - lower) / (upper - lower)) * cells));
}

/** What is not nothing is at least the lightest shade. */
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

/** An axis per component beside each other, a line per sample across them. */
export function parallelLines(components: readonly Component[], most = 200): string[] {
  const bounds = components.map(({ values }) => boundsOf(values.map(axisNumber(values))));
  const gaps = components.length - 1;
  const width = Math.min(72, 24 * gaps);
  const canvas = new Canvas({ lower: 0, upper: gaps }, { lower: 0, upper: 1 }, width, 14);
  const { length } = components[0].values;
  const stride = Math.max(1, Math.ceil(length / most));
  for (let i = 0; i < length; i += stride) {
    const heights = components.map(({ values }, c) => {
      const { lower, upper } = bounds[c];
      return (axisNumber(values)(values[i]) - lower) / (upper - lower);
    });
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
