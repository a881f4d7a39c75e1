/**
 * Steps that depend on nothing but the parameters: nothing is drawn, no data are chosen, and no baseline learns. All that was prepared for
 * the last of them still stands, so that the plan is run again and nothing else is done. In small models the rest takes longer
 * than the plan.
 */
import { BadIndex } from '../tensor/kernels/indexing.ts';
import type { CompiledSteps } from './compiled-steps.ts';
import { triesImpossible } from './impossible-values.ts';
import type { StepDraws } from './step-draws.ts';

/** The objective of the step at hand, whose gradients are then packed; undefined if the step has to be estimated anew. */
export function repeatedObjective(compiled: CompiledSteps, last: StepDraws): number | undefined {
  // Executions that are given are others in each step.
  if (last.given !== undefined) return undefined;
  const done = repeated(compiled);
  if (done === undefined || triesImpossible(done.step.weighted, done.values.weights)) return undefined;
  return last.objective(Number(done.values.cost));
}

function repeated(compiled: CompiledSteps): ReturnType<CompiledSteps['repeat']> {
  try {
    return compiled.repeat();
  } catch (thrown) {
    // What to do about it is known where the step is estimated anew.
    if (thrown instanceof BadIndex) return undefined;
    throw thrown;
  }
}
