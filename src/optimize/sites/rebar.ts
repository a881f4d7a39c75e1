/**
 * REBAR (Tucker et al. 2017): what an execution costs, less what it costs with a relaxed value that is like the one drawn. The relaxed value
 * is a smooth function of noise; a second one, of noise given what was drawn, tells how much of it the draw explains. Both are lanes. Where the
 * cost is no smooth function of the relaxed value, its mean has another gradient than it has itself: nothing is subtracted then.
 */
import { TensorGaussian } from '../../distributions/index.ts';
import type { Node, Value } from '../../tensor/node.ts';
import {
  add,
  div,
  gt,
  log,
  max,
  min,
  mul,
  normalCdf,
  reshape,
  select,
  sigmoid,
  sliceAxis,
  sub,
  weigh,
} from '../../tensor/ops.ts';
import { sizeOf } from '../../tensor/shape.ts';
import { muprop } from './muprop.ts';
import { along, coinsOf, drawRelaxed, refuseOthers, twinsOf } from './relaxation.ts';
import type { Site, SiteRule } from './rule.ts';
import { scoreFunction } from './score-function.ts';

/** How soft relaxed values are: 0 would be coins. */
const TEMPERATURE = 0.5;
/** Probabilities and noise keep this far from 0 and 1, where their logits have no slope. */
const EDGE = 1e-12;

const inside = (p: Value): Value => min(max(p, EDGE), 1 - EDGE);
const logit = (p: Value): Value => sub(log(p), log(sub(1, p)));

/** Between values that are no coins there is nothing: these are compared with the likeliest. */
const othersOf = (site: Site): 1 | 2 => (coinsOf(site) === undefined ? 1 : 2);

export const rebar: SiteRule = {
  ...scoreFunction,
  name: 'REBAR',
  baseline: 'none',

  refuse: (site) => refuseOthers('rebar', site),
  serves: (site) => twinsOf(site, othersOf(site)) !== undefined,

  draw(site) {
    const coins = coinsOf(site);
    if (coins === undefined) return muprop.draw(site);
    const { shape } = coins.probabilities;
    const n = sizeOf(shape);
    const normals = site.draw(TensorGaussian({ mu: 0, sigma: 1, dims: [2 * n, 1] })) as Node;
    const uniform = (from: number): Value =>
      inside(normalCdf(reshape(sliceAxis(normals, 0, from, from + n) as Node, shape) as Node));
    const [first, second] = [uniform(0), uniform(n)];
    const p = inside(coins.probabilities);
    const z = add(logit(p), logit(first));
    const drawn = select(gt(first, sub(1, p)), 1, 0) as Node;
    // Noise that leads to the same draw, as a function of the probabilities.
    const alike = add(mul(drawn, add(sub(1, p), mul(second, p))), mul(sub(1, drawn), mul(second, sub(1, p))));
    const again = add(logit(p), logit(inside(alike)));
    const soft = (of: Value): Value => sigmoid(div(of, TEMPERATURE));
    const twins = twinsOf(site, 2)!;
    return drawRelaxed(
      site,
      twins,
      coins,
      drawn,
      (turned) => add(mul(turned(1), soft(z)), mul(turned(2), soft(again))) as Node,
    );
  },

  ownLoss(choice, weight, slope): Value {
    const { relaxed, share, logDrawn } = choice;
    if (relaxed === undefined) return muprop.ownLoss!(choice, weight, slope);
    if (!slope.isSmooth) return 0;
    const { through, second } = relaxed;
    const moved = mul(sub(1, mul(2, second)), along(slope, through));
    return weigh(share!, sub(moved, weigh(second, mul(weight, logDrawn!))));
  },
};
