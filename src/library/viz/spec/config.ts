/** The colours of charts, which their specifications leave open: a page has its own, by day and by night. */
import type { Spec } from './view.ts';

export interface ChartColours {
  /** Behind the drawing; absent for none. */
  readonly paper?: string;
  /** Text. */
  readonly ink: string;
  /** Axes and ticks. */
  readonly line: string;
  /** Lines of the grid. */
  readonly grid: string;
  /** What stands out, and then the others in turn: colour-blind readers can tell them apart, too. */
  readonly series: readonly string[];
}

export const LIGHT: ChartColours = {
  paper: '#ffffff',
  ink: '#1f2933',
  line: '#9aa5b1',
  grid: '#e4e7eb',
  series: ['#2563a8', '#c8501e', '#2f8a5b', '#8a4fa3', '#a87800', '#5b6b7a'],
};

export const DARK: ChartColours = {
  paper: '#14181d',
  ink: '#e4e7eb',
  line: '#616e7c',
  grid: '#2c343d',
  series: ['#6fa8e8', '#f0905f', '#66c596', '#c792de', '#dcb04a', '#9fb3c8'],
};

const FONT = 'system-ui, sans-serif';

/** The `config` of a Vega-Lite specification. Charts use its styles `observed`, `faint` and `reference`. */
export function chartConfig({ paper, ink, line, grid, series }: ChartColours): Spec {
  const [first, second] = series;
  const words = { labelColor: ink, titleColor: ink, labelFontSize: 11, titleFontSize: 12, titleFontWeight: 500 };
  return {
    background: paper ?? 'transparent',
    font: FONT,
    axis: { ...words, domainColor: line, tickColor: line, gridColor: grid, labelOverlap: true, labelLimit: 160 },
    axisX: { grid: false },
    legend: { ...words, symbolStrokeWidth: 2 },
    title: { color: ink, subtitleColor: ink, anchor: 'start', fontSize: 13, fontWeight: 600, offset: 8 },
    header: { labelColor: ink, titleColor: ink },
    view: { stroke: null },
    mark: { color: first, tooltip: true },
    bar: { color: first },
    area: { color: first },
    line: { color: first, strokeWidth: 2 },
    point: { color: first, filled: true, size: 22, opacity: 0.65 },
    rect: { color: first },
    rule: { color: line },
    text: { color: ink },
    range: { category: series },
    style: {
      observed: { color: second, stroke: second },
      forest: { color: first, stroke: first },
      faint: { opacity: 0.18, strokeWidth: 1 },
      reference: { color: line, stroke: line, strokeDash: [4, 3], strokeWidth: 1 },
      words: { color: ink, fill: ink },
    },
  };
}
