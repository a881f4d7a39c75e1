/**
 * The EUBO: guides learn from given executions, such as those that SMC found, to make them likely. Its expectation under
 * the posterior is an upper bound of the evidence, as the ELBO is a lower one.
 */

import { Trace } from '../inference/chains/trace.ts';
import { count, type Option, withDefault } from '../inference/options.ts';
import type { Address } from '../runtime/address.ts';
import { WaymarkError } from '../runtime/errors.ts';
import type { Entry } from '../runtime/execution.ts';
import type { Share } from '../runtime/team.ts';
import { Batches, draw } from './batches.ts';
import type { Estimator } from './estimator.ts';
import type { GivenExecution } from './given-executions.ts';
import { ObjectiveSteps } from './objective-steps.ts';
import { valuesFrom } from './replayed-trace.ts';
import type { StepDraws } from './step-draws.ts';
import { ONLY_GIVEN } from './step-options.ts';
import { stepsOf } from './steps-of.ts';

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

  start(model, entry, { traces, batchSize }, parameters, outlook) {
    if (batchSize > traces.length) {
      throw new WaymarkError(
        `estimator EUBO: batchSize must be at most the number of traces, ${traces.length}; got ${batchSize}.`,
      );
    }
    const recorded = traces.map((trace) => new RecordedExecution(trace, entry));
    const drawsOf = (step: number, { first, count }: Share): StepDraws => {
      const stream = entry.streamOf(step);
      const all = Array.from(draw(stream.named('batch'), traces.length, batchSize), (place) => recorded[place]);
      const logTarget = all.reduce((sum, { trace }) => sum + trace.score, 0) / batchSize;
      const given = all.slice(first, first + count);
      return { streamOf: () => stream, batches: new Batches(stream), given, objective: (cost) => logTarget + cost };
    };
    const options = { ...ONLY_GIVEN, samples: batchSize };
    return stepsOf(new ObjectiveSteps(model, entry, drawsOf, options, parameters, outlook));
  },
};

class RecordedExecution implements GivenExecution {
  private known: ReadonlyMap<Address, unknown> | undefined;

  constructor(
    readonly trace: Trace<unknown>,
    private readonly entry: Entry,
  ) {}

  get values(): ReadonlyMap<Address, unknown> {
    this.known ??= valuesFrom(this.trace, this.entry.address);
    return this.known;
  }

  counts(): boolean {
    return true;
  }
}
