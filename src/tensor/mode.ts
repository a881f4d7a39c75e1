/**
 * How the engine computes at the moment. Changed by `forAWhile` alone, and reset when a run starts. The state of an
 * execution is in `runtime/machine.ts`, of which the engine knows nothing.
 */
import { atRunStart } from './run-start.ts';

class EngineMode {
  /** Whether values are looked at again and again while a graph grows that will not come again. */
  growing = false;
  /**
   * Whether it is decided by sizes and data alone how something is computed: whether a graph gets a plan, not by how often it
   * was met, and whether data are taken for sparse, not by what those before were. There are ways that round differently, so
   * that otherwise the last bits of a result depend on what was computed before. An optimisation that is to go on from a
   * checkpoint as if nothing had happened must not.
   */
  bySize = false;
}

export const engineMode: EngineMode = new EngineMode();

atRunStart(() => Object.assign(engineMode, new EngineMode()));

/** Does some work with fields of an object changed, and puts back what they were, however it ends. */
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
