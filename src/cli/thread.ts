/**
 * The thread that programs run in. Direct style uses the machine stack, and only a thread of its own can be given
 * one large enough for deep recursion: V8 is told to stop well before the end of it, so that endless recursion is
 * an error of the program and not a crash of the process.
 */
import { totalmem } from 'node:os';
import type { MessagePort, Worker, WorkerOptions } from 'node:worker_threads';
import { nodeThreads } from '../host/node-threads.ts';
import type { Job, RunJob } from './jobs.ts';
import { setFlagsOfThreads } from './v8/flags.ts';
import { keep } from './v8/kept-code.ts';

/** Holds 100,000 frames of recursion through library functions, with room to spare. */
const STACK_MB = 256;

/** Node's own limit would be a few gigabytes however much memory there is. Some of the memory is left to other processes. */
export const HEAP_MB = Math.max(4096, Math.floor((availableMemory() / 2 ** 20) * 0.7));

/** Bytes, within the limit of a container if there is one. */
function availableMemory(): number {
  return Math.min(totalmem(), process.constrainedMemory() || Infinity);
}

/**
 * Programs make many small values that die at once. With more room for the young ones they are collected less
 * often, which matters most when the stack is deep, since every collection walks all of it.
 */
const YOUNG_MB = 192;

/** Beside this file in the build. */
const THREAD_FILE = './worker.cjs';

/** How a thread ended: with an exit code, or because something went wrong that it could not report itself. */
export type Ending = { readonly code: number } | { readonly fault: string };

/** What a thread may do and have. */
interface ThreadLimits {
  /** The size of its heap, in megabytes. */
  readonly memory?: number;
  /** Flags and environment that are not those of the process. */
  readonly setting?: Pick<WorkerOptions, 'execArgv' | 'env'>;
}

export function startThread(job: Job, { memory = HEAP_MB, setting }: ThreadLimits = {}): Worker {
  if (job.kind === 'run' && job.sandbox && setting === undefined) throw new Error('A sandbox without its limits.');
  // OpenBLAS would start threads of its own, which look for work for a tenth of a second. It reads the environment of the
  // process, which only the first thread can change.
  process.env.OPENBLAS_NUM_THREADS ??= '1';
  // The thread sets flags of V8, and code that is kept later would be kept for these.
  keep();
  setFlagsOfThreads();
  return new (nodeThreads().Worker)(new URL(THREAD_FILE, import.meta.url), {
    workerData: job,
    ...setting,
    resourceLimits: { stackSizeMb: STACK_MB, maxOldGenerationSizeMb: memory, maxYoungGenerationSizeMb: YOUNG_MB },
  });
}

/** A thread that helps one which runs already. It ends with that, and keeps nothing alive. */
export function startHelperThread(job: RunJob, transferred: MessagePort, memory: number): Worker {
  const thread = new (nodeThreads().Worker)(new URL(THREAD_FILE, import.meta.url), {
    workerData: job,
    transferList: [transferred],
    resourceLimits: { stackSizeMb: STACK_MB, maxOldGenerationSizeMb: memory, maxYoungGenerationSizeMb: YOUNG_MB },
  });
  thread.unref();
  return thread;
}

const beyondMemory = (megabytes: number): string =>
  `The program needs more memory than the ${megabytes} MB it may use: keep fewer samples or smaller data.`;

/** Resolves when the thread has ended. */
export function ending(thread: Worker, outOfMemory = beyondMemory(HEAP_MB)): Promise<Ending> {
  return new Promise((resolve) => {
    thread.once('error', (error) => resolve({ fault: explain(error, outOfMemory) }));
    thread.once('exit', (code) => resolve({ code }));
  });
}

function explain(error: unknown, outOfMemory: string): string {
  const { code, message } = error as { code?: string; message?: string };
  if (code === 'ERR_WORKER_OUT_OF_MEMORY') return outOfMemory;
  return `The program's thread failed: ${message ?? String(error)}`;
}
