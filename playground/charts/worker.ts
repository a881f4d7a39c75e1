/** The worker that turns Vega-Lite specifications into SVG. The first message brings the port to the page. */
import { loader, Error as ONLY_ERRORS, parse, View } from 'vega';
import { type Config, compile, type TopLevelSpec } from 'vega-lite';
import { chartConfig, DARK, LIGHT } from '../../src/library/viz/spec/config.ts';
import type { DrawReply, DrawRequest } from '../sandbox/protocol.ts';
import { marksIn } from './marks.ts';

/** Charts show what programs computed; there is nothing to load. */
const nothing = loader();
nothing.load = () => Promise.reject(new Error('Charts cannot load data: give them values.'));
nothing.sanitize = () => Promise.reject(new Error('Charts cannot load pictures or link to pages.'));

async function draw({ number, spec, dark, width }: DrawRequest): Promise<DrawReply> {
  const config: Config = chartConfig({ ...(dark ? DARK : LIGHT), paper: undefined });
  const sized = fitted(spec as Record<string, unknown>, width);
  const { spec: vega } = compile({ ...sized, background: 'transparent' } as unknown as TopLevelSpec, { config });
  const view = new View(parse(vega), { renderer: 'none', loader: nothing, logLevel: ONLY_ERRORS });
  await view.runAsync();
  const svg = await view.toSVG();
  const marks = marksIn((view.scenegraph() as unknown as { root: unknown }).root, svg);
  view.finalize();
  const [, w, h] = /<svg[^>]*\swidth="([\d.]+)"[^>]*\sheight="([\d.]+)"/.exec(svg) ?? [];
  return { number, svg, width: Number(w) || width, height: Number(h) || 200, marks };
}

/** A single chart without a width of its own gets the page's. */
function fitted(spec: Record<string, unknown>, width: number): Record<string, unknown> {
  const composed = ['hconcat', 'vconcat', 'concat', 'facet', 'repeat'].some((key) => key in spec);
  if (composed || typeof spec.width === 'object') return spec;
  const wanted = typeof spec.width === 'number' ? spec.width : 460;
  return { ...spec, width: Math.max(120, Math.min(wanted, width - 90)) };
}

addEventListener(
  'message',
  ({ ports: [port] }) => {
    port.onmessage = async ({ data }: MessageEvent<DrawRequest>) => {
      try {
        port.postMessage(await draw(data));
      } catch (thrown) {
        const problem = (thrown as Error).message;
        port.postMessage({ number: data.number, problem } satisfies DrawReply);
      }
    };
  },
  { once: true },
);
