/** Threads for programs, and the thread's own end of the line. */
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import { isMainThread, parentPort, Worker } from 'node:worker_threads';
import { ownPlace } from './own-place.ts';
import { type Line, lineToWeb, type Thread } from './web-line.ts';

/** A line to a thread that was started elsewhere. */
export function lineTo(given: Thread): Line {
  if (!('on' in given)) return lineToWeb(given);
  const thread = given as Worker;
  return {
    send: (message) => thread.postMessage(message),
    onMessage: (listener) => void thread.on('message', listener as (message: unknown) => void),
    onEnd(listener) {
      thread.on('error', listener);
      thread.on('exit', () => listener(new Error('The thread ended.')));
    },
    end: () => void thread.terminate(),
  };
}

/** Starts the thread that runs programs. Its file is found by the package's name, since this text may be part of a bundle. */
export async function programThread(): Promise<Thread> {
  const file = createRequire(ownPlace()).resolve('waymark/program-worker');
  return new Worker(pathToFileURL(file));
}

/** The line to the thread that started this one; undefined in the main thread. */
export function ownLine(): Pick<Line, 'send' | 'onMessage'> | undefined {
  const port = parentPort;
  if (isMainThread || port === null) return undefined;
  return {
    send: (message) => port.postMessage(message),
    onMessage: (listener) => void port.on('message', listener as (message: unknown) => void),
  };
}
