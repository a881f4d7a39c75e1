/** An objective's steps as an estimator starts them. */
import type { Estimate, Estimator, Steps } from './estimator.ts';
import type { ObjectiveSteps } from './objective-steps.ts';

export function stepsOf(steps: ObjectiveSteps): ReturnType<Estimator<object>['start']> {
  const learn = ({ notes }: Estimate): void => notes && steps.baselines.learn(notes.weighted, notes.weights);
  const makeStep = (step: number): Estimate => {
    const estimate = steps.estimate(step);
    if (steps.division === null) learn(estimate);
    return estimate;
  };
  return Object.assign(makeStep, { memory: steps, end: () => steps.end(), together: together(steps, learn) });
}

/** What ranks need to make steps together; undefined if there are none. */
function together(steps: ObjectiveSteps, learn: (estimate: Estimate) => void): Steps['together'] {
  const { division, baselines, entry } = steps;
  if (division === null) return undefined;
  return {
    division,
    learn,
    averages: baselines.sharedFrom(entry.address),
    note: ({ notes }) => notes && baselines.note(notes.weighted, notes.weights),
    findings: steps,
  };
}
