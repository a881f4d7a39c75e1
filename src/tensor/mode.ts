/**
 * How the engine computes at the moment. Changed by `forAWhile` alone, and reset when a run starts. The state of an
 * execution is in `runtime/machine.ts`, of which the engine knows nothing.
 */
import { atRunStart } from './run-start.ts';

class EngineMode {
  /** Whether the graph at hand is evaluated again and again while it grows, and will not come again. */
  growing = false;
  /**
   * Whether only sizes and data decide how something is computed: whether a graph gets a plan, not by how often it
   * was met, and whether data are taken for sparse, not by what earlier data were. Some ways of computing round
   * differently, so that otherwise the last bits of a result depend on what was computed before. An optimisation
   * that is resumed from a checkpoint must give the same bits as one that was never interrupted.
   */
  bySize = false;
}

export const engineMode: EngineMode = new EngineMode();

atRunStart(() => Object.assign(engineMode, new EngineMode()));

/** Runs `work` with changed fields of an object, and restores them, however it ends. */
export function forAWhile<O extends object, R>(owner: O, change: Partial<O>, work: () => R): R {
  // (Called several times in every step of an optimisation.)
  const names = Object.keys(change) as (keyof O)[];
  const before: O[keyof O][] = [];
  for (let i = 0; i < names.length; i++) {
    before[i] = owner[names[i]];
    owner[names[i]] = change[names[i]] as O[keyof O];
  }
  try {
    return work();
  } finally {
    for (let i = 0; i < names.length; i++) owner[names[i]] = before[i];
  }
}
