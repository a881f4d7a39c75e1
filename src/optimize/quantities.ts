/** What is computed from executions: their cost, its gradients, and the weights of choices. */
import type { Rerun } from '../lanes/rerun.ts';
import { toNode } from '../tensor/leaves.ts';
import type { Node, Value } from '../tensor/node.ts';
import { add, div } from '../tensor/ops.ts';
import type { StepValues } from './compiled-step.ts';
import { checkBaseline, checkOrder, type Division } from './division.ts';
import type { ElboBaselines } from './elbo-baselines.ts';
import type { Executions } from './executions.ts';
import type { LeafTable } from './leaves.ts';
import { gradientsOf, gradientsOfAll } from './named-gradients.ts';
import { overLanes } from './over-lanes.ts';
import type { Strand } from './record.ts';
import { sampledLosses } from './sampled/losses.ts';
import type { Sampling } from './sampled/objective.ts';
import { Siblings } from './siblings.ts';
import type { StepDraws } from './step-draws.ts';
import type { StepOptions } from './step-options.ts';
import { type SampledPart, surrogate, type Weighted, weightsOf } from './surrogate.ts';

export interface Quantities {
  readonly nodes: StepValues<Node>;
  readonly weighted: Weighted[];
}

/** What executions have left. */
interface Executed {
  readonly strands: readonly Strand[];
  /** Null if they are not run again. */
  readonly rerun: Rerun | null;
  readonly leaves: LeafTable;
}

/** What the executions of a step write into. */
export interface Recorded extends Executed {
  /** What later steps draw, once there is one. */
  readonly later: { draws: StepDraws | null };
  readonly executions: Executions;
}

interface Manner {
  readonly options: StepOptions;
  readonly baselines: ElboBaselines;
  readonly sampling: Sampling | null;
  /** How many executions an estimate is the mean of. */
  readonly counted: number;
  readonly division: Division | null;
}

export function quantitiesOf({ strands, rerun, leaves }: Executed, manner: Manner): Quantities {
  const { options, baselines, sampling, counted, division } = manner;
  if (division?.mode === 'data') for (const strand of strands) checkOrder(strand);
  const reductions = {
    localWeights: options.localWeights,
    baselines: options.avgBaselines,
    removeZeroExpectation: options.removeZeroExpectation,
  };
  let loss: Value = 0;
  let cost: Value = 0;
  const weighted: Weighted[] = [];
  const sampled: SampledPart[] = [];
  const weights = strands.map((strand) => weightsOf(strand, reductions));
  const siblings = new Siblings(strands, weights, counted);
  strands.forEach((strand, i) => {
    const part = surrogate(strand, weights[i], reductions, (choice, weight, lanes) => {
      const { baseline } = choice.rule;
      checkBaseline(baseline, division);
      if (baseline === 'siblings') return siblings.of(choice, lanes, i);
      return baseline === 'none' || !reductions.baselines ? 0 : baselines.of(choice, weight, lanes, rerun);
    });
    loss = add(add(loss, overLanes(part.loss, strand)), part.sides);
    cost = add(cost, overLanes(part.cost, strand));
    weighted.push(...part.weighted);
    sampled.push(...part.sampled);
  });
  const nodes = {
    cost: toNode(div(cost, counted)),
    gradients:
      sampling === null
        ? gradientsOf(leaves, div(loss, counted))
        : gradientsOfAll(leaves, sampledLosses(sampling, sampled, loss, strands, leaves.leaves)),
    weights: weighted.map(({ weight }) => toNode(weight)),
  };
  return { nodes, weighted };
}
