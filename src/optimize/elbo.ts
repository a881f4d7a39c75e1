/** The ELBO and the paper's final gradient estimator (sections 4.1 to 4.3). */

import { count, flag, fraction, type Option, withDefault } from '../inference/options.ts';
import { changeable, Rerun } from '../lanes/rerun.ts';
import type { Address } from '../runtime/address.ts';
import { machine } from '../runtime/machine.ts';
import type { RandomStream } from '../runtime/random.ts';
import { BadIndex } from '../tensor/kernels/indexing.ts';
import { scalar, toNode } from '../tensor/leaves.ts';
import type { Data, Value } from '../tensor/node.ts';
import { add, div, mul } from '../tensor/ops.ts';
import { planning } from '../tensor/plan/cache.ts';
import { checkTerms, explainObjective } from './bad-terms.ts';
import { Baselines } from './baselines.ts';
import { Batches } from './batches.ts';
import { CompiledStep, type StepValues } from './compiled-step.ts';
import { CompiledSteps } from './compiled-steps.ts';
import { ElboExecutions } from './elbo-executions.ts';
import type { Estimate, Estimator, Steps } from './estimator.ts';
import { BatchingReport } from './explain-batching.ts';
import { explainGuides } from './explain-guides.ts';
import { dumpGraph } from './graph-text.ts';
import { Circumstances } from './guided-execution.ts';
import { LaneBaselines } from './lane-baselines.ts';
import { LeafTable } from './leaves.ts';
import { overLanes } from './over-lanes.ts';
import type { Chain } from './record.ts';
import { byName, evaluated, gradientsOf } from './settle.ts';
import { surrogate, type Weighted } from './surrogate.ts';
import { tellWeights } from './weights-report.ts';

