/** Drawings: `viz(dist)` chooses one, `viz.hist(dist)` and the others are told. */
import { describe } from '../../runtime/describe.ts';
import { WaymarkError } from '../../runtime/errors.ts';
import { machine } from '../../runtime/machine.ts';
import { isDistribution } from '../../runtime/primitives.ts';
import { isRecord } from '../../runtime/values.ts';
import { Tensor } from '../../tensor/tensor.ts';
import type { Calibration } from '../calibration/calibrate.ts';
import { show } from '../show/value.ts';
import type { Weighted } from '../weighted.ts';
import { automaticDrawing, marginalDrawing } from './automatic.ts';
import { calibrationDrawing, isCalibration } from './calibration.ts';
import { chartOf, type Drawing, madeOf } from './chart.ts';
import { componentsOf, coordinates, type Drawable, drawn } from './data.ts';
import { type Chains, forestDrawing, pairsDrawing, rankDrawing, traceDrawing } from './diagnostics.ts';
import {
  asNumbers,
  barDrawing,
  densityDrawing,
  familyDrawing,
  heatDrawing,
  histogramDrawing,
  lineDrawing,
  parallelDrawing,
  scatterDrawing,
  tableDrawing,
} from './drawings.ts';
import { frameOf, isFrame, pairsOf } from './frame.ts';
import { type DrawingOptions, readDrawingOptions, titleLines } from './options.ts';
import { predictiveDrawing } from './predictive.ts';

function put(data: unknown, drawing: Drawing, options: DrawingOptions): void {
  const chart = madeOf(chartOf(drawing, { title: options.title, text: titleLines(options) }), data);
  machine.run.output(chart, chart.text);
}

/** The drawing that fits the data: distributions and samples, or anything else as `display` shows it. */
export function auto(data: unknown, options?: DrawingOptions): void {
  if (isCalibration(data)) {
    calibration(data, options);
    return;
  }
  const drawable = isDistribution(data) || (Array.isArray(data) && data.length > 0) || data instanceof Tensor;
  const read = readDrawingOptions('viz', options);
  if (!drawable) machine.run.output(data, show(data));
  else
    put(data, familyDrawing(data, read) ?? automaticDrawing(drawn('viz', data as Drawable, read.samples), read), read);
}

/** Values with their probabilities, as bars. */
export function table(data: Drawable, options?: DrawingOptions): void {
  putTable('viz.table', data, options);
}

function putTable(caller: string, data: Drawable, options?: DrawingOptions): void {
  const read = readDrawingOptions(caller, options);
  put(data, tableDrawing(drawn(caller, data, read.samples), read), read);
}

/** `viz.bar(labels, heights)`, of objects with a label and a height each, or of a distribution. */
export function bar(labels: Drawable, heights?: ArrayLike<number> | DrawingOptions, options?: DrawingOptions): void {
  const read = readDrawingOptions('viz.bar', isRecord(heights) ? heights : options);
  if (heights === undefined || isRecord(heights)) {
    if (!isFrame(labels, read.groupBy)) {
      putTable('viz.bar', labels, read);
      return;
    }
    const { xs, ys, groups } = frameOf('viz.bar', labels, read.groupBy);
    put(labels, barDrawing(xs, coordinates('viz.bar', ys), read, groups), read);
    return;
  }
  if (!Array.isArray(labels)) throw new WaymarkError(`viz.bar needs a list of labels, got ${describe(labels)}.`);
  const groups = Array.isArray(read.groupBy) ? read.groupBy.map(String) : undefined;
  put([labels, heights], barDrawing(labels, coordinates('viz.bar', heights), read, groups), read);
}

/** Values that are objects or lists of one item stand for that item. */
function single(weighted: Weighted<unknown>): Weighted<unknown> {
  const components = componentsOf(weighted.values);
  return components.length === 1 ? { values: components[0].values, weights: weighted.weights } : weighted;
}

/** How many values fall into each bin. */
export function hist(data: Drawable, options?: DrawingOptions): void {
  const read = readDrawingOptions('viz.hist', options);
  const weighted = single(drawn('viz.hist', data, read.samples));
  const parts = componentsOf(weighted.values);
  const byName = parts.length > 1 || (!parts[0].real && read.numBins === undefined && read.bounds === undefined);
  put(data, byName ? tableDrawing(weighted, read) : histogramDrawing(asNumbers('viz.hist', weighted), read), read);
}

/** A smoothed density of numbers. */
export function density(data: Drawable, options?: DrawingOptions): void {
  const read = readDrawingOptions('viz.density', options);
  const drawing =
    familyDrawing(data, read) ??
    densityDrawing(asNumbers('viz.density', single(drawn('viz.density', data, read.samples))), read);
  put(data, drawing, read);
}

