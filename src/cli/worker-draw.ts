/** Draws what a program in a sandbox has shown, in a thread with the limits of its own: what is drawn is the program's, and may be anything. */
import { readFileSync } from 'node:fs';
import { blocksIn } from '../report/given-blocks.ts';
import type { DrawJob } from './jobs.ts';
import { drawBlocks } from './pictures.ts';

export async function draw(job: DrawJob): Promise<void> {
  const blocks = blocksIn(readFileSync(job.blocks, 'utf8'));
  if (!(await drawBlocks(job, blocks))) process.exitCode = 1;
}