export interface ElboOptions {
  /** Executions per step. */
  samples: number;
  /** Whether a running average is subtracted from the weights of choices estimated by their score function. */
  avgBaselines: boolean;
  /** How much of that average is old. */
  avgBaselineDecay: number;
  /** Whether each choice is weighed by what may depend on it, not by the whole execution (section 4.3). */
  localWeights: boolean;
  /** Whether terms whose mean is zero are left out (section 4.3). */
  removeZeroExpectation: boolean;
  /** Writes the dependency graph of the first execution to a file: of this name, or deps.dot. */
  dumpGraph: string | boolean;
  /** Tells on stderr what the choices of each step are weighed by. */
  debugWeights: boolean;
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
    avgBaselineDecay: withDefault(fraction, 0.9),
    localWeights: withDefault(flag, true),
    removeZeroExpectation: withDefault(flag, true),
    dumpGraph: withDefault(fileOrFlag, false as string | boolean),
    debugWeights: withDefault(flag, false),
  },

  start(model, entry, options, parameters, steady) {
    const baselines = new Baselines(options.avgBaselineDecay);
    const laneBaselines = new LaneBaselines(baselines);
    const oneByOne = new Map<Address, string>();
    const loops = new Map<Address, string>();
    const report = new BatchingReport();
    const reductions = {
      localWeights: options.localWeights,
      baselines: options.avgBaselines,
      removeZeroExpectation: options.removeZeroExpectation,
    };
    const compiled = new CompiledSteps();
    /** Why the samples of a step are executed one by one, if they are. */
    let samplesApart: string | null =
      options.samples === 1 ? 'there is one' : machine.run.engine?.sequential ? 'that was asked for' : null;
    /** Recordings that could not be run again so far; after a few nobody tries any more. */
    let attempts = steady ? 0 : MOST_ATTEMPTS;

    const estimate: Steps = (step) => {
      // The stream of the step, and within it one for each sample and one for the minibatches.
      const stream = entry.streamOf(step);
      const occurrence = stream.occurrence();
      const streamOf = (k: number): RandomStream => stream.child(occurrence, k);
      const batches = new Batches(stream.named('minibatch'));
      try {
        return attempt(step, streamOf, batches);
      } catch (thrown) {
        if (!(thrown instanceof BadIndex)) throw thrown;
        // One by one the program itself meets what is wrong, and says at which datum.
        checkTerms(alone(streamOf, batches));
        throw thrown;
      }
    };

    /** The executions of a step, data after data. */
    const alone = (streamOf: (k: number) => RandomStream, batches: Batches): Chain[] => {
      compiled.clear();
      const executions = new ElboExecutions(model, entry, streamOf, null);
      const later = { batches: null };
      const circumstances = new Circumstances(new LeafTable(), batches, oneByOne, loops, true, later, report);
      return Array.from({ length: options.samples }, (_, k) => executions.one(k, circumstances));
    };

    const attempt = (step: number, streamOf: (k: number) => RandomStream, batches: Batches): Estimate => {
      const done = compiled.attempt(streamOf, batches);
      if (done !== undefined) {
        report.step(true, null);
        return finish(step, done.step.weighted, done.values, 'packed');
      }
      // Where checkpoints are kept, what is computed must not depend on the ways taken before.
      const guarding = compiled.guarding && !planning.bySize;
      // Graphs and explanations speak of single executions, and of single data.
      const apart = step === 0 && (options.dumpGraph !== false || machine.run.engine?.explainGuides === true);
      const record = () => {
        const rerun = attempts < MOST_ATTEMPTS && step > 0 ? new Rerun(guarding) : null;
        const leaves = new LeafTable();
        const later = { batches: null };
        const executions = new ElboExecutions(model, entry, streamOf, rerun);
        const circumstances = (alone: boolean): Circumstances =>
          new Circumstances(leaves, batches, oneByOne, loops, alone, later, report);
        return { rerun, leaves, later, executions, circumstances };
      };
      let recorded = record();
      let chains: Chain[] | undefined;
      if (samplesApart === null && !apart) {
        const found = recorded.executions.together(options.samples, recorded.circumstances(false));
        if (typeof found !== 'string') chains = found;
        else recorded = record();
        // Groups run one after the other, so that many of them are no better than that.
        const parted = chains !== undefined && chains.length > Math.max(1, options.samples / 2);
        samplesApart = typeof found === 'string' ? found : parted ? 'their courses differ' : null;
      }
      const { rerun, leaves, later, executions, circumstances } = recorded;
      chains ??= Array.from({ length: options.samples }, (_, k) => executions.one(k, circumstances(apart && k === 0)));
      if (step === 0 && options.dumpGraph !== false) dumpGraph(chains[0], options.dumpGraph);
      if (step === 0 && machine.run.engine?.explainGuides) explainGuides(chains[0]);
      let loss: Value = 0;
      let cost: Value = 0;
      const weighted: Weighted[] = [];
      for (const chain of chains) {
        const part = surrogate(chain, reductions, ({ address }, weight, lanes) =>
          lanes === undefined
            ? baselineOf(baselines, address, weight, rerun)
            : laneBaselines.of(address, weight, lanes, FIRST_SIGHT, rerun),
        );
        loss = add(loss, overLanes(part.loss, chain));
        cost = add(cost, overLanes(part.cost, chain));
        weighted.push(...part.weighted);
      }
      const nodes = {
        cost: toNode(div(cost, options.samples)),
        gradients: gradientsOf(leaves, div(loss, options.samples)),
        weights: weighted.map(({ weight }) => toNode(weight)),
      };
      if (rerun !== null && rerun.obstacle !== null) attempts++;
      const compiles = rerun !== null && rerun.obstacle === null && compiled.isWorthwhile(rerun);
      if (compiles) compiled.add(new CompiledStep(nodes, rerun, leaves, parameters, weighted, later));
      report.step(false, steady ? (rerun?.obstacle ?? null) : 'onStep may change what the model does');
      const again = compiles ? compiled.attempt(streamOf, batches)?.values : undefined;
      const values = again ?? evaluated(nodes);
      const objective = -Number(values.cost);
      if (!Number.isFinite(objective)) explainObjective(objective, alone(streamOf, batches));
      return finish(step, weighted, values, again === undefined ? byName(leaves, values.gradients) : 'packed');
    };

    const finish = (
      step: number,
      weighted: readonly Weighted[],
      { cost, weights }: StepValues<number | Data>,
      gradients: Estimate['gradients'],
    ): Estimate => {
      if (options.debugWeights) tellWeights(step, weighted, weights);
      weighted.forEach(({ choice: { address }, lanes }, i) => {
        const weight = weights[i];
        if (lanes !== undefined) laneBaselines.note(address, weight, lanes);
        else baselines.note(baselines.number(address), typeof weight === 'number' ? weight : weight[0]);
      });
      baselines.update();
      return { objective: -Number(cost), gradients };
    };
    const memory = {
      // Steps that are resumed must round as they would have, and so run the way they would have.
      save: () =>
        baselines
          .save(entry.address)
          .set(ATTEMPTS, attempts)
          .set(APART, samplesApart === null ? 0 : 1),
      restore(numbers: ReadonlyMap<string, number>): void {
        attempts = numbers.get(ATTEMPTS) ?? attempts;
        if (numbers.get(APART) === 1) samplesApart ??= 'they were so before the checkpoint';
        const averages = new Map(numbers);
        averages.delete(ATTEMPTS);
        averages.delete(APART);
        baselines.restore(averages, entry.address);
      },
    };
    return Object.assign(estimate, { memory, end: () => report.tell(options.samples, samplesApart) });
  },
};

/** After this many recordings that could not be run again, the program is run in every step. */
const MOST_ATTEMPTS = 2;
/** What the number of these attempts is called in a checkpoint. */
const ATTEMPTS = 'recordings';
/** What it is called there whether samples are executed one by one. */
const APART = 'samples apart';

/** What is subtracted from a weight: known from earlier steps, or most of the weight itself. */
function baselineOf(baselines: Baselines, address: Address, weight: Value, rerun: Rerun | null): Value {
  const number = baselines.number(address);
  const known = baselines.get(number);
  if (Number.isNaN(known)) {
    rerun?.obstruct('a choice is met for the first time');
    return mul(FIRST_SIGHT, weight);
  }
  if (rerun === null) return known;
  const leaf = changeable(scalar(known));
  rerun.changing(leaf, () => baselines.get(number));
  return leaf;
}
