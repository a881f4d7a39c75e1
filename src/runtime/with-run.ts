/** Runs by API: what happens inside has a seed, listeners and a store of its own. */
import { chooseDevice } from '../tensor/devices.ts';
import { changedRun } from './changed-run.ts';
import { describe } from './describe.ts';
import { WaymarkError } from './errors.ts';
import { endedBy, type Listeners, speakingTo } from './listeners.ts';
import { type Engine, machine, type Run, runsDirectly, startRun } from './machine.ts';
import { isSeed, SEED_KIND } from './seed.ts';

/** What `withRun` takes. */
export interface WithRunOptions extends Listeners {
  /** A whole number; the same seed gives the same results. Random if absent. */
  readonly seed?: number;
  /** Folder that `loadData` paths are relative to. */
  readonly folder?: string;
  /** Data by the names that `loadData` is given, instead of files. */
  readonly files?: Run['files'];
  /** How it is computed: device, threads, precision; and whether it says how inferences ran. */
  readonly engine?: Engine;
}

/**
 * Calls a function as a run of its own, with these options, and returns what it returns. Parameters are those of the run around it.
 *
 *     const coin = withRun({seed: 1, warn: (message) => console.log(message)}, () => flip(0.5));
 */
export function withRun<R>(options: WithRunOptions, action: () => R): R {
  const { seed = Math.floor(Math.random() * 2 ** 32), signal } = options;
  if (!isSeed(seed)) throw new WaymarkError(`withRun: seed must be ${SEED_KIND}, got ${describe(seed)}.`);
  const outer = machine.run;
  const speaking = speakingTo(options, (text) => console.log(text));
  return endedBy(signal, () =>
    within(
      'withRun',
      {
        folder: outer.folder,
        args: outer.args,
        files: outer.files,
        engine: outer.engine,
        team: outer.team,
        ...options,
        seed,
        ...speaking,
      },
      action,
    ),
  );
}

/**
 * Calls a function whose random numbers all follow from the seed, and returns what it returns.
 *
 *     const coins = withSeed(7, () => Infer({method: 'forward', samples: 100}, () => flip(0.5)));
 */
export function withSeed<R>(seed: number, action: () => R): R {
  if (!isSeed(seed)) throw new WaymarkError(`withSeed needs ${SEED_KIND}, got ${describe(seed)}.`);
  const { run } = machine;
  return within('withSeed', changedRun(run, { seed }), action);
}

function within<R>(caller: string, run: Run, action: () => R): R {
  if (typeof action !== 'function') {
    throw new WaymarkError(`${caller} needs a function to call, got ${describe(action)}.`);
  }
  if (!runsDirectly()) {
    throw new WaymarkError(
      `${caller} starts a run, which nothing inside a model can: call it around Infer or Optimize.`,
    );
  }
  const { program, run: outer } = machine;
  return puttingBack(() => {
    startRun({ ...run, params: machine.params });
    machine.program = program;
    if (run.engine !== outer.engine) chooseDevice(run.engine ?? {});
    return finished(caller, action());
  });
}

/** Does something that starts a run, and puts back the run around it, with its device: what an app does next is none of that run's. */
export function puttingBack<R>(action: () => R): R {
  const before = { ...machine };
  try {
    return action();
  } finally {
    // Executions are never numbered twice.
    const { executions, run } = machine;
    Object.assign(machine, before, { executions });
    if (run.engine !== before.run.engine) chooseDevice(before.run.engine ?? {});
  }
}

/** Throws if what a function returned is not there yet: the rest of it would run after the run has ended. */
function finished<R>(caller: string, result: R): R {
  if (!(result instanceof Promise)) return result;
  // Its result is not waited for any more.
  result.catch(() => {});
  throw new WaymarkError(
    `${caller} needs a function that is done when it returns, and this one is async. Wait for its data first.`,
  );
}
