/** Charts as SVG, drawn by Vega-Lite without a browser. Vega is loaded when something is to be drawn. */
import type { TopLevelSpec } from 'vega-lite';
import type { Spec } from '../library/viz/spec/view.ts';
import { WaymarkError } from '../runtime/errors.ts';

/** How a chart looks that says so itself. */
const PLAIN: Spec = { font: 'system-ui, sans-serif', background: 'white' };

/** The text of an SVG file. */
export async function svgOf(spec: object, config: Spec = PLAIN): Promise<string> {
  const [{ Error: onlyErrors, loader, parse, View }, { compile }] = await loadVega();
  const { spec: vega } = compile(spec as TopLevelSpec, { config });
  const view = new View(parse(vega), { renderer: 'none', loader: withinItself(loader()), logLevel: onlyErrors });
  try {
    return await view.toSVG();
  } finally {
    view.finalize();
  }
}

type Loader = ReturnType<typeof import('vega').loader>;

/** Data and pictures are in the specifications: nothing is fetched from anywhere, whatever they say. */
function withinItself(usual: Loader): Loader {
  const refuse = (uri: string) => Promise.reject(new WaymarkError(`Charts load nothing, and one asks for ${uri}.`));
  const sanitize: Loader['sanitize'] = (uri, options) =>
    uri.startsWith('data:image/') ? usual.sanitize(uri, options) : refuse(uri);
  return { ...usual, load: refuse, http: refuse, file: refuse, sanitize };
}

async function loadVega(): Promise<[typeof import('vega'), typeof import('vega-lite')]> {
  try {
    return await Promise.all([import('vega'), import('vega-lite')]);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND') throw error;
    throw new WaymarkError('Charts are drawn by the packages vega and vega-lite: npm install vega vega-lite.');
  }
}

/** An SVG within a page: names in it are its own, since a page holds many. */
export function embedded(svg: string, name: string): string {
  return svg.replace(/\b(id="|url\(#|href="#)(clip|gradient)/g, `$1${name}-$2`);
}
