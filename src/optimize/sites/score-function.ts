/** Gradients of the score of the guide, weighed by all that may depend on the choice (section 4.2 of the paper). */
import { mul, sub } from '../../tensor/ops.ts';
import type { SiteRule } from './rule.ts';

export const scoreFunction: SiteRule = {
  name: 'score function',
  weighed: true,

  suits: () => true,

  draw(site) {
    const value = site.draw(site.guide);
    return { value, logTarget: site.score(site.target, value), logGuide: site.score(site.guide, value) };
  },

  cost: ({ logGuide, logTarget }) => sub(logGuide, logTarget),
  loss: ({ logGuide, logTarget }, weight) => sub(mul(logGuide, weight), logTarget),
};
