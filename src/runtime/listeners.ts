/** Functions that are called while a run goes on, and may end it. */
import type { Progress, Run } from './machine.ts';
import { Interrupted } from './signals.ts';

/** Called while something runs. */
export interface Listeners {
  /** Called with each thing that the program displays: its value, and its text as a person would read it. */
  output?(value: unknown, text: string): void;
  /** Called with each line of advice, once. */
  warn?(message: string): void;
  /** Called when long work begins; what it returns is told how far that has come. */
  progress?(label: string): Progress;
  /**
   * Ends the run between two steps of an inference or an optimisation, and before each output. Nothing else happens in a thread
   * while a program runs in it: only these listeners can abort, or another thread (see `waymark/worker`).
   */
  readonly signal?: AbortSignal;
}

const silent: Progress = { update() {}, finish() {} };

/** The functions of a run that speak to its listeners. `print` is told of outputs if there is no listener for them. */
export function speakingTo(
  { output, warn, progress, signal }: Listeners,
  print?: (text: string) => void,
): Pick<Run, 'output' | 'warn' | 'progress'> {
  const said = new Set<string>();
  const check = (): void => {
    if (signal?.aborted) throw new Interrupted(0);
  };
  return {
    output(value, text) {
      check();
      if (output !== undefined) output(value, text);
      else print?.(text);
    },
    warn(message) {
      if (said.has(message)) return;
      said.add(message);
      if (warn !== undefined) warn(message);
      else console.warn(message);
    },
    progress(label) {
      check();
      const shown = progress?.(label) ?? silent;
      return {
        update(done, total, note, trace) {
          shown.update(done, total, note, trace);
          check();
        },
        finish: () => shown.finish(),
      };
    },
  };
}

/** Runs something, and throws the reason if it was ended by the signal. */
export function endedBy<R>(signal: AbortSignal | undefined, action: () => R): R {
  signal?.throwIfAborted();
  try {
    return action();
  } catch (thrown) {
    if (thrown instanceof Interrupted && signal?.aborted) throw signal.reason;
    throw thrown;
  }
}
