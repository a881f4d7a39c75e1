/** How charts look: the page's colours and type, in both themes. */
import type { Config } from 'vega-lite';

const LIGHT = { ink: '#1b2430', soft: '#5b6776', line: '#d9dfe7', mark: '#2f6fdb' };
const DARK = { ink: '#e6ebf2', soft: '#98a5b5', line: '#2b3542', mark: '#6ea8fe' };

/** Told apart also by those who see fewer colours (after Okabe and Ito). */
const SERIES = {
  light: ['#2f6fdb', '#d9730d', '#0f8f6f', '#b3439b', '#8a6d00', '#4aa3d8', '#7a5cd6', '#5b6776'],
  dark: ['#6ea8fe', '#f0a35e', '#45c5a2', '#e48ad0', '#d8bd55', '#7cc7ee', '#a893f0', '#98a5b5'],
};

const FONT = "system-ui, -apple-system, 'Segoe UI', Roboto, sans-serif";

export function configFor(dark: boolean, spec: object): Config {
  const { ink, soft, line, mark } = dark ? DARK : LIGHT;
  const own = (spec as { config?: Config }).config ?? {};
  const theme: Config = {
    font: FONT,
    background: 'transparent',
    view: { stroke: 'transparent' },
    title: { color: ink, fontSize: 13, fontWeight: 600, anchor: 'start', subtitleColor: soft },
    axis: {
      labelColor: soft,
      titleColor: soft,
      labelFontSize: 11,
      titleFontSize: 12,
      titleFontWeight: 500,
      gridColor: line,
      domainColor: line,
      tickColor: line,
    },
    legend: { labelColor: soft, titleColor: soft, titleFontWeight: 500 },
    header: { labelColor: soft, titleColor: soft },
    range: { category: dark ? SERIES.dark : SERIES.light },
    mark: { color: mark },
    bar: { cornerRadiusEnd: 2 },
    rule: { color: soft },
    text: { color: ink },
  };
  return { ...theme, ...own };
}
