/**
 * Models of which more is known than of the program as a whole: they come to nothing that keeps executions from running as
 * one. The compiler says so at the call that is given them.
 */
import { machine } from './machine.ts';

/** The model that it was said of last, which holds for the call that follows at once. */
let said: unknown = null;

export function apart<M>(given: M): M {
  said = typeof given === 'function' ? given : (given as { model?: unknown } | null)?.model;
  return given;
}

/** Runs an inference of a model by what is known of it. */
export function knownApart<R>(model: unknown, run: () => R): R {
  const known = said === model;
  said = null;
  if (!known) return run();
  const { program } = machine;
  const { noise } = program;
  program.noise = null;
  try {
    return run();
  } finally {
    program.noise = noise;
  }
}
