/** The process and the machine that programs run in. */
import { constants } from 'node:buffer';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { availableParallelism, hostname } from 'node:os';
import { nodeThreads } from './node-threads.ts';

/** Characters that a text may have. */
export const LONGEST_TEXT = constants.MAX_STRING_LENGTH;

/** Which thread of which process this is. */
export const ownThread = () => ({ pid: process.pid, thread: nodeThreads().threadId, host: hostname() });

/** Whether a process with this number is there and has not ended. */
export function isRunning(id: number): boolean {
  try {
    process.kill(id, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH';
  }
  return !hasEnded(id);
}

/** Whether nothing is left of a process but its number, for a parent that has not asked yet how it ended, or never will. Linux tells. */
function hasEnded(id: number): boolean {
  try {
    const state = /^.*\) (\w)/s.exec(readFileSync(`/proc/${id}/stat`, 'latin1'))?.[1];
    return state === 'Z' || state === 'X';
  } catch {
    return false;
  }
}

/** A short text that is the same for the same parts. */
export function fingerprintOf(parts: Iterable<string | Uint8Array>): string {
  // Loaded when it is needed: that takes as long as a tenth of Node's own start.
  const { createHash } = createRequire(import.meta.url)('node:crypto') as typeof import('node:crypto');
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part);
  return hash.digest('hex').slice(0, 16);
}

/** Kept, since programs in a sandbox have no process. Later versions of Node know the time of a thread alone. */
const usage = (process as { threadCpuUsage?: typeof process.cpuUsage }).threadCpuUsage ?? process.cpuUsage;

/** Milliseconds that this process, or this thread of it, has had of the processor: on a busy machine the clock says little of how long work takes. */
export function processorTime(): number {
  const { user, system } = usage.call(process);
  return (user + system) / 1000;
}

const hrtime = process.hrtime;

/** Milliseconds on a clock that nothing sets. Node's `performance` takes one of them to load. */
export function now(): number {
  const [seconds, nanoseconds] = hrtime();
  return seconds * 1000 + nanoseconds / 1e6;
}

export const currentFolder = (): string => process.cwd();
/** Of the platform itself. */
export const hostVersion = (): string => process.version;
export const platform = (): string => process.platform;
export const environment = (name: string): string | undefined => process.env[name];
/** Processors that this process may use. */
export const processors = (): number => availableParallelism();
/** What the processor can do, by the names that Linux has for it; nothing elsewhere. */
export function processorFlags(): ReadonlySet<string> {
  try {
    return new Set(/^flags\s*:(.*)$/m.exec(readFileSync('/proc/cpuinfo', 'utf8'))?.[1].trim().split(' '));
  } catch {
    return new Set();
  }
}
/** Whether threads can be started that share memory with this one. */
export const canStartThreads = (): boolean => true;

/** Starts a thread that does not keep the process alive. `body` is the text of a function of `start`, `offer` and `require`. */
export function startThread(body: string, start: unknown, offer: unknown): void {
  const text = `const { start, offer } = require('node:worker_threads').workerData;\n(${body})(start, offer, require);`;
  const { Worker } = nodeThreads();
  const worker = new Worker(text, { eval: true, workerData: { start, offer }, execArgv: [] });
  // A thread that cannot start takes no work: everything is done without it.
  worker.on('error', () => {});
  worker.unref();
}

const never = new Int32Array(new SharedArrayBuffer(4));

/** Does nothing for so many milliseconds. */
export function pause(milliseconds: number): void {
  Atomics.wait(never, 0, 0, milliseconds);
}
