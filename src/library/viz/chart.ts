/**
 * A drawing as a value, which is an output of the run: a Vega-Lite specification for pages and reports (`src/report/` draws
 * it), and text for terminals.
 */
import type { Spec, View } from './spec/view.ts';

/** What `viz` and its kin output. `spec` has no colours: `chartConfig` gives them, for a light or a dark page. */
export interface Chart {
  readonly kind: 'chart';
  /** A Vega-Lite specification, with its data in it. */
  readonly spec: Spec;
  /** The same drawing in characters. */
  readonly text: string;
}

/** What is drawn, in both forms. */
export interface Drawing {
  readonly lines: readonly string[];
  readonly view: View;
}

const SCHEMA = 'https://vega.github.io/schema/vega-lite/v6.json';

export function chartOf({ lines, view }: Drawing, { title, text }: { title?: string; text: readonly string[] }): Chart {
  const titled = title === undefined ? {} : { title };
  return {
    kind: 'chart',
    spec: { $schema: SCHEMA, ...view, ...titled },
    text: [...text, ...lines].join('\n'),
  };
}

/** Whether an output is a chart. */
export function isChart(value: unknown): value is Chart {
  const { kind, spec, text } = (typeof value === 'object' && value !== null ? value : {}) as Partial<Chart>;
  return kind === 'chart' && typeof text === 'string' && typeof spec === 'object' && spec !== null;
}

const data = new WeakMap<Chart, unknown>();

/** Keeps what a chart was made of. */
export function madeOf(chart: Chart, of: unknown): Chart {
  data.set(chart, of);
  return chart;
}

/** What a chart was made of, which `--json` writes in its place; anything else is itself. */
export const drawnData = (value: unknown): unknown => (isChart(value) && data.has(value) ? data.get(value) : value);
