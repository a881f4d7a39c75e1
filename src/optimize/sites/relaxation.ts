/**
 * Vectors of coins with values between 0 and 1. Lanes that are no executions have such a value in place of what was drawn, and go on with the
 * same random numbers; the slope of what they cost says what each coin is worth. Whatever such a lane does, estimates keep their
 * mean: what is subtracted does not depend on what was drawn.
 */
import { WaymarkError } from '../../runtime/errors.ts';
import type { Distribution } from '../../runtime/handler.ts';
import { expandTo } from '../../tensor/elementwise/record.ts';
import { gradient } from '../../tensor/gradient/gradient.ts';
import { constant, toNode } from '../../tensor/leaves.ts';
import { Node, type Value } from '../../tensor/node.ts';
import { add, log, max, mul, reshape, stopGradient, sub, sum, sumLanes, weigh } from '../../tensor/ops.ts';
import { SCALAR } from '../../tensor/shape.ts';
import { Tensor } from '../../tensor/tensor.ts';
import { limitOf } from './finite-values.ts';
import type { Drawn, Relaxed, Site } from './rule.ts';

const COINS = 'MultivariateBernoulli';

/** Refuses choices of other families. */
export function refuseOthers(name: string, { guide, target }: Site): void {
  const other = [guide, target].find((one) => one.name !== COINS);
  if (other === undefined) return;
  throw new WaymarkError(
    `gradient: '${name}' needs values between those of the choice: guide and target must be ${COINS}, and this is ${other.name}. ` +
      "For a single coin 'measure' does more at the same cost, and 'enumerate' for any choice of few values.",
  );
}

export const hasTwins = (site: Site, others: 1 | 2): boolean =>
  site.variation?.twins(limitOf(site), others) !== undefined;

/** The probabilities of coins, as a column. */
export function probabilitiesOf({ params }: Distribution<unknown>): Node | Tensor {
  const { ps } = params as { ps: Node | Tensor | readonly Value[] };
  if (ps instanceof Node || ps instanceof Tensor) return ps;
  throw new WaymarkError('The probabilities of coins are to be a vector, as in Vector([0.2, 0.7]).');
}

/** Logarithms of probabilities are at least this: a value between 0 and 1 is never impossible. */
const LEAST = -50;

/** The mean score of values that are drawn with the probabilities `x`. */
function relaxedScore(of: Distribution<unknown>, x: Node): Value {
  const ps = probabilitiesOf(of);
  const atLeast = (p: unknown): Node => max(log(p as Node), LEAST) as Node;
  return sum(add(mul(x, atLeast(ps)), mul(sub(1, x), atLeast(sub(1, ps as Node)))) as Node) as Value;
}

/** What a choice does whose value is `drawn` in executions and relaxed in lanes of other values, of which there may be two kinds. */
export function drawRelaxed(
  site: Site,
  others: 1 | 2,
  drawn: Node,
  through: (turned: (kind: number) => Node) => Node,
): Drawn {
  const { guide, target, score, variation } = site;
  const { turned, lanes } = variation!.twins(limitOf(site), others)!;
  const mask = (isIn: (kind: number) => boolean): Node =>
    constant(
      Float64Array.from(turned, (kind) => (isIn(kind) ? 1 : 0)),
      SCALAR,
      lanes.space,
    );
  const found = toNode(through((kind) => mask((one) => one === kind)));
  // Each lane has a value of its own, and a slope.
  const passing = expandTo(found, found.shape, lanes.space);
  const value = stopGradient(passing) as Node;
  const share = mask((kind) => kind > 0);
  const either = <V extends Value>(relaxed: V, executed: V): Value =>
    add(mul(share, relaxed), mul(sub(1, share), executed));
  const logDrawn = score(guide, drawn);
  return {
    value: either(value, drawn),
    logTarget: either(relaxedScore(target, value), score(target, drawn)),
    logGuide: either(relaxedScore(guide, value), logDrawn),
    share,
    relaxed: { value, through: passing, drawn, logDrawn, second: mask((kind) => kind === 2) },
  };
}

/** The slope of a weight by the relaxed value, for each lane that has one; undefined if the weight does not depend on it. */
export function slopeOf({ relaxed, share }: Drawn, weight: Value): Node | undefined {
  if (relaxed === undefined || !(weight instanceof Node) || weight.space === null) return undefined;
  const counted = weigh(share!, weight) as Node;
  return stopGradient(gradient(sumLanes(counted), [relaxed.value])[0]) as Node;
}

/** What values add up to, each times its slope. */
export const along = (slope: Node | undefined, values: Node): Value =>
  slope === undefined ? 0 : (sum(mul(slope, values) as Node) as Value);

/** The part of a draw that relaxed lanes need. */
export const relaxedOf = ({ relaxed }: Drawn): Relaxed => relaxed!;

/** A column of n numbers. */
export const column = (node: Node | Tensor, n: number): Node => reshape(node as Node, [n, 1]) as Node;
