/**
 * The score function, weighed by how much better an execution went than the other executions of its step, whose costs are
 * subtracted (Kool et al. 2019; `siblings.ts` says which of them). It needs several executions, and remembers nothing of
 * earlier steps.
 */
import { WaymarkError } from '../../runtime/errors.ts';
import type { SiteRule } from './rule.ts';
import { scoreFunction } from './score-function.ts';

export const leaveOneOut: SiteRule = {
  ...scoreFunction,
  name: 'leave one out',
  why: 'since there are several executions in a step',
  baseline: 'siblings',

  suits: ({ policy }) => policy.samples > 1,

  refuse({ policy }) {
    if (policy.samples > 1) return;
    throw new WaymarkError(
      "gradient: 'leaveOneOut' compares the executions of a step, of which there is one. Have more, as in " +
        "estimator: {ELBO: {samples: 4}}, or choose 'score'.",
    );
  },
};
