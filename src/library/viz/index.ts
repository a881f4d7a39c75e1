/** Drawings, as text: `viz(dist)` chooses one, `viz.hist(dist)` and the others are told. */
import { describe } from '../../runtime/describe.ts';
import { WaymarkError } from '../../runtime/errors.ts';
import { machine } from '../../runtime/machine.ts';
import { isDistribution } from '../../runtime/primitives.ts';
import { Tensor } from '../../tensor/tensor.ts';
import { show } from '../show/value.ts';
import { automaticLines, marginalLines } from './automatic.ts';
import { componentsOf, coordinates, type Drawable, drawn } from './data.ts';
import { asNumbers, barLines, densityLines, familyLines, histogramLines, tableLines } from './one-dimension.ts';
import { type DrawingOptions, readDrawingOptions, titled } from './options.ts';
import { heatLines, lineLines, parallelLines, scatterLines } from './two-dimensions.ts';

function put(value: unknown, lines: readonly string[], options: DrawingOptions): void {
  machine.run.output(value, titled(lines, options).join('\n'));
}

/** Two lists of coordinates, or pairs with two components. */
function pairs(caller: string, first: unknown, second: unknown): { xs: number[]; ys: number[]; weights: number[] } {
  if (second !== undefined && (Array.isArray(second) || ArrayBuffer.isView(second) || second instanceof Tensor)) {
    const [xs, ys] = [coordinates(caller, first), coordinates(caller, second)];
    if (xs.length !== ys.length) {
      throw new WaymarkError(`${caller} needs two lists of one length, got lengths ${xs.length} and ${ys.length}.`);
    }
    return { xs, ys, weights: xs.map(() => 1 / xs.length) };
  }
  const { values, weights } = drawn(caller, first as Drawable);
  const parts = componentsOf(values);
  if (parts.length < 2) {
    throw new WaymarkError(
      `${caller} needs two lists, as in ${caller}(xs, ys), or values with two parts; got ${describe(values[0])}.`,
    );
  }
  const [x, y] = parts;
  return { xs: coordinates(caller, x.values), ys: coordinates(caller, y.values), weights: Array.from(weights) };
}

const isOptions = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;

/** The drawing that fits the data: distributions and samples, or anything else as `display` shows it. */
export function auto(data: unknown, options?: DrawingOptions): void {
  const drawable = isDistribution(data) || (Array.isArray(data) && data.length > 0) || data instanceof Tensor;
  const read = readDrawingOptions('viz', options);
  if (!drawable) machine.run.output(data, show(data));
  else put(data, familyLines(data, read) ?? automaticLines(drawn('viz', data as Drawable), read), read);
}

/** Values with their probabilities, as bars. */
export function table(data: Drawable, options?: DrawingOptions): void {
  putTable('viz.table', data, options);
}

function putTable(caller: string, data: Drawable, options?: DrawingOptions): void {
  const read = readDrawingOptions(caller, options);
  put(data, tableLines(drawn(caller, data), read), read);
}

/** `viz.bar(labels, heights)`, or of a distribution. */
export function bar(labels: Drawable, heights?: ArrayLike<number> | DrawingOptions, options?: DrawingOptions): void {
  if (heights === undefined || isOptions(heights)) {
    putTable('viz.bar', labels, heights as DrawingOptions | undefined);
    return;
  }
  const read = readDrawingOptions('viz.bar', options);
  if (!Array.isArray(labels)) throw new WaymarkError(`viz.bar needs a list of labels, got ${describe(labels)}.`);
  put([labels, heights], barLines(labels, coordinates('viz.bar', heights)), read);
}

/** How often values fall where. */
export function hist(data: Drawable, options?: DrawingOptions): void {
  const read = readDrawingOptions('viz.hist', options);
  const weighted = drawn('viz.hist', data);
  const [part] = componentsOf(weighted.values);
  const byName = part.name === '' && !part.real && read.numBins === undefined;
  put(data, byName ? tableLines(weighted, read) : histogramLines(asNumbers('viz.hist', weighted), read), read);
}

/** A smoothed density of numbers. */
export function density(data: Drawable, options?: DrawingOptions): void {
  const read = readDrawingOptions('viz.density', options);
  const lines = familyLines(data, read) ?? densityLines(asNumbers('viz.density', drawn('viz.density', data)), read);
  put(data, lines, read);
}

/** `viz.line(xs, ys)`, or of pairs in their order. */
export function line(first: Drawable, second?: ArrayLike<number> | DrawingOptions, options?: DrawingOptions): void {
  const { xs, ys } = pairs('viz.line', first, second);
  const read = readDrawingOptions('viz.line', isOptions(second) ? second : options);
  const groups = Array.isArray(read.groupBy) ? (read.groupBy as unknown[]) : undefined;
  put([xs, ys], lineLines(xs, ys, groups), read);
}

/** `viz.scatter(xs, ys)`, or of pairs. */
export function scatter(first: Drawable, second?: ArrayLike<number> | DrawingOptions, options?: DrawingOptions): void {
  const { xs, ys } = pairs('viz.scatter', first, second);
  const read = readDrawingOptions('viz.scatter', isOptions(second) ? second : options);
  put([xs, ys], scatterLines(xs, ys), read);
}

/** Of a distribution over pairs, or of two lists. */
export function heatMap(first: Drawable, second?: ArrayLike<number> | DrawingOptions, options?: DrawingOptions): void {
  const { xs, ys, weights } = pairs('viz.heatMap', first, second);
  const read = readDrawingOptions('viz.heatMap', isOptions(second) ? second : options);
  put([xs, ys], heatLines(xs, ys, weights), read);
}

/** A drawing per field. */
export function marginals(data: Drawable, options?: DrawingOptions): void {
  const read = readDrawingOptions('viz.marginals', options);
  put(data, marginalLines(drawn('viz.marginals', data), read), read);
}

/** Parallel coordinates: an axis per field, a line per value. */
export function parCoords(data: Drawable, options?: DrawingOptions): void {
  const read = readDrawingOptions('viz.parCoords', options);
  const parts = componentsOf(drawn('viz.parCoords', data).values);
  if (parts.length < 2) throw new WaymarkError('viz.parCoords needs values with at least two parts.');
  put(data, parallelLines(parts), read);
}

/** `viz(data)` is `viz.auto(data)`. */
export const viz = Object.assign((data: unknown, options?: DrawingOptions): void => auto(data, options), {
  auto,
  bar,
  density,
  heatMap,
  hist,
  line,
  marginals,
  parCoords,
  scatter,
  table,
});

/** An older name of `viz.auto`. */
export function vizPrint(data: unknown, options?: DrawingOptions): void {
  auto(data, options);
}
