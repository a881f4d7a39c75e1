import { machine, type Run, startRun } from '../../src/runtime/machine.ts';

/** A run that keeps what it is told. */
export interface RecordedRun extends Run {
  readonly texts: string[];
  readonly values: unknown[];
  readonly warnings: string[];
}

/** Starts a run with the given seed. */
export function recordedRun(seed = 1, folder = '.'): RecordedRun {
  const run: RecordedRun = {
    seed,
    folder,
    args: [],
    texts: [],
    values: [],
    warnings: [],
    output(value, text) {
      run.values.push(value);
      run.texts.push(text);
    },
    warn(message) {
      if (!run.warnings.includes(message)) run.warnings.push(message);
    },
    progress: () => ({ update() {}, finish() {} }),
  };
  startRun(run);
  return run;
}

/** Draws a uniform number from the current stream, as a choice would. */
export const draw = (): number => machine.stream.begin().uniform();
