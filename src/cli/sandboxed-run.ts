/** `waymark run --sandbox`, in the main thread. */
import type { RunJob } from './jobs.ts';
import { closesNetwork, sandboxed } from './sandbox.ts';
import type { SandboxSettings } from './sandbox-options.ts';
import { Scratch } from './scratch.ts';
import { STDERR, write } from './streams.ts';
import { type Ending, ending, startThread } from './thread.ts';

/** Runs the job where it may do little, and brings its outputs to their places. */
export async function runSandboxed(job: RunJob, settings: SandboxSettings): Promise<Ending> {
  const { json, paramsPlace: params } = job;
  const scratch = new Scratch({ json, params });
  const setting = sandboxed({
    program: job.file,
    reads: settings['allow-read'] ?? [],
    writes: [...(settings['allow-write'] ?? []), scratch.folder],
  });
  if (!job.quiet && !closesNetwork()) write(STDERR, `${OPEN_NETWORK}\n`);
  const engine = { ...job.engine, threads: 1 };
  const end = await ending(
    startThread({ ...job, engine, json: scratch.json, paramsPlace: scratch.params }, { setting }),
  );
  const complaints = scratch.deliver();
  for (const complaint of complaints) write(STDERR, `${complaint}\n`);
  return complaints.length > 0 && 'code' in end ? { code: end.code || 1 } : end;
}

const OPEN_NETWORK = `--sandbox: Node ${process.versions.node} cannot close the network to a program; Node 25 can.`;
