/**
 * MuProp (Gu et al. 2016): what an execution costs, less a first-order expansion of it around the mean of the choice, which is
 * another lane. What is subtracted has a gradient that is known, and is added again. Choices that have no mean are compared with their likeliest value.
 */
import type { Node, Value } from '../../tensor/node.ts';
import { add, mul, neg, sub, weigh } from '../../tensor/ops.ts';
import { drawLikeliest } from './likeliest.ts';
import { along, coinsOf, drawnNumbers, drawRelaxed, refuseOthers, twinsOf } from './relaxation.ts';
import type { SiteRule } from './rule.ts';
import { scoreFunction } from './score-function.ts';

export const muprop: SiteRule = {
  ...scoreFunction,
  name: 'MuProp',
  baseline: 'none',

  refuse: (site) => refuseOthers('muprop', site),
  serves: (site) => twinsOf(site, 1) !== undefined,

  draw(site) {
    const twins = twinsOf(site, 1)!;
    const coins = coinsOf(site);
    if (coins === undefined) return drawLikeliest(site, twins);
    return drawRelaxed(site, twins, coins, drawnNumbers(site), () => coins.probabilities);
  },

  ownLoss({ relaxed, share, logDrawn }, weight, slope): Value {
    if (relaxed === undefined) return weigh(share!, neg(mul(weight, logDrawn!)));
    const { drawn, value, through } = relaxed;
    const expanded = add(weight, along(slope, sub(drawn, value) as Node));
    return weigh(share!, sub(along(slope, through), mul(expanded, logDrawn!)));
  },
};
