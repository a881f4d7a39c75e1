import type { Run } from './machine.ts';

/** The same run but for some of its settings. What it says goes where it went: the methods of a run may be those of a class. */
export const changedRun = (run: Run, changes: Partial<Run>): Run => ({
  ...run,
  output: (value, text) => run.output(value, text),
  warn: (message) => run.warn(message),
  progress: (label) => run.progress(label),
  ...changes,
});
