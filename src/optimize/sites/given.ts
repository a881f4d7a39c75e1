/** Choices whose values are known, from recorded executions or dreams: the guide learns to find them likely. */
import { neg } from '../../tensor/ops.ts';
import type { SiteRule } from './rule.ts';

export const given: SiteRule = {
  name: 'learns to find it likely',
  weighed: false,

  suits: (site) => site.given !== undefined,

  draw({ given, guide, score }) {
    const { value } = given!;
    // A point has no density to be raised; its choice is given.
    return { value, logTarget: 0, logGuide: guide.name === 'Delta' ? 0 : score(guide, value) };
  },

  cost: ({ logGuide }) => neg(logGuide),
  loss: ({ logGuide }) => neg(logGuide),
};
