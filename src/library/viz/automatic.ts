/** The drawing that fits the types of the components: real (on an axis) or categorical (by name). */
import { inlineText } from '../show/inline.ts';
import type { Weighted } from '../weighted.ts';
import { type Component, componentsOf, totals } from './data.ts';
import { asNumbers, densityLines, tableLines } from './one-dimension.ts';
import type { DrawingOptions } from './options.ts';
import { crossTable, heatLines, parallelLines, scatterLines } from './two-dimensions.ts';

/** More samples than this are drawn as a heat map instead of dots. */
const MANY_POINTS = 2000;

/** Categories beyond this many are not given a drawing each. */
const MANY_CATEGORIES = 6;

export function automaticLines(weighted: Weighted<unknown>, options: DrawingOptions): string[] {
  const components = componentsOf(weighted.values);
  const reals = components.filter(({ real }) => real);
  const names = components.filter(({ real }) => !real);
  if (reals.length === 0) return categoricalLines(names, weighted, options);
  if (reals.length === 1) return realLines(reals[0], names, weighted, options);
  if (reals.length === 2 && names.length === 0) return pairLines(reals[0], reals[1], weighted.weights);
  const marginals = marginalLines(weighted, options);
  return components.length > 8 ? marginals : [...marginals, '', ...parallelLines(components)];
}

function categoricalLines(names: readonly Component[], weighted: Weighted<unknown>, options: DrawingOptions): string[] {
  const cross = names.length === 2 ? crossTable(names[0], names[1], weighted.weights) : undefined;
  return cross ?? tableLines(weighted, options);
}

/** The density of the real component, for each combination of the others if there are few. */
function realLines(
  real: Component,
  names: readonly Component[],
  { weights }: Weighted<unknown>,
  options: DrawingOptions,
): string[] {
  const labels = Array.from({ length: weights.length }, (_, i) =>
    names.map(({ name, values }) => `${name === '' ? '' : `${name} = `}${inlineText(values[i])}`).join(', '),
  );
  const groups = totals(labels, weights);
  if (names.length === 0 || groups.length > MANY_CATEGORIES) {
    const density = densityLines(asNumbers('viz', { values: real.values, weights }), options);
    const others = names.flatMap(({ name, values }) => ['', `${name}:`, ...tableLines({ values, weights }, options)]);
    return [...(names.length === 0 ? [] : [`${real.name}:`]), ...density, ...others];
  }
  const all = asNumbers('viz', { values: real.values, weights }).values;
  const bounds = options.bounds ?? [all.reduce((a, b) => Math.min(a, b)), all.reduce((a, b) => Math.max(a, b))];
  return groups.flatMap(({ value, probability }, g) => {
    const places = labels.flatMap((label, i) => (label === value ? [i] : []));
    const own = { values: places.map((i) => real.values[i]), weights: places.map((i) => weights[i] / probability) };
    const title = `${real.name === '' ? '' : `${real.name}, `}${value} (probability ${probability.toFixed(4)}):`;
    const within = bounds[0] < bounds[1] ? { ...options, bounds } : options;
    return [...(g === 0 ? [] : ['']), title, ...densityLines(asNumbers('viz', own), within)];
  });
}

function pairLines(x: Component, y: Component, weights: ArrayLike<number>): string[] {
  const [xs, ys] = [Float64Array.from(x.values as number[]), Float64Array.from(y.values as number[])];
  const lines = weights.length > MANY_POINTS ? heatLines(xs, ys, weights) : scatterLines(xs, ys);
  return x.name === '' ? lines : [`${y.name} over ${x.name}`, ...lines];
}

/** A drawing per component. */
export function marginalLines({ values, weights }: Weighted<unknown>, options: DrawingOptions): string[] {
  return componentsOf(values).flatMap((part, i) => {
    const own = { values: part.values, weights };
    const lines = part.real ? densityLines(asNumbers('viz.marginals', own), options) : tableLines(own, options);
    return [...(i === 0 ? [] : ['']), ...(part.name === '' ? [] : [`${part.name}:`]), ...lines];
  });
}
