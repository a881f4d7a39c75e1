/** Bars with intervals. */
import type { TopLevelSpec } from 'vega-lite';
import type { Figure, Table } from './chapter.ts';
import { interval } from './statistics.ts';

/** A condition with a value from each run. */
interface Bar {
  readonly label: string;
  readonly values: readonly number[];
}

/** What the figure is called, and what its bars measure. */
interface BarFigure {
  readonly name: string;
  readonly caption: string;
  readonly measure: string;
}

/** A figure of bars, and a table of their heights. */
export function barFigure({ name, caption, measure }: BarFigure, bars: readonly Bar[]): [Figure, Table] {
  const values = bars.map(({ label, values }) => ({ condition: label, runs: values.length, ...interval(values) }));
  const y = { field: 'condition', type: 'nominal' as const, sort: null, title: null, axis: { labelLimit: 240 } };
  const spec: TopLevelSpec = {
    width: 320,
    height: { step: 32 },
    data: { values },
    layer: [
      {
        mark: { type: 'bar', opacity: 0.75 },
        encoding: {
          y,
          x: { field: 'mean', type: 'quantitative', title: measure },
          color: { field: 'condition', type: 'nominal', sort: null, legend: null },
        },
      },
      {
        mark: { type: 'rule', strokeWidth: 1.5 },
        encoding: { y, x: { field: 'low', type: 'quantitative' }, x2: { field: 'high' } },
      },
      {
        mark: { type: 'text', align: 'left', dx: 6 },
        encoding: { y, x: { field: 'high', type: 'quantitative' }, text: { field: 'mean', format: '.3~r' } },
      },
    ],
  };
  const rows = values.map(({ condition, runs, mean, low, high }) => [condition, runs, mean, low, high]);
  const head = ['condition', 'runs', 'mean', 'low', 'high'];
  return [
    { name, caption, spec },
    { name, caption, head, rows, fileOnly: true },
  ];
}
