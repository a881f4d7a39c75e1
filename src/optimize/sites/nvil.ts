/** The score function, less what a network has learned to expect of the datum (`learned-baselines.ts`). */
import type { SiteRule } from './rule.ts';
import { scoreFunction } from './score-function.ts';

export const nvil: SiteRule = {
  ...scoreFunction,
  name: 'score function with a learned baseline',
  baseline: 'learned',

  // Outside of data there is nothing to learn from but the mean.
  serves: ({ variation }) => variation?.hasData === true,
  unserved: 'it is no part of data that are a list',
};
