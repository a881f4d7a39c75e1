/** The charts of a run, each as a file of its own. */
import { chartConfig, LIGHT } from '../library/viz/spec/config.ts';
import { type Block, figuresIn } from './blocks.ts';
import { svgOf } from './svg.ts';

/** Names of files with their contents, in the order of the run: `01-posterior.svg`. */
export async function svgFiles(blocks: readonly Block[]): Promise<[string, string][]> {
  const files: [string, string][] = [];
  for (const [i, { name, spec }] of figuresIn(blocks).entries()) {
    const words = name
      .normalize('NFKD')
      .replace(/[^\w]+/g, '-')
      .replace(/^-+|-+$/g, '')
      .toLowerCase()
      .slice(0, 40);
    const file = `${String(i + 1).padStart(2, '0')}-${words || 'chart'}.svg`;
    files.push([file, `${await svgOf(spec, chartConfig(LIGHT))}\n`]);
  }
  return files;
}
