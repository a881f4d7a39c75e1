/**
 * The measure-valued derivative of a choice between two values: that of their probabilities, weighed by what each costs. The one
 * that was not drawn is a second lane, which draws the same random numbers otherwise. The lane counts at this choice alone.
 */
import { WaymarkError } from '../../runtime/errors.ts';
import { constant } from '../../tensor/leaves.ts';
import type { Node, Value } from '../../tensor/node.ts';
import { exp, gt, mul, ne, neg, not, select, stopGradient, weigh } from '../../tensor/ops.ts';
import { SCALAR } from '../../tensor/shape.ts';
import { finiteValues, limitOf } from './finite-values.ts';
import type { SiteRule } from './rule.ts';
import { scoreFunction } from './score-function.ts';

const COINS: readonly string[] = ['Bernoulli', 'BernoulliLogits'];

export const measure: SiteRule = {
  ...scoreFunction,
  name: 'measure-valued derivative',
  why: 'since it has two values, and there would be too many ways to enumerate',
  baseline: 'none',

  suits: ({ guide }) => COINS.includes(guide.name),

  refuse(site) {
    const { name } = site.guide;
    if (COINS.includes(name)) return;
    const other =
      finiteValues(site) === undefined
        ? "'leaveOneOut' does for any choice."
        : "'enumerate' tries all values of a choice.";
    throw new WaymarkError(
      `gradient: 'measure' compares the two values of a Bernoulli guide, and this is ${name}. ${other}`,
    );
  },

  serves: (site) => site.variation?.twins(limitOf(site)) !== undefined,

  draw(site) {
    const { guide, target, score, variation } = site;
    const { turned, counts, lanes } = variation!.twins(limitOf(site))!;
    const each = (flags: Uint8Array): Node => constant(Float32Array.from(flags), SCALAR, lanes.space, 'bool');
    const drawn = site.draw(guide) as Value;
    // A value that cannot come has a probability whose slope is no number.
    const possible = gt(stopGradient(score(guide, not(drawn))), LEAST);
    const value = ne(drawn, each(turned));
    const share = select(each(counts), select(possible, 1, 0), 0);
    return { value, logTarget: score(target, value), logGuide: score(guide, value), share };
  },

  loss: ({ logTarget }) => neg(logTarget),
  ownLoss: ({ logGuide, share }, weight) => weigh(share!, mul(exp(logGuide), weight)),
};

/** The logarithm of what is as good as impossible. */
const LEAST = -700;
