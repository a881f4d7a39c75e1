/** Specifications of drawings of what `calibrate` found. */
import type { Banded } from '../../calibration/uniform.ts';
import { data, numbers, type Spec, short, tiled, type View } from './view.ts';

/** The curves of one quantity. */
export interface CalibrationCurves {
  readonly name: string;
  readonly finding: string;
  readonly calibrated: boolean;
  readonly ecdf: Banded;
  readonly coverage: Banded;
}

/** A row per quantity: the distribution of ranks less the straight line, and what intervals hold, each in its band. */
export function calibrationView(
  quantities: readonly CalibrationCurves[],
  { width = 240, height = 130 }: { width?: number; height?: number },
): View {
  const size = { width, height };
  const views = quantities.flatMap(({ name, finding, ecdf, coverage }) => [
    { ...size, title: `${name}: ${finding}`, ...banded(ecdf, 'rank', 'ECDF difference', 0) },
    { ...size, title: 'coverage of intervals', ...banded(coverage, 'claimed', 'held', undefined) },
  ]);
  return {
    ...tiled(views, 2),
    description: `Calibration of ${quantities.map(({ name, finding }) => `${name} (${finding})`).join(', ')}; curves stay in their bands if posteriors are right`,
  };
}

function banded({ at, value, lower, upper }: Banded, across: string, up: string, level: number | undefined): View {
  const rows = at.map((x, i) => ({ x, value: short(value[i]), lower: short(lower[i]), upper: short(upper[i]) }));
  const x = numbers('x', across, [0, 1]);
  const expected: Spec =
    level === undefined
      ? {
          data: data([
            { x: 0, y: 0 },
            { x: 1, y: 1 },
          ]),
          mark: { type: 'line', style: 'reference' },
          encoding: { x, y: numbers('y', up) },
        }
      : { data: data([{}]), mark: { type: 'rule', style: 'reference' }, encoding: { y: { datum: level } } };
  return {
    layer: [
      {
        data: data(rows),
        mark: { type: 'area', opacity: 0.2, interpolate: 'step' },
        encoding: { x, y: numbers('lower', up), y2: { field: 'upper' } },
      },
      expected,
      {
        data: data(rows),
        mark: { type: 'line', style: 'observed', interpolate: 'step' },
        encoding: { x, y: numbers('value', up) },
      },
    ],
  };
}
