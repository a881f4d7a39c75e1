/** `waymark run --sandbox`, in the main thread. */
import { statSync } from 'node:fs';
import { flag, list, type Settings, UsageError } from './arguments.ts';
import type { RunJob } from './jobs.ts';
import { closesNetwork, sandboxed } from './sandbox.ts';
import { Scratch } from './scratch.ts';
import { STDERR, write } from './streams.ts';
import { type Ending, ending, startThread } from './thread.ts';

export const sandboxOptions = {
  sandbox: flag(
    'run the program of somebody else: it may read its own folder and write nothing, but for what is named',
  ),
  'allow-read': list('PATHS', 'files and folders that a program in the sandbox may read too'),
  'allow-write': list('PATHS', 'folders that a program in the sandbox may write to'),
};

type SandboxSettings = Settings<typeof sandboxOptions>;

/** Throws if options do not go together, or what they name is not there. */
export function checkSandbox(settings: SandboxSettings & { readonly threads?: number }): void {
  const { sandbox = false, 'allow-read': reads = [], 'allow-write': writes = [], threads = 1 } = settings;
  for (const name of ['allow-read', 'allow-write'] as const) {
    if (!sandbox && settings[name] !== undefined) throw new UsageError(`--${name} is for programs in a --sandbox.`);
  }
  const found = (path: string) => statSync(path, { throwIfNoEntry: false });
  const missing = reads.find((path) => found(path) === undefined);
  if (missing !== undefined) throw new UsageError(`--allow-read: there is no file or folder ${missing}.`);
  const noFolder = writes.find((path) => !found(path)?.isDirectory());
  if (noFolder !== undefined) throw new UsageError(`--allow-write: there is no folder ${noFolder}.`);
  if (sandbox && threads > 1) throw new UsageError('--sandbox and --threads: a program in a sandbox has one thread.');
}

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
