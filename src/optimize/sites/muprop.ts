/**
 * MuProp (Gu et al. 2016): what an execution costs, less a first-order expansion of it around the mean of the choice, which is
 * another lane. What is subtracted has a gradient that is known, and is added again.
 */
import type { Node, Value } from '../../tensor/node.ts';
import { add, mul, sub, weigh } from '../../tensor/ops.ts';
import { along, drawRelaxed, hasTwins, probabilitiesOf, refuseOthers, relaxedOf } from './relaxation.ts';
import type { SiteRule } from './rule.ts';
import { scoreFunction } from './score-function.ts';

export const muprop: SiteRule = {
  ...scoreFunction,
  name: 'MuProp',
  baseline: 'none',

  refuse: (site) => refuseOthers('muprop', site),
  serves: (site) => hasTwins(site, 1),

  draw(site) {
    const { guide } = site;
    const mean = probabilitiesOf(guide) as Node;
    return drawRelaxed(site, 1, site.draw(guide) as Node, () => mean);
  },

  ownLoss(choice, weight, slope): Value {
    const { drawn, value, through, logDrawn } = relaxedOf(choice);
    const expanded = add(weight, along(slope, sub(drawn, value) as Node));
    return weigh(choice.share!, sub(along(slope, through), mul(expanded, logDrawn)));
  },
};
