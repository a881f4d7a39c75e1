/** `waymark run --sandbox`, in the main thread. */
import { existsSync } from 'node:fs';
import type { RunJob } from './jobs.ts';
import { wordsOf } from './pictures.ts';
import { closesNetwork, sandboxed } from './sandbox.ts';
import type { SandboxSettings } from './sandbox-options.ts';
import { Scratch } from './scratch.ts';
import { STDERR, write } from './streams.ts';
import { type Ending, ending, startThread } from './thread.ts';

/** Runs the job where it may do little, and brings its outputs to their places. */
export async function runSandboxed(job: RunJob, settings: SandboxSettings): Promise<Ending> {
  const { json, paramsPlace: params, html, svg } = job;
  const scratch = new Scratch({ json, params, html, svg });
  const setting = sandboxed({
    program: job.code === undefined ? job.file : undefined,
    reads: settings['allow-read'] ?? [],
    writes: [...(settings['allow-write'] ?? []), scratch.folder],
  });
  if (!job.quiet && !closesNetwork()) write(STDERR, `${OPEN_NETWORK}\n`);
  const engine = { ...job.engine, threads: 1 };
  const end = await ending(
    startThread(
      {
        ...job,
        engine,
        json: scratch.json,
        paramsPlace: scratch.params,
        html: undefined,
        svg: undefined,
        blocks: scratch.blocks,
      },
      { setting },
    ),
  );
  const drawn = 'code' in end && scratch.blocks !== undefined ? await drawIn(job, scratch) : undefined;
  const complaints = scratch.deliver();
  for (const complaint of complaints) write(STDERR, `${complaint}\n`);
  return (complaints.length > 0 || drawn === false) && 'code' in end ? { code: end.code || 1 } : end;
}

/** Milliseconds after which a drawing is given up: what is drawn is the program's. */
const PATIENCE = 60_000;

/** Draws what the program has left, in a thread that may do as little as the program; false, after a word about it, if that failed. */
async function drawIn(job: RunJob, { folder, blocks = '', html, svg }: Scratch): Promise<boolean> {
  if (!existsSync(blocks)) return true;
  const setting = sandboxed({ program: blocks, reads: [], writes: [folder] });
  const thread = startThread(
    { kind: 'draw', blocks, html, svg, quiet: job.quiet, ...wordsOf(job) },
    { setting, memory: DRAWING_MB },
  );
  const late = setTimeout(() => void thread.terminate(), PATIENCE);
  const end = await ending(thread);
  clearTimeout(late);
  if ('code' in end && end.code === 0) return true;
  write(STDERR, `The charts of the program were not drawn${'fault' in end ? `: ${end.fault}` : '.'}\n`);
  return false;
}

/** Memory for drawing, in megabytes. */
const DRAWING_MB = 1024;

const OPEN_NETWORK = `--sandbox: Node ${process.versions.node} cannot close the network to a program; Node 25 can.`;
