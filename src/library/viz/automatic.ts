/** The drawing that fits the types of the components: real (on an axis) or categorical (by name). */
import { inlineText } from '../show/inline.ts';
import type { Weighted } from '../weighted.ts';
import type { Drawing } from './chart.ts';
import { type Component, componentsOf, totals } from './data.ts';
import { densityCurve } from './density.ts';
import {
  asNumbers,
  crossDrawing,
  densityDrawing,
  heatDrawing,
  parallelDrawing,
  scatterDrawing,
  tableDrawing,
} from './drawings.ts';
import { curveLines } from './one-dimension.ts';
import type { DrawingOptions } from './options.ts';
import { densityView } from './spec/one-dimension.ts';
import { PART, stacked, tiled, type View } from './spec/view.ts';

/** More samples than this are drawn as a heat map instead of dots. */
const MANY_POINTS = 2000;

/** Categories beyond this many are not given a drawing each. */
const MANY_CATEGORIES = 6;

/** Components beyond this many are not drawn beside each other. */
const MANY_COMPONENTS = 8;

export function automaticDrawing(weighted: Weighted<unknown>, options: DrawingOptions): Drawing {
  const components = componentsOf(weighted.values);
  const reals = components.filter(({ real }) => real);
  const names = components.filter(({ real }) => !real);
  if (reals.length === 0) return categorical(names, weighted, options);
  if (reals.length === 1) return oneReal(reals[0], names, weighted, options);
  if (reals.length === 2 && names.length === 0) return pair(reals[0], reals[1], weighted.weights, options);
  const marginals = marginalDrawing(weighted, options);
  if (components.length > MANY_COMPONENTS) return marginals;
  const parallel = parallelDrawing(components, options);
  return together([marginals, parallel], [marginals.view, groupedPair(reals, names, options) ?? parallel.view]);
}

/** Drawings under each other. */
function together(drawings: readonly Drawing[], views: readonly View[] = drawings.map(({ view }) => view)): Drawing {
  return {
    lines: drawings.flatMap(({ lines }, i) => (i === 0 ? lines : ['', ...lines])),
    view: stacked(views),
  };
}

function categorical(names: readonly Component[], weighted: Weighted<unknown>, options: DrawingOptions): Drawing {
  const cross = names.length === 2 ? crossDrawing(names[0], names[1], weighted.weights, options) : undefined;
  return cross ?? tableDrawing(weighted, options);
}

/** What the names of each value are, in words. */
function labelsOf(names: readonly Component[], length: number): string[] {
  return Array.from({ length }, (_, i) =>
    names.map(({ name, values }) => `${name === '' ? '' : `${name} = `}${inlineText(values[i])}`).join(', '),
  );
}

/** The density of the real component, for each combination of the others if there are few. */
function oneReal(
  real: Component,
  names: readonly Component[],
  { weights }: Weighted<unknown>,
  options: DrawingOptions,
): Drawing {
  const looks = real.name === '' ? options : { xLabel: real.name, ...options };
  const numbers = asNumbers('viz', { values: real.values, weights });
  const labels = labelsOf(names, weights.length);
  const groups = totals(labels, weights);
  if (names.length === 0) return densityDrawing(numbers, looks);
  if (groups.length > MANY_CATEGORIES) {
    const density = densityDrawing(numbers, looks);
    return together([
      { ...density, lines: [`${real.name}:`, ...density.lines] },
      ...names.map(({ name, values }) => headed(name, tableDrawing({ values, weights }, options))),
    ]);
  }
  const all = numbers.values;
  const ends = options.bounds ?? [all.reduce((a, b) => Math.min(a, b)), all.reduce((a, b) => Math.max(a, b))];
  const bounds = ends[0] < ends[1] ? { lower: ends[0], upper: ends[1] } : undefined;
  const parts = groups.map(({ value, probability }) => {
    const places = labels.flatMap((label, i) => (label === value ? [i] : []));
    const own = {
      values: all.filter((_, i) => labels[i] === value),
      weights: places.map((i) => weights[i] / probability),
    };
    return { group: value as string, probability, numbers: own };
  });
  const lines = parts.flatMap(({ group, probability, numbers: own }, g) => [
    ...(g === 0 ? [] : ['']),
    `${real.name === '' ? '' : `${real.name}, `}${group} (probability ${probability.toFixed(4)}):`,
    ...curveLines(densityCurve(own, 64, bounds)),
  ]);
  const curves = parts.map(({ group, numbers: own }) => ({ ...densityCurve(own, 160, bounds), group }));
  return { lines, view: densityView(curves, looks) };
}

const headed = (name: string, { lines, view }: Drawing): Drawing => ({
  lines: name === '' ? lines : [`${name}:`, ...lines],
  view: name === '' ? view : { title: name, ...view },
});

function pair(x: Component, y: Component, weights: ArrayLike<number>, options: DrawingOptions): Drawing {
  const points = { xs: Float64Array.from(x.values as number[]), ys: Float64Array.from(y.values as number[]) };
  const looks = x.name === '' ? options : { xLabel: x.name, yLabel: y.name, ...options };
  const isMany = weights.length > MANY_POINTS || options.summarize === true;
  const drawing = isMany ? heatDrawing(points, weights, looks) : scatterDrawing(points, looks);
  return x.name === '' ? drawing : { ...drawing, lines: [`${y.name} over ${x.name}`, ...drawing.lines] };
}

/** Two real components as points in the colours of the others; undefined if there are more, or too many colours. */
function groupedPair(
  reals: readonly Component[],
  names: readonly Component[],
  options: DrawingOptions,
): View | undefined {
  if (reals.length !== 2) return undefined;
  const [x, y] = reals;
  const groups = labelsOf(names, x.values.length);
  if (new Set(groups).size > MANY_CATEGORIES) return undefined;
  const points = { xs: x.values as number[], ys: y.values as number[], groups };
  return scatterDrawing(points, { xLabel: x.name, yLabel: y.name, ...options }).view;
}

/** Two beside each other, as far as they go. */
const marginalView = (drawings: readonly Drawing[]): View =>
  tiled(
    drawings.map(({ view }) => view),
    2,
  );

/** A drawing per component. */
export function marginalDrawing({ values, weights }: Weighted<unknown>, options: DrawingOptions): Drawing {
  const components = componentsOf(values);
  const size = components.length > 1 ? PART : undefined;
  const drawings = components.map((part) => {
    const own = { values: part.values, weights };
    if (!part.real) return headed(part.name, tableDrawing(own, { width: PART.width, ...options }));
    return headed(part.name, densityDrawing(asNumbers('viz.marginals', own), options, size));
  });
  return { ...together(drawings), view: marginalView(drawings) };
}
