import { type Run, startRun } from '../../src/runtime/machine.ts';

/** Starts a run of the given seed that keeps what it is told. */
export function startTestRun(seed: number): { warnings: string[]; progress: [string, number, number | undefined][] } {
  const warnings: string[] = [];
  const progress: [string, number, number | undefined][] = [];
  const run: Run = {
    seed,
    folder: '.',
    args: [],
    output() {},
    warn: (message) => void warnings.push(message),
    progress: (label) => ({ update: (done, total) => void progress.push([label, done, total]), finish() {} }),
  };
  startRun(run);
  return { warnings, progress };
}
