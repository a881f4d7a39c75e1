/** An objective's steps as an estimator starts them. */
import type { Estimate, Estimator, Steps } from './estimator.ts';
import type { ObjectiveSteps } from './objective-steps.ts';

export function stepsOf(steps: ObjectiveSteps): ReturnType<Estimator<object>['start']> {
  const learn = ({ notes }: Estimate): void => notes && steps.baselines.learn(notes.weighted, notes.weights);
  return Object.assign((step: number): Estimate => steps.estimate(step), {
    memory: steps,
    end: () => steps.end(),
    learn,
    together: together(steps),
  });
}

/** What ranks need to make steps together; undefined if there are none. */
function together({ division, baselines, entry }: ObjectiveSteps): Steps['together'] {
  if (division === null) return undefined;
  return {
    division,
    averages: baselines.sharedFrom(entry.address),
    note: ({ notes }) => notes && baselines.note(notes.weighted, notes.weights),
  };
}
