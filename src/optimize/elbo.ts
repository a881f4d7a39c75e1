/** The ELBO and the paper's final gradient estimator (sections 4.1 to 4.3). */

import { count, flag, fraction, type Option, withDefault } from '../inference/options.ts';
import type { Estimator } from './estimator.ts';
import { ObjectiveSteps } from './objective-steps.ts';
import { drawsOfStep, type StepDraws } from './step-draws.ts';
import type { StepOptions } from './step-options.ts';
import { stepsOf } from './steps-of.ts';

export type ElboOptions = Omit<StepOptions, 'gradients'>;

const fileOrFlag: Option<string | boolean> = {
  expected: 'true, false or the name of a file (.dot for Graphviz, .mmd for Mermaid)',
  read: (value) => (typeof value === 'boolean' || (typeof value === 'string' && value !== '') ? { value } : undefined),
};

export const elbo: Estimator<ElboOptions> = {
  objective: 'ELBO',
  larger: true,

  options: {
    samples: withDefault(count(1), 1),
    avgBaselines: withDefault(flag, true),
    avgBaselineDecay: withDefault(fraction, 0.9),
    localWeights: withDefault(flag, true),
    removeZeroExpectation: withDefault(flag, true),
    dumpGraph: withDefault(fileOrFlag, false as string | boolean),
    debugWeights: withDefault(flag, false),
  },

  start(model, entry, options, parameters, outlook) {
    const drawsOf = (step: number): StepDraws => drawsOfStep(entry, step);
    return stepsOf(new ObjectiveSteps(model, entry, drawsOf, options, parameters, outlook));
  },
};
