/** Runs by API: what happens inside has a seed, listeners and a store of its own. */
import { describe } from './describe.ts';
import { WaymarkError } from './errors.ts';
import { endedBy, type Listeners, speakingTo } from './listeners.ts';
import { type Machine, machine, type Run, runsDirectly, startRun } from './machine.ts';
import { isSeed, SEED_KIND } from './seed.ts';

/** What `withRun` takes. */
export interface WithRunOptions extends Listeners {
  /** A whole number; the same seed gives the same results. Random if absent. */
  readonly seed?: number;
  /** Folder that `loadData` paths are relative to. */
  readonly folder?: string;
  /** Data by the names that `loadData` is given, instead of files. */
  readonly files?: Run['files'];
}

/** Calls a function as a run of its own, with these options, and returns what it returns. */
export function withRun<R>(options: WithRunOptions, action: () => R): R {
  const { seed = Math.floor(Math.random() * 2 ** 32), signal } = options;
  if (!isSeed(seed)) throw new WaymarkError(`withRun: seed must be ${SEED_KIND}, got ${describe(seed)}.`);
  const outer = machine.run;
  const speaking = speakingTo(options, (text) => console.log(text));
  return endedBy(signal, () =>
    within(
      'withRun',
      { folder: outer.folder, args: outer.args, files: outer.files, ...options, seed, ...speaking },
      action,
    ),
  );
}

/** Calls a function whose random numbers all follow from the seed, and returns what it returns. */
export function withSeed<R>(seed: number, action: () => R): R {
  if (!isSeed(seed)) throw new WaymarkError(`withSeed needs ${SEED_KIND}, got ${describe(seed)}.`);
  const { run } = machine;
  return within('withSeed', { ...run, output: run.output.bind(run), warn: run.warn.bind(run), progress: run.progress.bind(run), seed }, action); // biome-ignore format: one line is enough
}

function within<R>(caller: string, run: Run, action: () => R): R {
  if (typeof action !== 'function')
    throw new WaymarkError(`${caller} needs a function to call, got ${describe(action)}.`);
  if (!runsDirectly()) {
    throw new WaymarkError(
      `${caller} starts a run, which nothing inside a model can: call it around Infer or Optimize.`,
    );
  }
  const before = Object.assign(Object.create(null), machine) as Machine;
  const { hasColumnText, hasRecordingText, noise, readAsRecording, functions, stateless, resumable, settled, comparesContents } = machine; // biome-ignore format: one line is enough
  startRun({ ...run, params: machine.params });
  // The program stays the same.
  Object.assign(machine, { hasColumnText, hasRecordingText, noise, readAsRecording, functions, stateless, resumable, settled, comparesContents }); // biome-ignore format: one line is enough
  try {
    const result = action();
    if (result instanceof Promise) {
      throw new WaymarkError(`${caller} needs a function that is done when it returns, and this one is async. Await its data first.`); // biome-ignore format: one line is enough
    }
    return result;
  } finally {
    // Executions are never numbered twice.
    const { executions } = machine;
    Object.assign(machine, before, { executions });
  }
}
