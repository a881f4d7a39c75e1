/** Drawings of what `calibrate` found: is the curve within its band? */
import { describe } from '../../runtime/describe.ts';
import { WaymarkError } from '../../runtime/errors.ts';
import type { Calibration } from '../calibration/calibrate.ts';
import type { Banded } from '../calibration/uniform.ts';
import { Canvas } from './canvas.ts';
import type { Drawing } from './chart.ts';
import type { DrawingOptions } from './options.ts';
import { type CalibrationCurves, calibrationView } from './spec/calibration.ts';

/** Quantities that are drawn; what is left out is counted. */
const MOST = 12;

/** Whether something is what `calibrate` returns. */
export function isCalibration(value: unknown): value is Calibration {
  const { quantities, verdict } = (typeof value === 'object' && value !== null ? value : {}) as Partial<Calibration>;
  return typeof quantities === 'object' && typeof verdict === 'string';
}

export function calibrationDrawing(calibration: unknown, options: DrawingOptions): Drawing {
  if (!isCalibration(calibration)) {
    throw new WaymarkError(`viz.calibration needs what calibrate returns, got ${describe(calibration)}.`);
  }
  const { quantities, verdict } = calibration;
  // Those that are wrong come first.
  const all: CalibrationCurves[] = Object.entries(quantities)
    .map(([name, { finding, ecdf, coverage, calibrated }]) => ({ name, finding, ecdf, coverage, calibrated }))
    .sort((a, b) => Number(a.calibrated) - Number(b.calibrated));
  const shown = all.slice(0, MOST);
  const left = all.length - shown.length;
  return {
    lines: [
      verdict,
      ...shown.flatMap(({ name, finding, ecdf }) => [
        '',
        `${name}: ${finding}. Distribution of ranks less the straight line, in its band:`,
        ...bandLines(ecdf),
      ]),
      ...(left > 0 ? [`  … and ${left} more, which are not drawn`] : []),
    ],
    view: calibrationView(shown, options),
  };
}

function bandLines({ at, value, lower, upper }: Banded): string[] {
  const most = Math.max(...[...value, ...lower, ...upper].map(Math.abs));
  const canvas = new Canvas({ lower: 0, upper: 1 }, { lower: -most, upper: most }, 60, 8);
  for (const [points, every] of [
    [lower, 2],
    [upper, 2],
    [value, 1],
  ] as const) {
    for (let i = 1; i < at.length; i++) {
      // The band is dashed.
      if (every === 2 && i % 4 > 1) continue;
      canvas.line(at[i - 1], points[i - 1], at[i], points[i]);
    }
  }
  return canvas.lines();
}
