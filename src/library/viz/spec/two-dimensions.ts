/** Specifications of drawings of two components and more. */
import {
  aria,
  data,
  groups,
  type Looks,
  marked,
  names,
  numbers,
  places,
  type Spec,
  short,
  sized,
  type View,
} from './view.ts';

/** Coordinates, and the group of each point if there are groups. */
export interface Points {
  readonly xs: ArrayLike<number>;
  readonly ys: ArrayLike<number>;
  readonly groups?: readonly string[];
}

function rowsOf({ xs, ys, groups: group }: Points, chosen: readonly number[]): Spec[] {
  return chosen
    .filter((i) => Number.isFinite(xs[i]) && Number.isFinite(ys[i]))
    .map((i) => ({ x: short(xs[i]), y: short(ys[i]), ...(group === undefined ? {} : { group: group[i] }) }));
}

function axes(points: Points, looks: Looks): Spec {
  return {
    x: numbers('x', looks.xLabel ?? null, looks.xBounds),
    y: numbers('y', looks.yLabel ?? null, looks.yBounds),
    ...(points.groups === undefined ? {} : { color: groups('group', null) }),
  };
}

const over = ({ xLabel = 'x', yLabel = 'y' }: Looks): string => `${yLabel} over ${xLabel}`;

/** A dot per pair. */
export function scatterView(points: Points, looks: Looks, size?: { width: number; height: number }): View {
  const chosen = places(points.xs.length);
  return {
    description: `Points, ${over(looks)}: ${chosen.length}${
      chosen.length < points.xs.length ? ` of ${points.xs.length}` : ''
    }`,
    data: data(rowsOf(points, chosen)),
    ...sized(looks, size),
    mark: marked('point', looks, aria(chosen.length)),
    encoding: axes(points, looks),
  };
}

/** A line through the pairs in their order. */
export function lineView(points: Points, looks: Looks, size?: { width: number; height: number }): View {
  const chosen = places(points.xs.length, 5000);
  return {
    description: `Line, ${over(looks)}, through ${points.xs.length} points`,
    data: data(rowsOf(points, chosen).map((row, order) => ({ ...row, order }))),
    ...sized(looks, size),
    mark: marked('line', looks),
    encoding: { ...axes(points, looks), order: { field: 'order', type: 'quantitative' } },
  };
}

/** Weights on a grid, given row by row from the smallest coordinates on. */
export interface Grid {
  readonly x: { readonly lower: number; readonly upper: number };
  readonly y: { readonly lower: number; readonly upper: number };
  readonly columns: number;
  readonly rows: number;
  readonly weights: ArrayLike<number>;
}

/** Darker where there is more. The share is shown by opacity, so that it looks right on any paper. */
export function heatView({ x, y, columns, rows, weights }: Grid, looks: Looks): View {
  const [wide, tall] = [(x.upper - x.lower) / columns, (y.upper - y.lower) / rows];
  const cells: Spec[] = [];
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++) {
      const weight = weights[row * columns + column];
      if (!(weight > 0)) continue;
      cells.push({
        x: short(x.lower + column * wide),
        x2: short(x.lower + (column + 1) * wide),
        y: short(y.lower + row * tall),
        y2: short(y.lower + (row + 1) * tall),
        share: short(weight),
      });
    }
  }
  return {
    description: `Heat map, ${over(looks)}, in ${columns} by ${rows} cells`,
    data: data(cells),
    ...sized(looks, { width: 420, height: 320 }),
    mark: marked('rect', looks),
    encoding: {
      x: numbers('x', looks.xLabel ?? null, looks.xBounds),
      x2: { field: 'x2' },
      y: numbers('y', looks.yLabel ?? null, looks.yBounds),
      y2: { field: 'y2' },
      opacity: { field: 'share', type: 'quantitative', scale: { range: [0.08, 1] }, title: 'share' },
    },
  };
}

/** A pair of names with its probability. */
interface Cell {
  readonly first: string;
  readonly second: string;
  readonly probability: number;
}

/** Probabilities of pairs: the first component down, the second across. */
export function crossView(cells: readonly Cell[], [first, second]: readonly [string, string], looks: Looks): View {
  const largest = Math.max(...cells.map(({ probability }) => probability));
  const across = [...new Set(cells.map((cell) => cell.second))];
  const encoding = { x: names('second', looks.xLabel ?? second, across), y: names('first', looks.yLabel ?? first) };
  return {
    description: `Probabilities of ${first} and ${second}`,
    data: data(cells.map((cell) => ({ ...cell, probability: short(cell.probability) }))),
    width: looks.width ?? { step: 64 },
    height: looks.height ?? { step: 32 },
    encoding,
    layer: [
      {
        mark: marked('rect', looks),
        encoding: {
          opacity: {
            field: 'probability',
            type: 'quantitative',
            legend: null,
            scale: { range: [0, 0.6], domain: [0, largest] },
          },
        },
      },
      { mark: { type: 'text', style: 'words' }, encoding: { text: { field: 'probability', format: '.4f' } } },
    ],
  };
}

/** An axis per component, a line per sample; heights are shares of each axis. */
export function parallelView(
  axisNames: readonly string[],
  samples: readonly (readonly number[])[],
  looks: Looks,
): View {
  const rows = samples.flatMap((heights, sample) =>
    heights
      .map((height, i) => ({ sample, axis: axisNames[i], height: short(height) }))
      .filter(({ height }) => Number.isFinite(height)),
  );
  return {
    description: `Parallel coordinates of ${axisNames.map((name) => name.split('|')[0]).join(', ')}: ${samples.length} samples`,
    data: data(rows),
    width: looks.width ?? { step: Math.max(80, Math.min(200, Math.floor(560 / axisNames.length))) },
    height: looks.height ?? 260,
    mark: marked('line', looks, { style: 'faint', opacity: 0.18, strokeWidth: 1 }),
    encoding: {
      x: {
        ...names('axis', looks.xLabel ?? null),
        scale: { type: 'point' },
        axis: { grid: true, labelAngle: 0, labelLimit: 0, labelExpr: "split(datum.label, '|')" },
      },
      y: { field: 'height', type: 'quantitative', title: looks.yLabel ?? 'share of the range', axis: { grid: false } },
      detail: { field: 'sample' },
    },
  };
}
