import { useThreads, wantedThreads } from '../tensor/devices.ts';

/** Runs `work` without helpers: products of a network are small, and waking others takes as long as many of them. */
export function onOneThread<R>(work: () => R): R {
  const wanted = wantedThreads();
  useThreads(1);
  try {
    return work();
  } finally {
    useThreads(wanted);
  }
}
