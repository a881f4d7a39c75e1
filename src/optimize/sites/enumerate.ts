/**
 * Sums over all values of the choice. Each value is a lane that counts as much as the value is probable
 * (`variation-plan.ts`). In a lane the gradient is that of the score function; over all lanes together it is exact.
 */
import { WaymarkError } from '../../runtime/errors.ts';
import { add, stopGradient } from '../../tensor/ops.ts';
import { finiteValues, limitOf } from './finite-values.ts';
import type { SiteRule } from './rule.ts';
import { scoreFunction } from './score-function.ts';

export const enumerate: SiteRule = {
  ...scoreFunction,
  name: 'enumeration',
  why: 'since it has few values',
  baseline: 'none',

  suits: (site) => site.guide.name !== 'Delta' && finiteValues(site) !== undefined,

  refuse(site) {
    if (finiteValues(site) !== undefined) return;
    throw new WaymarkError(
      `gradient: 'enumerate' tries all values of a choice, at most 64 that are known beforehand, which ${site.guide.name} has not.`,
    );
  },

  serves(site) {
    return site.variation?.places(finiteValues(site)!.length, limitOf(site)) !== undefined;
  },

  draw(site) {
    const { guide, target, score, variation } = site;
    const values = finiteValues(site)!;
    const places = variation!.places(values.length, limitOf(site))!;
    const value = variation!.value(Array.from(places, (place) => values[place]));
    const logGuide = score(guide, value);
    const logWeight = add(stopGradient(logGuide), Math.log(values.length));
    return { value, logTarget: score(target, value), logGuide, logWeight, tried: values.length };
  },
};
