/**
 * Coins with values between 0 and 1: vectors of them, and single ones. Lanes that are no executions have such a value in
 * place of what was drawn, and go on with the same random numbers; the slope of what they cost says how much each coin
 * matters. Estimates keep their mean, since what is subtracted is a function whose mean has a gradient that is known.
 */
import { SoftTruth, truthNumber } from '../../lanes/soft-truth.ts';
import { WaymarkError } from '../../runtime/errors.ts';
import type { Distribution } from '../../runtime/handler.ts';
import { expandTo } from '../../tensor/elementwise/record.ts';
import { gradient, isInterrupted } from '../../tensor/gradient/gradient.ts';
import { constant, toNode } from '../../tensor/leaves.ts';
import { Node, type Value } from '../../tensor/node.ts';
import { add, gt, log, max, mul, sigmoid, stopGradient, sub, sum, sumLanes, weigh } from '../../tensor/ops.ts';
import { SCALAR } from '../../tensor/shape.ts';
import { Tensor } from '../../tensor/tensor.ts';
import type { Twins } from '../varied-unit.ts';
import { finiteValues, limitOf } from './finite-values.ts';
import type { Drawn, Site, Slope } from './rule.ts';

/** Coins as numbers between 0 and 1. */
interface Coins {
  /** A number, or a column of them. */
  readonly probabilities: Node;
  /** Zeros and ones as the family has them. */
  drawn(numbers: Node): unknown;
  /** Numbers as the program sees them. */
  seen(numbers: Node): unknown;
  /** The mean score of values that are drawn with the probabilities `numbers`. */
  score(of: Distribution<unknown>, numbers: Node): Value;
}

const VECTOR = 'MultivariateBernoulli';

/** What there is between the values of a guide; undefined if it is no coin. */
export function coinsOf({ guide, target, score }: Site): Coins | undefined {
  if (guide.name === VECTOR && target.name === VECTOR) {
    return {
      probabilities: vectorOf(guide),
      drawn: (numbers) => numbers,
      seen: (numbers) => numbers,
      score: vectorScore,
    };
  }
  const { p, logits } = guide.params as { p: Value; logits: Value };
  if (guide.name !== 'Bernoulli' && guide.name !== 'BernoulliLogits') return undefined;
  return {
    probabilities: toNode(guide.name === 'Bernoulli' ? p : sigmoid(logits)),
    drawn: (numbers) => gt(numbers, 0.5),
    seen: (numbers) => SoftTruth.of(numbers),
    score(of, numbers) {
      const [yes, no] = [true, false].map((value) => max(score(of, value), LEAST));
      return add(mul(numbers, yes), mul(sub(1, numbers), no));
    },
  };
}

/** Refuses choices whose values are not known beforehand. */
export function refuseOthers(name: string, site: Site): void {
  if (coinsOf(site) !== undefined || finiteValues(site) !== undefined) return;
  throw new WaymarkError(
    `gradient: '${name}' compares the value drawn with others that are known beforehand, at most 64 or those between the two of a coin, ` +
      `which ${site.guide.name} has not. 'leaveOneOut' does for any choice.`,
  );
}

export const twinsOf = (site: Site, others: 1 | 2): Twins | undefined => site.variation?.twins(limitOf(site), others);

/** The probabilities of coins, as a column. */
function vectorOf({ params }: Distribution<unknown>): Node {
  const { ps } = params as { ps: Node | Tensor | readonly Value[] };
  if (ps instanceof Node || ps instanceof Tensor) return toNode(ps);
  throw new WaymarkError('The probabilities of coins are to be a vector, as in Vector([0.2, 0.7]).');
}

/** Logarithms of probabilities are at least this: a value between 0 and 1 is never impossible. */
const LEAST = -50;

function vectorScore(of: Distribution<unknown>, x: Node): Value {
  const ps = vectorOf(of);
  const atLeast = (p: Value): Node => max(log(p), LEAST) as Node;
  return sum(add(mul(x, atLeast(ps)), mul(sub(1, x), atLeast(sub(1, ps)))) as Node) as Value;
}

/** 1 in lanes of some kind, 0 in others. */
export const maskOf = ({ turned, lanes }: Twins, isIn: (kind: number) => boolean): Node =>
  constant(
    Float64Array.from(turned, (kind) => (isIn(kind) ? 1 : 0)),
    SCALAR,
    lanes.space,
  );

/** What a choice does whose value is `drawn` in executions and relaxed in lanes of other values, of which there may be two kinds. */
export function drawRelaxed(
  { guide, target, score }: Site,
  twins: Twins,
  coins: Coins,
  drawn: Node,
  through: (turned: (kind: number) => Node) => Node,
): Drawn {
  const found = toNode(through((kind) => maskOf(twins, (one) => one === kind)));
  // Each lane has a value of its own, and a slope.
  const passing = expandTo(found, found.shape, twins.space);
  const value = stopGradient(passing) as Node;
  const share = maskOf(twins, (kind) => kind > 0);
  const either = (relaxed: Value, executed: Value): Value => add(mul(share, relaxed), mul(sub(1, share), executed));
  const executed = coins.drawn(drawn);
  const logDrawn = score(guide, executed);
  return {
    value: coins.seen(either(value, drawn) as Node),
    logTarget: either(coins.score(target, value), score(target, executed)),
    logGuide: either(coins.score(guide, value), logDrawn),
    share,
    logDrawn,
    relaxed: { value, through: passing, drawn, second: maskOf(twins, (kind) => kind === 2), isLookedAt: false },
  };
}

/** What a guide draws, as zeros and ones. */
export const drawnNumbers = (site: Site): Node => toNode(truthNumber(toNode(site.draw(site.guide) as Value)));

/** How a weight depends on the relaxed value of a choice. */
export function slopeOf({ relaxed, share }: Drawn, weight: Value): Slope {
  if (relaxed === undefined || !(weight instanceof Node) || weight.space === null)
    return { by: undefined, isSmooth: false };
  const counted = weigh(share!, weight) as Node;
  const by = stopGradient(gradient(sumLanes(counted), [relaxed.value])[0]) as Node;
  return { by, isSmooth: !relaxed.isLookedAt && !isInterrupted(weight, relaxed.value) };
}

/** What values add up to, each times its slope. */
export const along = ({ by }: Slope, values: Node): Value =>
  by === undefined ? 0 : (sum(mul(by, values) as Node) as Value);
