/**
 * The EUBO: guides learn from given executions, such as those that SMC found, to make them likely. Its expectation under
 * the posterior is an upper bound of the evidence, as the ELBO is a lower one.
 */

import { Trace } from '../inference/chains/trace.ts';
import { count, type Option, withDefault } from '../inference/options.ts';
import type { Address } from '../runtime/address.ts';
import { WaymarkError } from '../runtime/errors.ts';
import type { Entry } from '../runtime/execution.ts';
import { draw } from './batches.ts';
import type { Estimator } from './estimator.ts';
import { guideLikelihood } from './guide-likelihood.ts';
import { GuideScore } from './guide-score.ts';
import { LeafTable } from './leaves.ts';
import { valuesFrom } from './replayed-trace.ts';

export interface EuboOptions {
  /** Executions to learn from. */
  traces: readonly Trace<unknown>[];
  /** How many of them each step looks at. */
  batchSize: number;
}

const tracesOption: Option<readonly Trace<unknown>[]> = {
  expected: "an array of executions, such as Infer({method: 'SMC', saveTraces: true, …}).traces",
  read: (value) =>
    Array.isArray(value) && value.length > 0 && value.every((item) => item instanceof Trace) ? { value } : undefined,
};

export const eubo: Estimator<EuboOptions> = {
  objective: 'EUBO',
  larger: false,

  options: { traces: tracesOption, batchSize: withDefault(count(1), 1) },

  start(model, entry, { traces, batchSize }) {
    if (batchSize > traces.length) {
      throw new WaymarkError(
        `estimator EUBO: batchSize must be at most the number of traces, ${traces.length}; got ${batchSize}.`,
      );
    }
    const recorded = traces.map((trace) => ({ score: trace.score, values: lazily(trace, entry) }));
    return (step) => {
      const stream = entry.streamOf(step);
      const batch = draw(stream.named('batch'), traces.length, batchSize);
      const leaves = new LeafTable();
      const scored = Array.from(batch, (place) => {
        const handler = new GuideScore(leaves, recorded[place].values(), () => true);
        entry.execute(handler, model, stream.again());
        return handler;
      });
      const { logGuide, gradients } = guideLikelihood(leaves, scored, step);
      const logTarget = batch.reduce((sum, place) => sum + recorded[place].score, 0) / batchSize;
      return { objective: logTarget - logGuide, gradients };
    };
  },
};

function lazily(trace: Trace<unknown>, entry: Entry): () => ReadonlyMap<Address, unknown> {
  let values: Map<Address, unknown> | undefined;
  return () => {
    values ??= valuesFrom(trace, entry.address);
    return values;
  };
}
