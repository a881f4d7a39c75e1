/** Figures as SVG, drawn by Vega-Lite without a browser. Loaded only where figures are made. */
import { parse, View } from 'vega';
import { compile, type TopLevelSpec } from 'vega-lite';

const FONT = 'system-ui, sans-serif';

/** The text of an SVG file. */
export async function svgOf(spec: TopLevelSpec): Promise<string> {
  const { spec: vega } = compile(spec, { config: { font: FONT, background: 'white' } });
  const view = new View(parse(vega), { renderer: 'none' });
  try {
    return await view.toSVG();
  } finally {
    view.finalize();
  }
}
