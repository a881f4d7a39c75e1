/**
 * Models of which more is known than of the program as a whole: they come to nothing that keeps executions from running as
 * one. The compiler says so at the call that is given them. Of an app nothing is known as a whole, and all that is known
 * is said so.
 */
import { machine, type ProgramFacts } from './machine.ts';

/** What is known of a model; null if no more than of what is around. */
type Facts = () => Partial<ProgramFacts> | null;

interface Said {
  readonly model: unknown;
  readonly facts: Facts;
}

/** What was said last, which holds for the call that follows at once. */
let said: Said[] = [];

const SILENT: Facts = () => ({ noise: null });

export function apart<M>(given: M, facts: Facts = SILENT): M {
  const model = typeof given === 'function' ? given : (given as { model?: unknown } | null)?.model;
  said.push({ model, facts });
  return given;
}

/** Runs an inference of a model by what is known of it. */
export function knownApart<R>(model: unknown, run: () => R): R {
  if (said.length === 0) return run();
  const known = said.find((one) => one.model === model);
  said = [];
  if (known === undefined) return run();
  const facts = known.facts();
  if (facts === null) return run();
  const { program } = machine;
  const names = Object.keys(facts) as (keyof ProgramFacts)[];
  const before = Object.fromEntries(names.map((name) => [name, program[name]]));
  Object.assign(program, facts);
  try {
    return run();
  } finally {
    Object.assign(program, before);
  }
}
