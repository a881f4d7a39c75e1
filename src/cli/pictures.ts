/** `--html FILE` and `--svg DIR`: what a run shows, as pictures. Loaded by runs that are asked for them. */
import { basename, join } from 'node:path';
import { report } from '../program/report.ts';
import type { Block } from '../report/blocks.ts';
import { svgFiles } from '../report/files.ts';
import { pageOf } from '../report/page.ts';
import { RunRecord } from '../report/record.ts';
import { WaymarkError } from '../runtime/errors.ts';
import { writeOutput } from './files.ts';
import type { DrawJob, RunJob } from './jobs.ts';
import type { Outcome } from './outcome.ts';
import { STDERR, write } from './streams.ts';

export const startRecord = (): RunRecord => new RunRecord();

/** Writes what the job asks for; false, after a word about it, if that failed. */
export async function writePictures(
  job: RunJob,
  record: RunRecord,
  outcome: Outcome,
  text: string | undefined,
): Promise<boolean> {
  const blocks = record.blocks(endOf(outcome, text));
  if (job.blocks === undefined) return drawBlocks({ ...job, ...wordsOf(job) }, blocks);
  const complaint = writeOutput(job.blocks, JSON.stringify(blocks));
  if (complaint !== undefined) write(STDERR, `${complaint}\n`);
  return complaint === undefined;
}

/** The title of the page of a run, and the line below it. */
export function wordsOf({ code, file, args, seed }: RunJob): Pick<Drawn, 'title' | 'about'> {
  const given = args.length === 0 ? '' : `, with ${args.join(' ')}`;
  return {
    title: code === undefined ? basename(file) : 'A program from stdin',
    about: `Run with seed ${seed}${given}.`,
  };
}

type Drawn = Pick<DrawJob, 'html' | 'svg' | 'quiet' | 'title' | 'about'>;

/** Writes the page and the charts that are asked for; false, after a word about it, if that failed. */
export async function drawBlocks(job: Drawn, blocks: readonly Block[]): Promise<boolean> {
  try {
    const complaints = [...(await writePage(job, blocks)), ...(await writeCharts(job, blocks))];
    for (const complaint of complaints) write(STDERR, `${complaint}\n`);
    return complaints.length === 0;
  } catch (error) {
    if (!(error instanceof WaymarkError)) throw error;
    write(STDERR, `${error.message}\n`);
    return false;
  }
}

function endOf(outcome: Outcome, text: string | undefined): Parameters<RunRecord['blocks']>[0] {
  if ('error' in outcome) return { error: report(outcome.error) };
  return text === undefined ? undefined : { value: outcome.value, text };
}

async function writePage({ html, title, about }: Drawn, blocks: readonly Block[]): Promise<string[]> {
  if (html === undefined) return [];
  const page = await pageOf({ title, about, blocks });
  return [writeOutput(html, page)].filter((complaint) => complaint !== undefined);
}

async function writeCharts({ svg, quiet }: Drawn, blocks: readonly Block[]): Promise<string[]> {
  if (svg === undefined) return [];
  const files = await svgFiles(blocks);
  if (files.length === 0 && !quiet) write(STDERR, '--svg: the program has drawn nothing. Draw with viz(dist), say.\n');
  return files.map(([name, content]) => writeOutput(join(svg, name), content)).filter((said) => said !== undefined);
}
