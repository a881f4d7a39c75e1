/** The figures in `docs/figures/`: each is a program whose value is a Vega-Lite specification, drawn as SVG. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { TopLevelSpec } from 'vega-lite';
import { loadProgram } from '../../src/program/load.ts';
import { svgOf } from '../../src/report/svg.ts';

const FOLDER = 'docs/figures';
const top = fileURLToPath(new URL('../../', import.meta.url));

/** What all figures look like. Sizes of text are estimated, so that the same figure comes out on every machine. */
const LOOK = {
  config: {
    axis: { grid: false, labelFontSize: 11, titleFontSize: 12 },
    legend: { labelFontSize: 11, titleFontSize: 12, labelLimit: 0 },
    range: { category: ['#4c78a8', '#f58518', '#54a24b', '#b0b0b0'] },
    view: { stroke: null },
  },
};

export async function figureOf(file: string): Promise<string> {
  const program = await loadProgram(join(top, file));
  const specification = program.run({
    seed: 1,
    folder: join(top, FOLDER),
    args: [],
    output() {},
    warn(message) {
      throw new Error(`${file}: ${message}`);
    },
    progress: () => ({ update() {}, finish() {} }),
  });
  return `${await svgOf({ ...LOOK, ...(specification as object) } as TopLevelSpec)}\n`;
}

/** Each figure as SVG, by its file. */
export async function figures(): Promise<[string, string][]> {
  const programs = readdirSync(join(top, FOLDER)).filter((name) => name.endsWith('.ts'));
  const drawn: [string, string][] = [];
  for (const name of programs.sort()) {
    drawn.push([`${FOLDER}/${name.replace(/\.ts$/, '.svg')}`, await figureOf(`${FOLDER}/${name}`)]);
  }
  return drawn;
}
