/** Curves of optimisations: thinned for the eye, as figures, and as tables. */
import type { TopLevelSpec } from 'vega-lite';
import type { Figure, Table } from './chapter.ts';
import type { Condition, Runs } from './experiment.ts';
import { interval, smoothed } from './statistics.ts';

/** A condition with the objectives of each of its runs, step by step. */
export interface Curve {
  readonly label: string;
  readonly histories: readonly (readonly number[])[];
}

/** Runs of a program that keep the objective of each step. */
interface Learned {
  readonly history: readonly number[];
}

/** The curve of each of these conditions. */
export const learningCurves = (conditions: readonly Condition[], runs: Runs<Learned>): Curve[] =>
  conditions.map(({ name, label }) => ({ label, histories: runs[name].map(({ history }) => history) }));

interface CurvePoint {
  readonly condition: string;
  readonly step: number;
  readonly mean: number;
  readonly low: number;
  readonly high: number;
}

const MOST_POINTS = 200;

/** The mean over runs with its band, at up to two hundred steps; each is the mean of the steps around it. */
function points({ label, histories }: Curve): CurvePoint[] {
  const length = Math.min(...histories.map((history) => history.length));
  const every = Math.max(1, Math.floor(length / MOST_POINTS));
  const smooth = histories.map((history) => smoothed(history, Math.floor(every / 2)));
  const steps = Array.from({ length: Math.ceil(length / every) }, (_, i) => i * every);
  if (steps.at(-1) !== length - 1) steps.push(length - 1);
  return steps.map((step) => ({ condition: label, step, ...interval(smooth.map((history) => history[step])) }));
}

/** How the axis of objectives is drawn. */
interface CurveFigure {
  readonly name: string;
  readonly caption: string;
  /** What the vertical axis shows. */
  readonly objective: string;
  /** The lowest value shown; curves that start below it come in from there. */
  readonly from?: number;
}

/** A figure of curves, and a table of all that it shows. */
export function curveFigure(
  { name, caption, objective, from }: CurveFigure,
  curves: readonly Curve[],
): [Figure, Table] {
  const all = curves.flatMap(points);
  const values = from === undefined ? all : all.filter(({ mean }) => mean >= from);
  const band = curves.some(({ histories }) => histories.length > 1);
  const color = {
    field: 'condition',
    type: 'nominal' as const,
    sort: curves.map(({ label }) => label),
    legend: {
      title: null,
      orient: 'bottom' as const,
      columns: 3,
      labelLimit: 240,
      symbolType: 'stroke',
      symbolStrokeWidth: 2,
      symbolOpacity: 1,
    },
  };
  const x = { field: 'step', type: 'quantitative' as const, title: 'step' };
  const scale = { zero: false, nice: true };
  const spec: TopLevelSpec = {
    width: 420,
    height: 260,
    data: { values },
    layer: [
      ...(band
        ? [
            {
              mark: { type: 'area' as const, opacity: 0.2 },
              encoding: { x, y: { field: 'low', type: 'quantitative' as const, scale }, y2: { field: 'high' }, color },
            },
          ]
        : []),
      {
        mark: { type: 'line' as const, strokeWidth: 1.5 },
        encoding: { x, y: { field: 'mean', type: 'quantitative' as const, title: objective, scale }, color },
      },
    ],
  };
  const rows = all.map(({ condition, step, mean, low, high }) => [condition, step, mean, low, high]);
  const table = { name, caption, head: ['condition', 'step', 'mean', 'low', 'high'], rows, fileOnly: true };
  return [{ name, caption, spec }, table];
}
