/** Calibration of networks for programs with discrete choices and variable structure. */
import type { TopLevelSpec } from 'vega-lite';
import type { Claim, Figure } from '../chapter.ts';
import { figure, percent } from '../numbers.ts';

/** What the program `calibration` gives. */
export interface CalibrationRun {
  readonly label: string;
  readonly simulations: number;
  readonly calibrated: boolean;
  readonly verdict: string;
  /** The effective sample size of a posterior, in the median. */
  readonly draws: number;
  readonly quantities: readonly {
    readonly name: string;
    readonly finding: string;
    readonly inBand: boolean;
    readonly gain: number;
    readonly ecdf: {
      readonly at: readonly number[];
      readonly value: readonly number[];
      readonly lower: readonly number[];
      readonly upper: readonly number[];
    };
  }[];
}

export function calibrationClaim({ label, simulations, calibrated, draws, quantities }: CalibrationRun): Claim {
  const found = quantities.map(
    ({ name, finding, inBand, gain }) =>
      `${name} ${finding}, ${inBand ? 'inside' : 'outside'} its band, ${gain.toFixed(2)} nats over the prior`,
  );
  return {
    claim: `${label}: posteriors are calibrated`,
    paper: 'none',
    waymark: `${found.join('; ')}; a posterior is worth ${figure(draws)} draws`,
    test: `ranks of ${figure(simulations)} true values are uniform, at the level of ${percent(0.05)} for all quantities together`,
    met: calibrated,
  };
}

/** Distribution functions of the ranks less the straight line, with their bands. */
export function calibrationFigures({ quantities }: CalibrationRun): Figure[] {
  const values = quantities.flatMap(({ name, ecdf: { at, value, lower, upper } }) =>
    at.map((x, i) => ({ quantity: name, x, y: value[i], lower: lower[i], upper: upper[i] })),
  );
  const x = { field: 'x', type: 'quantitative' as const, title: 'rank' };
  const spec: TopLevelSpec = {
    data: { values },
    facet: { field: 'quantity', type: 'nominal', title: null, sort: null },
    columns: 3,
    spec: {
      width: 180,
      height: 110,
      layer: [
        {
          mark: { type: 'area', opacity: 0.25 },
          encoding: { x, y: { field: 'lower', type: 'quantitative', title: null }, y2: { field: 'upper' } },
        },
        { mark: 'line', encoding: { x, y: { field: 'y', type: 'quantitative', title: null } } },
      ],
    },
  };
  const caption =
    'Ranks of true values in their posteriors: their distribution function less the straight line, with the band that it stays in ' +
    'in 95 of 100 cases if posteriors are right.';
  return [{ name: 'calibration', caption, spec }];
}
