import { describe } from '../../runtime/describe.ts';
import { didYouMean, WaymarkError } from '../../runtime/errors.ts';
import type { Looks } from './spec/view.ts';

/** Options of drawings. Each function takes some of these; any other is an error. */
export interface DrawingOptions extends Looks {
  title?: string;
  /** Names of the axes. */
  xLabel?: string;
  yLabel?: string;
  /** Ends of the axes of points, lines and heat maps. */
  xBounds?: readonly [number, number];
  yBounds?: readonly [number, number];
  /** Size of a chart in pixels; text has its own. */
  width?: number;
  height?: number;
  /** Colour and width of lines of a chart, which text does not have. */
  color?: string;
  strokeWidth?: number;
  /** Bins of a histogram. */
  numBins?: number;
  /** Ends of the axis of a density or a histogram. */
  bounds?: readonly [number, number];
  /** Show log-probabilities in a table. */
  log?: boolean;
  /** Rows of a table: the most probable ones. */
  top?: number;
  /** Whether fields of values have columns of their own in a table. They do, unless this is false. */
  destructure?: boolean;
  /** Whether bars are horizontal. */
  horizontal?: boolean;
  /** What tells groups of points, lines or bars apart: a field of the values, or a list with an item for each. */
  groupBy?: string | readonly unknown[];
  /** Whether two real components are drawn as a heat map, however few samples there are. */
  summarize?: boolean;
  /** How many samples stand for a family that has no quantiles in closed form. */
  samples?: number;
}

const LOOKS = ['title', 'xLabel', 'yLabel', 'width', 'height', 'color'];
const TABLE = ['log', 'top', 'destructure'];

/** The options of each function. */
const TAKES: Readonly<Record<string, readonly string[]>> = {
  viz: [...LOOKS, ...TABLE, 'bounds', 'numBins', 'summarize', 'samples', 'strokeWidth'],
  'viz.table': [...LOOKS, ...TABLE, 'samples'],
  'viz.bar': [...LOOKS, ...TABLE, 'horizontal', 'groupBy', 'samples'],
  'viz.hist': [...LOOKS, ...TABLE, 'numBins', 'bounds', 'samples'],
  'viz.density': [...LOOKS, 'bounds', 'strokeWidth', 'samples'],
  'viz.line': [...LOOKS, 'xBounds', 'yBounds', 'groupBy', 'strokeWidth'],
  'viz.scatter': [...LOOKS, 'xBounds', 'yBounds', 'groupBy', 'samples'],
  'viz.heatMap': [...LOOKS, 'xBounds', 'yBounds', 'samples'],
  'viz.marginals': [...LOOKS, ...TABLE, 'bounds', 'samples', 'strokeWidth'],
  'viz.parCoords': [...LOOKS, 'samples', 'strokeWidth'],
  'viz.calibration': ['title', 'width', 'height'],
  'viz.trace': ['title', 'width', 'height'],
  'viz.rank': ['title', 'width', 'height', 'numBins'],
  'viz.pairs': ['title', 'samples'],
  'viz.forest': ['title', 'xLabel', 'width', 'samples'],
  'viz.predictive': ['title', 'xLabel', 'width', 'height', 'bounds'],
};

const isBounds = (value: unknown): boolean =>
  Array.isArray(value) && value.length === 2 && value.every(Number.isFinite) && value[0] < value[1];

const isWhole = (least: number, most: number) => (value: unknown) =>
  Number.isInteger(value) && (value as number) >= least && (value as number) <= most;

const isText = (value: unknown): boolean => typeof value === 'string';
const isTruth = (value: unknown): boolean => typeof value === 'boolean';
const isSize = (value: unknown): boolean => Number.isFinite(value) && (value as number) > 0;

const TEXT = { must: 'be a string', holds: isText };
const TRUTH = { must: 'be true or false', holds: isTruth };
const SIZE = { must: 'be a number above 0', holds: isSize };
const ENDS = { must: 'be [lower, upper]', holds: isBounds };

/** What each option must be. */
const KINDS: Readonly<Record<string, { must: string; holds(value: unknown): boolean }>> = {
  title: TEXT,
  xLabel: TEXT,
  yLabel: TEXT,
  color: TEXT,
  width: SIZE,
  height: SIZE,
  strokeWidth: SIZE,
  log: TRUTH,
  destructure: TRUTH,
  horizontal: TRUTH,
  summarize: TRUTH,
  bounds: ENDS,
  xBounds: ENDS,
  yBounds: ENDS,
  numBins: { must: 'be a whole number from 1 to 200', holds: isWhole(1, 200) },
  top: { must: 'be a whole number of at least 1', holds: isWhole(1, Infinity) },
  samples: { must: 'be a whole number from 1 to 100000', holds: isWhole(1, 100_000) },
  groupBy: {
    must: 'be the name of a field, or a list with an item for each point',
    holds: (value) => isText(value) || Array.isArray(value),
  },
};

/** The options of a function of `viz`, checked. */
export function readDrawingOptions(caller: string, options: unknown): DrawingOptions {
  if (options === undefined) return {};
  if (typeof options !== 'object' || options === null || Array.isArray(options)) {
    throw new WaymarkError(`${caller} takes its options as an object, got ${describe(options)}.`);
  }
  const takes = TAKES[caller];
  for (const [name, value] of Object.entries(options)) {
    if (!takes.includes(name)) {
      throw new WaymarkError(
        `${caller} has no option '${name}'; it takes ${takes.join(', ')}.${didYouMean(name, takes)}`,
      );
    }
    const { must, holds } = KINDS[name];
    if (value !== undefined && !holds(value)) {
      throw new WaymarkError(`${caller}: ${name} must ${must}, got ${describe(value)}.`);
    }
  }
  return options as DrawingOptions;
}

/** Title and axis names above a drawing in text. */
export function titleLines({ title, xLabel, yLabel }: DrawingOptions): string[] {
  const axes = [yLabel, xLabel].filter((label) => label !== undefined).join(' over ');
  return [...(title === undefined ? [] : [title]), ...(axes === '' ? [] : [axes])];
}
