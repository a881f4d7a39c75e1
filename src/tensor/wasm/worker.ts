/** Starting threads that share memory. */
import { canStartThreads, processors, startThread } from '../../host/system.ts';
import { Offer, type ThreadStart, threadBody } from './thread-body.ts';

export { processors };

/** Whether memory can be shared, threads started, and this thread put to sleep until they are done. */
export function canShare(): boolean {
  if (typeof SharedArrayBuffer === 'undefined' || !canStartThreads()) return false;
  try {
    // Refused where sleeping would freeze a page.
    return Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 1) === 'not-equal';
  } catch {
    return false;
  }
}

/** Starts a thread that does not keep the process alive. False if the platform refuses. */
export function startWorker(start: ThreadStart): boolean {
  try {
    startThread(String(threadBody), start, Offer);
    return true;
  } catch {
    return false;
  }
}
