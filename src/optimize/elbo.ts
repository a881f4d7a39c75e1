/** The ELBO and the paper's final gradient estimator (sections 4.1 to 4.3). */
import { count, flag, number, withDefault } from '../inference/options.ts';
import type { Address } from '../runtime/address.ts';
import type { Value } from '../tensor/node.ts';
import { add, div, mul } from '../tensor/ops.ts';
import { checkTerms } from './bad-terms.ts';
import { Baselines } from './baselines.ts';
import { Batches } from './batches.ts';
import type { Estimator, Steps } from './estimator.ts';
import { GuidedExecution } from './guided-execution.ts';
import { LeafTable } from './leaves.ts';
import type { Chain } from './record.ts';
import { numberOf, settle } from './settle.ts';
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
  objective: 'ELBO',
  larger: true,

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
    const estimate: Steps = (step) => {
      // The stream of the step, and within it one for each sample and one for the minibatches.
      const stream = entry.streamOf(step);
      const occurrence = stream.occurrence();
      const leaves = new LeafTable();
      const batches = new Batches(stream.named('minibatch'));
      let loss: Value = 0;
      let cost: Value = 0;
      const weights: { address: Address; weight: Value }[] = [];
      const chains: Chain[] = [];
      for (let k = 0; k < options.samples; k++) {
        const execution = new GuidedExecution(leaves, batches);
        entry.execute(execution, model, stream.child(occurrence, k));
        chains.push(execution.root);
        const part = surrogate(
          execution.root,
          reductions,
          ({ address }, weight) => baselines.get(address) ?? mul(FIRST_SIGHT, weight),
        );
        loss = add(loss, part.loss);
        cost = add(cost, part.cost);
        for (const { choice, weight } of part.weighted) weights.push({ address: choice.address, weight });
      }
      const mean = div(cost, options.samples);
      const gradients = settle(leaves, div(loss, options.samples), [mean, ...weights.map(({ weight }) => weight)]);
      const objective = -numberOf(mean);
      checkTerms(objective, chains);
      for (const { address, weight } of weights) baselines.note(address, numberOf(weight));
      baselines.update();
      return { objective, gradients };
    };
    const memory = {
      save: () => baselines.save(entry.address),
      restore: (numbers: ReadonlyMap<string, number>) => baselines.restore(numbers, entry.address),
    };
    return Object.assign(estimate, { memory });
  },
};
