/** The importance-weighted bound (IWAE): the logarithm of the mean weight of several samples. It tightens with their number. */
import { count, type Option, type OptionTable, oneOf, readOptions, withDefault } from '../inference/options.ts';
import { elbo } from './elbo.ts';
import type { Estimator } from './estimator.ts';
import { ObjectiveSteps } from './objective-steps.ts';
import type { Sampling } from './sampled/objective.ts';
import { drawsOfStep, type StepDraws } from './step-draws.ts';
import { stepsOf } from './steps-of.ts';

/** What samples are of. */
export type Scope = Sampling['per'];

export const scopeOption: Option<Scope> = {
  ...oneOf('datum', 'execution'),
  standard: { value: undefined },
} as Option<Scope>;

export interface IwaeOptions {
  /** Samples of each datum, or of each execution. */
  samples: number;
  /** What samples are of: single data of `mapData`, or whole executions. By default the first where the program makes sense of it. */
  per: Scope;
}

/** Choices that samples share have the paper's variance reductions. */
const shared = readOptions('ELBO', {}, elbo.options);

/** Starts steps that weigh samples against each other. */
export function startSampled(
  [model, entry, { gradients }, parameters, outlook]: Parameters<Estimator<object>['start']>,
  sampling: Sampling,
): ReturnType<Estimator<object>['start']> {
  const drawsOf = (step: number): StepDraws => drawsOfStep(entry, step);
  return stepsOf(new ObjectiveSteps(model, entry, drawsOf, { ...shared, gradients }, parameters, outlook, sampling));
}

const options: OptionTable<IwaeOptions> = { samples: withDefault(count(1), 5), per: scopeOption };

export const iwae: Estimator<IwaeOptions> = {
  objective: 'IWAE',
  larger: true,
  options,

  start(model, entry, { samples, per, gradients }, parameters, outlook) {
    if (samples === 1) return elbo.start(model, entry, { ...shared, gradients }, parameters, outlook);
    const sampling: Sampling = { count: samples, kind: 'bound', guides: 0, per };
    return startSampled([model, entry, { gradients }, parameters, outlook], sampling);
  },
};
