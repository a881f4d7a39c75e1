/** `--html FILE` and `--svg DIR`: what a run shows, as pictures. Loaded by runs that are asked for them. */
import { basename, join } from 'node:path';
import { report } from '../program/report.ts';
import type { Block } from '../report/blocks.ts';
import { svgFiles } from '../report/files.ts';
import { pageOf } from '../report/page.ts';
import { RunRecord } from '../report/record.ts';
import { WaymarkError } from '../runtime/errors.ts';
import { writeOutput } from './files.ts';
import type { RunJob } from './jobs.ts';
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
  try {
    const blocks = record.blocks(endOf(outcome, text));
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

async function writePage(job: RunJob, blocks: readonly Block[]): Promise<string[]> {
  if (job.html === undefined) return [];
  const title = job.code === undefined ? basename(job.file) : 'A program from stdin';
  const args = job.args.length === 0 ? '' : `, with ${job.args.join(' ')}`;
  const page = await pageOf({ title, about: `Run with seed ${job.seed}${args}.`, blocks });
  return [writeOutput(job.html, page)].filter((complaint) => complaint !== undefined);
}

async function writeCharts({ svg, quiet }: RunJob, blocks: readonly Block[]): Promise<string[]> {
  if (svg === undefined) return [];
  const files = await svgFiles(blocks);
  if (files.length === 0 && !quiet) write(STDERR, '--svg: the program has drawn nothing. Draw with viz(dist), say.\n');
  return files.map(([name, content]) => writeOutput(join(svg, name), content)).filter((said) => said !== undefined);
}
