/**
 * REBAR (Tucker et al. 2017): what an execution costs, less what it costs with a relaxed value that is like the one drawn. The relaxed value
 * is a smooth function of noise; a second one, of noise given what was drawn, tells how much of it the draw explains. Both are lanes.
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
  select,
  sigmoid,
  sliceAxis,
  sub,
  weigh,
} from '../../tensor/ops.ts';
import { sizeOf } from '../../tensor/shape.ts';
import { along, column, drawRelaxed, hasTwins, probabilitiesOf, refuseOthers, relaxedOf } from './relaxation.ts';
import type { SiteRule } from './rule.ts';
import { scoreFunction } from './score-function.ts';

/** How soft relaxed values are: 0 would be coins. */
const TEMPERATURE = 0.5;
/** Probabilities and noise keep this far from 0 and 1, where their logits have no slope. */
const EDGE = 1e-12;

const inside = (p: Value): Value => min(max(p, EDGE), 1 - EDGE);
const logit = (p: Value): Value => sub(log(p), log(sub(1, p)));

export const rebar: SiteRule = {
  ...scoreFunction,
  name: 'REBAR',
  baseline: 'none',

  refuse: (site) => refuseOthers('rebar', site),
  serves: (site) => hasTwins(site, 2),

  draw(site) {
    const ps = probabilitiesOf(site.guide) as Node;
    const n = sizeOf('shape' in ps ? ps.shape : (ps as { dims: number[] }).dims);
    const normals = site.draw(TensorGaussian({ mu: 0, sigma: 1, dims: [2 * n, 1] })) as Node;
    const uniform = (from: number): Value =>
      inside(normalCdf(column(sliceAxis(normals, 0, from, from + n) as Node, n)));
    const [first, second] = [uniform(0), uniform(n)];
    const p = inside(ps);
    const z = add(logit(p), logit(first));
    const drawn = select(gt(first, sub(1, p)), 1, 0) as Node;
    // Noise that leads to the same draw, as a function of the probabilities.
    const alike = add(mul(drawn, add(sub(1, p), mul(second, p))), mul(sub(1, drawn), mul(second, sub(1, p))));
    const again = add(logit(p), logit(inside(alike)));
    const soft = (of: Value): Value => sigmoid(div(of, TEMPERATURE));
    return drawRelaxed(site, 2, drawn, (turned) => add(mul(turned(1), soft(z)), mul(turned(2), soft(again))) as Node);
  },

  ownLoss(choice, weight, slope): Value {
    const { through, logDrawn, second } = relaxedOf(choice);
    const moved = mul(sub(1, mul(2, second)), along(slope, through));
    return weigh(choice.share!, sub(moved, weigh(second, mul(weight, logDrawn))));
  },
};
