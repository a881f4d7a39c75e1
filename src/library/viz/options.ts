import { describe } from '../../runtime/describe.ts';
import { WaymarkError } from '../../runtime/errors.ts';

/** Labels and sizes that drawings take, all of which may be left out. */
export interface DrawingOptions {
  xLabel?: string;
  yLabel?: string;
  title?: string;
  /** Bins of a histogram. */
  numBins?: number;
  /** Ends of the axis of a density. */
  bounds?: readonly [number, number];
  /** Show log-probabilities in a table. */
  log?: boolean;
  /** Rows of a table. */
  top?: number;
  /** Looks that a terminal has no means for (colours, stroke widths, …) are ignored. */
  [look: string]: unknown;
}

/** Checks the options that have a meaning here. */
export function readDrawingOptions(caller: string, options: unknown): DrawingOptions {
  if (options === undefined) return {};
  if (typeof options !== 'object' || options === null || Array.isArray(options)) {
    throw new WaymarkError(`${caller} takes its options as an object, got ${describe(options)}.`);
  }
  const { numBins, bounds } = options as DrawingOptions;
  if (numBins !== undefined && !(Number.isInteger(numBins) && numBins >= 1 && numBins <= 200)) {
    throw new WaymarkError(`${caller}: numBins must be a whole number from 1 to 200, got ${describe(numBins)}.`);
  }
  if (bounds !== undefined && !(Array.isArray(bounds) && bounds.length === 2 && bounds[0] < bounds[1])) {
    throw new WaymarkError(`${caller}: bounds must be [lower, upper], got ${describe(bounds)}.`);
  }
  return options as DrawingOptions;
}

/** Title and axis names above a drawing. */
export function titled(lines: readonly string[], { title, xLabel, yLabel }: DrawingOptions): string[] {
  const axes = [yLabel, xLabel].filter((label) => label !== undefined).join(' over ');
  return [...(title === undefined ? [] : [title]), ...(axes === '' ? [] : [axes]), ...lines];
}