/** A line through points in their order: `viz.line(xs, ys)`, or pairs. */
export function line(first: Drawable, second?: ArrayLike<number> | DrawingOptions, options?: DrawingOptions): void {
  const read = readDrawingOptions('viz.line', isRecord(second) ? second : options);
  const points = pairsOf('viz.line', first, second, read);
  put([points.xs, points.ys], lineDrawing(points, read), read);
}

/** A dot for each point: `viz.scatter(xs, ys)`, or pairs. */
export function scatter(first: Drawable, second?: ArrayLike<number> | DrawingOptions, options?: DrawingOptions): void {
  const read = readDrawingOptions('viz.scatter', isRecord(second) ? second : options);
  const points = pairsOf('viz.scatter', first, second, read);
  put([points.xs, points.ys], scatterDrawing(points, read), read);
}

/** Darkness by probability, of a distribution over pairs, or of two lists. */
export function heatMap(first: Drawable, second?: ArrayLike<number> | DrawingOptions, options?: DrawingOptions): void {
  const read = readDrawingOptions('viz.heatMap', isRecord(second) ? second : options);
  const { weights, ...points } = pairsOf('viz.heatMap', first, second, read);
  put([points.xs, points.ys], heatDrawing(points, weights, read), read);
}

/** A drawing per field. */
export function marginals(data: Drawable, options?: DrawingOptions): void {
  const read = readDrawingOptions('viz.marginals', options);
  put(data, marginalDrawing(drawn('viz.marginals', data, read.samples), read), read);
}

/** Parallel coordinates: an axis per field, a line per value. */
export function parCoords(data: Drawable, options?: DrawingOptions): void {
  const read = readDrawingOptions('viz.parCoords', options);
  const parts = componentsOf(drawn('viz.parCoords', data, read.samples).values);
  if (parts.length < 2) throw new WaymarkError('viz.parCoords needs values with at least two parts.');
  put(data, parallelDrawing(parts, read), read);
}

/** The numbers of chains in the order in which they came, a line per chain: have the chains come to rest, and where? */
export function trace(chains: Chains, options?: DrawingOptions): void {
  const read = readDrawingOptions('viz.trace', options);
  put(chains, traceDrawing('viz.trace', chains, read), read);
}

/** Ranks of each chain's numbers among those of all chains. Chains that agree have even bars. */
export function rank(chains: Chains, options?: DrawingOptions): void {
  const read = readDrawingOptions('viz.rank', options);
  put(chains, rankDrawing('viz.rank', chains, read), read);
}

/** Points for every two numbers of the values, and a histogram of each. */
export function pairs(data: Chains, options?: DrawingOptions): void {
  const read = readDrawingOptions('viz.pairs', options);
  put(data, pairsDrawing('viz.pairs', data, read), read);
}

/** The median and the intervals that hold 50% and 95%, of every number in the values. */
export function forest(data: Chains, options?: DrawingOptions): void {
  const read = readDrawingOptions('viz.forest', options);
  put(data, forestDrawing('viz.forest', data, read), read);
}

/**
 * Observed data beside data that the model predicts: the first argument holds the observed ones, the second gives a list of as many
 * predicted ones for every sample.
 *
 *     const model = () => {
 *       const mu = gaussian(0, 5);
 *       mapData({data: [1.2, 0.7, 2.1]}, (y) => observe(Gaussian({mu, sigma: 1}), y));
 *       return repeat(3, () => gaussian(mu, 1));
 *     };
 *     viz.predictive([1.2, 0.7, 2.1], Infer({method: 'MCMC', samples: 500, model}));
 */
export function predictive(observed: ArrayLike<number>, predicted: Drawable, options?: DrawingOptions): void {
  const read = readDrawingOptions('viz.predictive', options);
  put([observed, predicted], predictiveDrawing('viz.predictive', observed, predicted, read), read);
}

/** The result of `calibrate`: curves of each quantity, and the bands that they stay in if posteriors are right. */
export function calibration(found: Calibration, options?: DrawingOptions): void {
  const read = readDrawingOptions('viz.calibration', options);
  put(found, calibrationDrawing(found, read), read);
}

/** `viz(data)` is `viz.auto(data)`. */
export const viz = Object.assign((data: unknown, options?: DrawingOptions): void => auto(data, options), {
  auto,
  bar,
  calibration,
  density,
  forest,
  heatMap,
  hist,
  line,
  marginals,
  pairs,
  parCoords,
  predictive,
  rank,
  scatter,
  table,
  trace,
});
