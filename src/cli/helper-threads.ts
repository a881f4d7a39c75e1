/** Threads that help a run with long chains (`ranks/leader.ts`): each runs the program, too, and writes nothing. */
import { loadavg } from 'node:os';
import type { MessagePort } from 'node:worker_threads';
import { nodeThreads } from '../host/node-threads.ts';
import { environment, processors } from '../host/system.ts';
import { Claims } from '../ranks/claims.ts';
import { Helper, type Post } from '../ranks/helper.ts';
import { Leader, type StartHelper } from '../ranks/leader.ts';
import type { Helpers } from '../runtime/helpers.ts';
import type { RunJob } from './jobs.ts';
import { stopSpeaking } from './streams.ts';
import { HEAP_MB, startHelperThread } from './thread.ts';

/** What a helper is told, and how it answers. */
export type HelperStart = Parameters<StartHelper>[0] & { readonly port: MessagePort };

/** What a thread needs at least, in megabytes. */
const LEAST_MB = 512;

/** The helpers of a run, or what makes this thread one. */
export function helpersOf(job: RunJob): Helpers | undefined {
  return job.helper === undefined ? leaderOf(job) : helperOf(job.helper);
}

/** Of runs that read and write more than their program says, such as checkpoints, and of those whose user wants one thread, there is one. */
function leaderOf(job: RunJob): Helpers | undefined {
  const { ranks, sandbox, watched, resume, params, engine } = job;
  const wish = environment('WAYMARK_HELPERS');
  const isEager = wish === 'always';
  const most = isEager ? 1 : Math.min(engine.threads ?? Number.POSITIVE_INFINITY, processors()) - 1;
  if (most < 1 || wish === 'off' || ranks !== undefined || sandbox || watched || resume || params !== undefined)
    return undefined;
  const memory = Math.max(LEAST_MB, Math.floor(HEAP_MB / (most + 1)));
  const startHelper: StartHelper = (start) => {
    const { port1, port2 } = new (nodeThreads().MessageChannel)();
    const helper = { ...start, port: port2 };
    const thread = startHelperThread(
      { ...job, ...NOTHING, engine: { ...engine, threads: engine.threads ?? 1 }, helper },
      port2,
      memory,
    );
    // What it cannot do is done here.
    thread.on('error', () => {});
    port1.unref();
    return { post: postOf(port1), end: () => void thread.terminate() };
  };
  return new Leader(most, startHelper, isEager, () => processors() - loadavg()[0]);
}

function helperOf({ memory, name, from, port }: HelperStart): Helpers {
  stopSpeaking();
  const claims = new Claims(memory, name);
  process.once('exit', () => claims.leave());
  return new Helper(claims, postOf(port), from, () => process.exit(0));
}

function postOf(port: MessagePort): Post {
  const { receiveMessageOnPort } = nodeThreads();
  return { send: (message) => port.postMessage(message), receive: () => receiveMessageOnPort(port)?.message };
}

/** A helper neither reads nor writes files of the run, and hears no signals. */
const NOTHING = {
  json: undefined,
  html: undefined,
  svg: undefined,
  stop: undefined,
  columns: undefined,
  written: undefined,
  timing: false,
  isHere: false,
};
