/** The ELBO and the paper's final gradient estimator (sections 4.1 to 4.3). */

import { count, flag, fraction, type Option, withDefault } from '../inference/options.ts';
import { type ElboOptions, ElboSteps } from './elbo-steps.ts';
import type { Estimate, Estimator } from './estimator.ts';

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

  start(model, entry, options, parameters, steady) {
    const steps = new ElboSteps(model, entry, options, parameters, steady);
    const estimate = (step: number): Estimate => steps.estimate(step);
    return Object.assign(estimate, { memory: steps, end: () => steps.end() });
  },
};
