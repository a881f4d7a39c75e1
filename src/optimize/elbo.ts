/** The ELBO and the paper's final gradient estimator (sections 4.1 to 4.3). */
import type { Model } from '../inference/algorithm.ts';
import { count, flag, number, withDefault } from '../inference/options.ts';
import { abandoned, type Entry } from '../runtime/execution.ts';
import { evaluate } from '../tensor/evaluate.ts';
import { gradient } from '../tensor/gradient/gradient.ts';
import { toNode } from '../tensor/leaves.ts';
import { Node, type Value } from '../tensor/node.ts';
import { add, div, mul } from '../tensor/ops.ts';
import { checkTerms } from './bad-terms.ts';
import { Baselines } from './baselines.ts';
import { Batches } from './batches.ts';
import type { Estimate, Estimator } from './estimator.ts';
import { GuidedExecution } from './guided-execution.ts';
import { LeafTable } from './leaves.ts';
import type { Chain } from './record.ts';
import { surrogate } from './surrogate.ts';

export interface ElboOptions {
  /** Executions per step. */
  samples: number;
  avgBaselines: boolean;
  avgBaselineDecay: number;
  /** The other two variance reductions of section 4.3. */
  localWeights: boolean;
  removeZeroExpectation: boolean;
}

/**
 * Where nothing is known to subtract, most of the weight itself is: weights may be in the thousands, and an optimiser
 * that remembers squares of gradients would long be slow after one such step. The step still points the right way.
 */
const FIRST_SIGHT = 0.99;

export const elbo: Estimator<ElboOptions> = {
  options: {
    samples: withDefault(count(1), 1),
    avgBaselines: withDefault(flag, true),
    avgBaselineDecay: withDefault(number, 0.9),
    localWeights: withDefault(flag, true),
    removeZeroExpectation: withDefault(flag, true),
  },

  start(model, entry, options) {
    const baselines = new Baselines(options.avgBaselineDecay);
    const reductions = {
      localWeights: options.localWeights,
      baselines: options.avgBaselines,
      removeZeroExpectation: options.removeZeroExpectation,
    };
    return (step) => {
      // The stream of the step, and within it one for each sample and one for the minibatches.
      const stream = entry.streamOf(step);
      const occurrence = stream.occurrence();
      const leaves = new LeafTable();
      const batches = new Batches(stream.named('minibatch'));
      let loss: Value = 0;
      let cost: Value = 0;
      const weights: { address: Parameters<Baselines['note']>[0]; weight: Value }[] = [];
      const chains: Chain[] = [];
      for (let k = 0; k < options.samples; k++) {
        const { root } = execute(model, entry, new GuidedExecution(leaves, batches), stream.child(occurrence, k));
        chains.push(root);
        const part = surrogate(
          root,
          reductions,
          ({ address }, weight) => baselines.get(address) ?? mul(FIRST_SIGHT, weight),
        );
        loss = add(loss, part.loss);
        cost = add(cost, part.cost);
        for (const { choice, weight } of part.weighted) weights.push({ address: choice.address, weight });
      }
      const estimate = settle(leaves, div(loss, options.samples), div(cost, options.samples), weights);
      checkTerms(estimate.objective, chains);
      for (const { address, weight } of weights) baselines.note(address, numberOf(weight));
      baselines.update();
      return estimate;
    };
  },
};

/** Executes the model once under the handler, which never gives up. */
export function execute(
  model: Model<unknown>,
  entry: Entry,
  handler: GuidedExecution,
  stream: Parameters<Entry['execute']>[2],
): GuidedExecution {
  if (entry.execute(handler, model, stream) === abandoned) throw new Error('a guided execution was abandoned');
  return handler;
}

/** Computes objective, gradients and weights together. */
function settle(leaves: LeafTable, loss: Value, cost: Value, weights: readonly { weight: Value }[]): Estimate {
  const gradients = loss instanceof Node ? gradient(loss, leaves.leaves) : [];
  evaluate([toNode(cost), ...gradients, ...weights.map(({ weight }) => weight).filter((w) => w instanceof Node)]);
  return {
    objective: -numberOf(cost),
    gradients: new Map(
      leaves.names.map((name, i) => [
        name,
        gradients.length === 0
          ? new Float64Array(leaves.tensor(name).length)
          : Float64Array.from(gradients[i].elements()),
      ]),
    ),
  };
}

function numberOf(value: Value): number {
  return value instanceof Node ? Number(value.value()) : Number(value);
}
