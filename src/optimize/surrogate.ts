/**
 * The quantity whose gradient is the paper's final estimator (equation 11, negated, since optimisers make things
 * small). Factors contribute their cost, and choices what their rules say (`sites/`).
 */
import type { Lanes } from '../lanes/lanes.ts';
import { gatherTo } from '../tensor/lane-gather.ts';
import { Node, type Value } from '../tensor/node.ts';
import { add, mul, stopGradient, sub, weigh } from '../tensor/ops.ts';
import { type LaneWeights, laneWeights } from './lane-weights.ts';
import { overAll, overLanes } from './over-lanes.ts';
import type { ChoiceEvent, PassEvent, Strand } from './record.ts';
import { slopeOf } from './sites/relaxation.ts';
import { counted, globalWeights, localWeights, type Weights } from './weights.ts';

/** The three variance reductions of section 4.3; each may be switched off to see what it does. */
interface Reductions {
  /** A weight of its own for each choice, of what may depend on it. */
  readonly localWeights: boolean;
  /** Less a running average of the weight. */
  readonly baselines: boolean;
  /** Without the factors of q whose gradient has mean zero. */
  readonly removeZeroExpectation: boolean;
}

/** A choice whose rule asks for a weight, and that: one for each lane, if it was made in lanes. */
export interface Weighted {
  readonly choice: ChoiceEvent;
  readonly weight: Value;
  readonly lanes: Lanes | undefined;
}

interface Surrogate {
  /** Of an execution, or, where several ran side by side, for each of them. */
  readonly loss: Value;
  /** Losses on sides of conditionals, summed over the lanes that took them; added to the sum of losses. */
  readonly sides: Value;
  /** −ELBO, estimated. */
  readonly cost: Value;
  /** The weights of choices that have one, in the order met. */
  readonly weighted: readonly Weighted[];
  /** Passes of samples, whose losses are not among these (`sampled/losses.ts`). */
  readonly sampled: readonly SampledPart[];
}

export interface SampledPart {
  readonly event: PassEvent;
  /** The lanes around the samples. */
  readonly lanes: Lanes | undefined;
  /** How much they count. */
  readonly scale: number;
}

/** The weights of the choices of executions. */
export const weightsOf = (root: Strand, { localWeights: local }: Reductions): Weights =>
  local ? localWeights(root) : globalWeights(root);

/** Of an execution, or of several that ran side by side: then for each lane. */
export function surrogate(
  root: Strand,
  weights: Weights,
  reductions: Reductions,
  baselineOf: (choice: ChoiceEvent, weight: Value, lanes: Lanes | undefined) => Value,
): Surrogate {
  const weighted: Weighted[] = [];

  const sampled: SampledPart[] = [];
  let sides: Value = 0;

  /** `scale` is how much the strand counts, and `around` how much the lanes of units around it do. */
  function strandLoss(strand: Strand, lanes: Lanes | undefined, scale: number, around: LaneWeights | undefined): Loss {
    const own = laneWeights(strand);
    const within = inside(around, own);
    let loss: Value = 0;
    let apart: Value = 0;
    for (const event of strand.events) {
      if (event.kind === 'factor') loss = sub(loss, event.score);
      else if (event.kind === 'choice') {
        const weight = event.rule.weighed ? weightOf(event, lanes) : 0;
        loss = add(loss, event.rule.loss(event, weight));
        if (event.rule.ownLoss !== undefined) {
          const slope = slopeOf(event, inLanes(weights.byChoice.get(event)!, lanes));
          apart = add(apart, event.rule.ownLoss(event, weight, slope));
        }
      } else if (event.sampled !== undefined) sampled.push({ event, lanes, scale });
      else {
        let items: Value = 0;
        for (const item of event.items) {
          const part = strandLoss(item, item.lanes ?? lanes, scale * event.scale, within);
          // Of losses only the sum matters in the end, and sides may be many, one within the other.
          if (item.lanes?.kind === 'side') sides = add(sides, mul(scale, overAll(together(part, within), item)));
          else {
            items = add(items, overLanes(part.loss, item));
            apart = add(apart, overLanes(part.apart, item));
          }
        }
        loss = add(loss, mul(event.scale, items));
      }
    }
    return own === undefined ? { loss, apart } : { loss: together({ loss, apart }, own), apart: 0 };
  }

  function weightOf(choice: ChoiceEvent, lanes: Lanes | undefined): Value {
    const weight = inLanes(stopGradient(weights.byChoice.get(choice)!), lanes);
    weighted.push({ choice, weight, lanes });
    const baseline = baselineOf(choice, weight, lanes);
    const centred = sub(weight, baseline);
    return reductions.removeZeroExpectation ? centred : add(centred, 1);
  }

  const { loss } = strandLoss(root, root.lanes, 1, undefined);
  return { loss, sides, cost: counted(weights.total, root), weighted, sampled };
}

/** What a strand adds to the quantity whose gradient is taken. */
interface Loss {
  readonly loss: Value;
  /** Terms that also count in lanes that are no executions. */
  readonly apart: Value;
}

/** Of lanes that count so much. */
function together({ loss, apart }: Loss, weights: LaneWeights | undefined): Value {
  return weights === undefined ? loss : add(weigh(weights.execution, loss), weigh(weights.value, apart));
}

/** How much lanes count that are inside others. */
function inside(around: LaneWeights | undefined, own: LaneWeights | undefined): LaneWeights | undefined {
  if (around === undefined || own === undefined) return own ?? around;
  return { value: mul(around.execution, own.value), execution: mul(around.execution, own.execution) };
}

/** A weight for each lane, where it is one for each of the lanes around these. */
export function inLanes(weight: Value, lanes: Lanes | undefined): Value {
  const isAround = lanes !== undefined && weight instanceof Node && weight.space !== null;
  return isAround ? gatherTo(weight, lanes.space) : weight;
}
