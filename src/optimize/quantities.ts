/** The quantities that are computed from executions: their cost, its gradients, and the weights of choices. */
import type { Rerun } from '../lanes/rerun.ts';
import { toNode } from '../tensor/leaves.ts';
import type { Node, Value } from '../tensor/node.ts';
import { add, div } from '../tensor/ops.ts';
import type { StepValues } from './compiled-step.ts';
import { checkBaseline, checkOrder, type Division } from './division.ts';
import type { ElboBaselines } from './elbo-baselines.ts';
import type { LeafTable } from './leaves.ts';
import { overLanes } from './over-lanes.ts';
import type { Chain } from './record.ts';
import { sampledLosses } from './sampled/losses.ts';
import type { Sampling } from './sampled/objective.ts';
import { gradientsOf, gradientsOfAll } from './settle.ts';
import { Siblings } from './siblings.ts';
import type { StepOptions } from './step-options.ts';
import { type SampledPart, surrogate, type Weighted, weightsOf } from './surrogate.ts';

export interface Quantities {
  readonly nodes: StepValues<Node>;
  readonly weighted: Weighted[];
}

/** What executions have left. */
export interface Executed {
  readonly chains: readonly Chain[];
  /** Null if they are not run again. */
  readonly rerun: Rerun | null;
  readonly leaves: LeafTable;
}

interface Manner {
  readonly options: StepOptions;
  readonly baselines: ElboBaselines;
  readonly sampling: Sampling | null;
  /** How many executions an estimate is the mean of. */
  readonly counted: number;
  readonly division: Division | null;
}

export function quantitiesOf({ chains, rerun, leaves }: Executed, manner: Manner): Quantities {
  const { options, baselines, sampling, counted, division } = manner;
  if (division?.mode === 'data') for (const chain of chains) checkOrder(chain);
  const reductions = {
    localWeights: options.localWeights,
    baselines: options.avgBaselines,
    removeZeroExpectation: options.removeZeroExpectation,
  };
  let loss: Value = 0;
  let cost: Value = 0;
  const weighted: Weighted[] = [];
  const sampled: SampledPart[] = [];
  const weights = chains.map((chain) => weightsOf(chain, reductions));
  const siblings = new Siblings(chains, weights, counted);
  chains.forEach((chain, i) => {
    const part = surrogate(chain, weights[i], reductions, (choice, weight, lanes) => {
      const { baseline } = choice.rule;
      checkBaseline(baseline, division);
      if (baseline === 'siblings') return siblings.of(choice, lanes, i);
      return baseline === 'none' || !reductions.baselines ? 0 : baselines.of(choice, weight, lanes, rerun);
    });
    loss = add(add(loss, overLanes(part.loss, chain)), part.sides);
    cost = add(cost, overLanes(part.cost, chain));
    weighted.push(...part.weighted);
    sampled.push(...part.sampled);
  });
  const nodes = {
    cost: toNode(div(cost, counted)),
    gradients:
      sampling === null
        ? gradientsOf(leaves, div(loss, counted))
        : gradientsOfAll(leaves, sampledLosses(sampling, sampled, loss, chains, leaves.leaves)),
    weights: weighted.map(({ weight }) => toNode(weight)),
  };
  return { nodes, weighted };
}
