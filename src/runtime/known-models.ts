/**
 * Models of which more is known than of the program as a whole: they have no side effects that keep executions from running
 * as one. The compiler says so at the call that they are given to, and it holds for that call only. Of an app as a whole
 * nothing is known: all that is known of its models is said in this way.
 */
import { forAWhile } from '../tensor/mode.ts';
import { machine, type ProgramFacts } from './machine.ts';

/** What is known of a model; null if no more than of its surroundings. */
type Facts = () => Partial<ProgramFacts> | null;

const NO_SIDE_EFFECTS: Facts = () => ({ sideEffect: null, lasting: null });

export function apart<M>(given: M, facts: Facts = NO_SIDE_EFFECTS): M {
  const model = typeof given === 'function' ? given : (given as { model?: unknown } | null)?.model;
  machine.modelsApart.push({ model, facts });
  return given;
}

/** Runs an inference of a model by what is known of it. */
export function knownApart<R>(model: unknown, run: () => R): R {
  const { modelsApart } = machine;
  if (modelsApart.length === 0) return run();
  machine.modelsApart = [];
  const facts = modelsApart.find((one) => one.model === model)?.facts() ?? null;
  return facts === null ? run() : forAWhile(machine.program, facts, run);
}
