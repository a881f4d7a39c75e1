import type { Entry } from '../runtime/execution.ts';
import type { RandomStream } from '../runtime/random.ts';
import { Batches } from './batches.ts';
import type { GivenExecution } from './given-executions.ts';

/** What a step starts from: the stream of each of its executions, its minibatches, and the executions it is given, if any. */
export interface StepDraws {
  streamOf(k: number): RandomStream;
  readonly batches: Batches;
  readonly given?: readonly GivenExecution[];
  /** The objective, from what its executions cost on average. */
  objective(cost: number): number;
}

/** A step whose executions draw from the guides: the stream of a step holds one for each execution and one for the minibatches. */
export function drawsOfStep(entry: Entry, step: number): StepDraws {
  const stream = entry.streamOf(step);
  const occurrence = stream.occurrence();
  return {
    streamOf: (k) => stream.child(occurrence, k),
    batches: new Batches(stream.named('minibatch')),
    objective: (cost) => -cost,
  };
}
