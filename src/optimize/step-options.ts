/** What the steps of an objective can be told. */
import type { GradientsOption } from './sites/rule.ts';

/** How gradients are estimated, and what is told of that. */
export interface StepOptions {
  /** Executions per step. */
  samples: number;
  /** Whether a running average is subtracted from the weights of choices estimated by their score function. */
  avgBaselines: boolean;
  /** How much of that average is old. */
  avgBaselineDecay: number;
  /** Whether each choice is weighed by what may depend on it, not by the whole execution (section 4.3). */
  localWeights: boolean;
  /** Whether terms whose mean is zero are left out (section 4.3). */
  removeZeroExpectation: boolean;
  /** Writes the dependency graph of the first execution to a file: of this name, or deps.dot. */
  dumpGraph: string | boolean;
  /** Tells on stderr what the choices of each step are weighed by. */
  debugWeights: boolean;
  /** Which rules choices have: absent means the paper's. */
  gradients?: GradientsOption;
}

/** The options of objectives whose choices are given, so that nothing is weighed. */
export const ONLY_GIVEN: Omit<StepOptions, 'samples'> = {
  avgBaselines: false,
  avgBaselineDecay: 0,
  localWeights: true,
  removeZeroExpectation: true,
  dumpGraph: false,
  debugWeights: false,
};
