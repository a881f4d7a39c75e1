/** The ELBO and the paper's final gradient estimator (sections 4.1 to 4.3). */

import type { Model } from '../inference/algorithm.ts';
import { count, flag, number, type Option, withDefault } from '../inference/options.ts';
import type { Address } from '../runtime/address.ts';
import type { Entry } from '../runtime/execution.ts';
import { machine } from '../runtime/machine.ts';
import type { RandomStream } from '../runtime/random.ts';
import { OneByOne } from '../runtime/signals.ts';
import type { Value } from '../tensor/node.ts';
import { add, div, mul } from '../tensor/ops.ts';
import { checkTerms } from './bad-terms.ts';
import { Baselines } from './baselines.ts';
import { Batches } from './batches.ts';
import type { Estimator, Steps } from './estimator.ts';
import { explainGuides } from './explain-guides.ts';
import { dumpGraph } from './graph-text.ts';
import { Circumstances, GuidedExecution } from './guided-execution.ts';
import { laneBaseline, noteLanes } from './lane-baselines.ts';
import { LeafTable } from './leaves.ts';
import type { Chain } from './record.ts';
import { numberOf, settle } from './settle.ts';
import { surrogate, type Weighted } from './surrogate.ts';

export interface ElboOptions {
  /** Executions per step. */
  samples: number;
  avgBaselines: boolean;
  avgBaselineDecay: number;
  /** The other two variance reductions of section 4.3. */
  localWeights: boolean;
  removeZeroExpectation: boolean;
  /** Writes the dependency graph of the first execution to a file: of this name, or deps.dot. */
  dumpGraph: string | boolean;
}

const fileOrFlag: Option<string | boolean> = {
  expected: 'true, false or the name of a file (.dot for Graphviz, .mmd for Mermaid)',
  read: (value) => (typeof value === 'boolean' || (typeof value === 'string' && value !== '') ? { value } : undefined),
};

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
    dumpGraph: withDefault(fileOrFlag, false as string | boolean),
  },

  start(model, entry, options) {
    const baselines = new Baselines(options.avgBaselineDecay);
    const oneByOne = new Map<Address, string>();
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
      const run = (k: number, apart: boolean): Chain =>
        execute(model, entry, stream.child(occurrence, k), new Circumstances(leaves, batches, oneByOne, apart));
      let loss: Value = 0;
      let cost: Value = 0;
      const weights: Weighted[] = [];
      const chains: Chain[] = [];
      for (let k = 0; k < options.samples; k++) {
        const first = step === 0 && k === 0;
        // Graphs and explanations speak of single data.
        const apart = first && (options.dumpGraph !== false || machine.run.engine?.explainGuides === true);
        const root = run(k, apart);
        chains.push(root);
        if (first) {
          if (options.dumpGraph !== false) dumpGraph(root, options.dumpGraph);
          if (machine.run.engine?.explainGuides) explainGuides(root);
        }
        const part = surrogate(root, reductions, ({ address }, weight, lanes) =>
          lanes === undefined
            ? (baselines.get(address) ?? mul(FIRST_SIGHT, weight))
            : laneBaseline(baselines, address, weight, lanes, FIRST_SIGHT),
        );
        loss = add(loss, part.loss);
        cost = add(cost, part.cost);
        weights.push(...part.weighted);
      }
      const mean = div(cost, options.samples);
      const gradients = settle(leaves, div(loss, options.samples), [mean, ...weights.map(({ weight }) => weight)]);
      const objective = -numberOf(mean);
      if (!Number.isFinite(objective))
        checkTerms(
          objective,
          chains.map((_, k) => run(k, true)),
        );
      for (const { choice, weight, lanes } of weights) {
        if (lanes === undefined) baselines.note(choice.address, numberOf(weight));
        else noteLanes(baselines, choice.address, weight, lanes);
      }
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

/** Executes the model once. If a data pass turns out not to work side by side, again, with that one run one by one. */
function execute(model: Model<unknown>, entry: Entry, stream: RandomStream, circumstances: Circumstances): Chain {
  for (;;) {
    const execution = new GuidedExecution(circumstances);
    try {
      entry.execute(execution, model, stream.again());
      return execution.root;
    } catch (thrown) {
      if (!(thrown instanceof OneByOne)) throw thrown;
    }
  }
}
