/** Starting threads, on Node and in browsers. */
import { Offer, type ThreadStart, threadBody } from './thread-body.ts';

interface NodeWorker {
  unref(): void;
  on(event: 'error', listener: () => void): void;
}

interface WorkerThreads {
  Worker: new (text: string, options: { eval: true; workerData: unknown; execArgv: string[] }) => NodeWorker;
}

interface NodeProcess {
  getBuiltinModule?(name: 'node:worker_threads'): WorkerThreads;
  getBuiltinModule?(name: 'node:os'): { availableParallelism(): number };
}

/** What a page has, if it is isolated from others (COOP and COEP). */
interface Page {
  readonly process?: NodeProcess;
  readonly navigator?: { readonly hardwareConcurrency?: number };
  readonly crossOriginIsolated?: boolean;
  readonly Worker?: new (url: string) => { postMessage(message: unknown): void };
  readonly Blob?: new (parts: string[]) => object;
  readonly URL?: { createObjectURL(blob: object): string };
}

const host = globalThis as unknown as Page;

/** Processors that this process may use, as far as the host tells. */
export function processors(): number {
  const node = host.process?.getBuiltinModule?.('node:os').availableParallelism();
  return node ?? host.navigator?.hardwareConcurrency ?? 1;
}

/** Whether memory can be shared, threads started, and this thread put to sleep until they are done. */
export function canShare(): boolean {
  if (typeof SharedArrayBuffer === 'undefined') return false;
  if (host.process?.getBuiltinModule === undefined && host.crossOriginIsolated !== true) return false;
  try {
    // Refused where sleeping would freeze a page.
    return Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 1) === 'not-equal';
  } catch {
    return false;
  }
}

/** Starts a thread that does not keep the process alive. False if the host refuses. */
export function startWorker(start: ThreadStart): boolean {
  const arguments_ = { start, offer: Offer };
  try {
    const node = host.process?.getBuiltinModule?.('node:worker_threads');
    if (node !== undefined) {
      const text = `const { start, offer } = require('node:worker_threads').workerData;\n(${threadBody})(start, offer, require);`;
      const worker = new node.Worker(text, { eval: true, workerData: arguments_, execArgv: [] });
      // A thread that cannot start takes no work: everything is done without it.
      worker.on('error', () => {});
      worker.unref();
      return true;
    }
    if (host.Worker === undefined || host.Blob === undefined || host.URL === undefined) return false;
    const text = `onmessage = ({ data }) => (${threadBody})(data.start, data.offer, null);`;
    new host.Worker(host.URL.createObjectURL(new host.Blob([text]))).postMessage(arguments_);
    return true;
  } catch {
    return false;
  }
}
