/** A network that has learned to infer: what `Amortize` gives. */
import { SampleBasedMarginal } from '../distributions/marginal.ts';
import { importanceDiagnostics } from '../inference/diagnostics/pareto.ts';
import { count, type OptionTable, oneOf, readOptions, withDefault } from '../inference/options.ts';
import { Collected, executeRange } from '../inference/sampling/column-sampling.ts';
import { attempt, obstacle } from '../lanes/columns/run.ts';
import { explain } from '../lanes/obstacles.ts';
import { WaymarkError } from '../runtime/errors.ts';
import { abandoned, Entry } from '../runtime/execution.ts';
import { machine, type ProgramFacts } from '../runtime/machine.ts';
import { Reason } from '../runtime/reasons.ts';
import { forAWhile } from '../tensor/mode.ts';
import { logSumExp } from '../tensor/special/exponentials.ts';
import { Course } from './course.ts';
import type { DataShape } from './data-shape.ts';
import type { AnyModel, Dreamer } from './dreams.ts';
import { Network, Reading } from './forward.ts';
import type { Amortized, AmortizedPosterior, PosteriorOptions, SiteSummary } from './front.ts';
import type { Parameters } from './parameters.ts';
import { ColumnProposing, DEFENCE, Proposing } from './proposing.ts';
import type { Site, Sites } from './sites.ts';
import type { NetworkSizes } from './sizes.ts';

/** What a network is made of. */
export interface Learned {
  readonly sites: Sites;
  readonly shape: DataShape;
  readonly parameters: Parameters;
  readonly sizes: NetworkSizes;
  /** The objective at the end of the training. */
  objective: number;
  /** An example of the data, for whoever checks that a program is the one it was trained for. */
  readonly example: unknown;
}

const POSTERIOR: OptionTable<Required<PosteriorOptions>> = {
  samples: withDefault(count(1), 1000),
  method: withDefault(oneOf('importance', 'forward'), 'importance'),
};

const HEAD_NAMES: Readonly<Record<string, string>> = {
  real: 'mixture',
  whole: 'whole numbers',
  own: 'own guide',
  prior: 'prior',
};

export class AmortizedModel implements Amortized<unknown, unknown> {
  private network: Network | null = null;

  constructor(
    readonly model: AnyModel,
    readonly learned: Learned,
    /** Where data are made up. */
    private readonly dreamer: Dreamer,
    /** What the compiler knows of the model. */
    private readonly facts: Pick<ProgramFacts, 'noise' | 'lasting'>,
    private readonly writeTo: (file: unknown, learned: Learned) => void,
  ) {}

  posterior(data: unknown, options: PosteriorOptions = {}): AmortizedPosterior<unknown> {
    const { samples, method } = readOptions('posterior', options, POSTERIOR);
    return forAWhile(machine.program, this.facts, () => this.sampled(data, samples, method));
  }

  posteriors(list: readonly unknown[], options: PosteriorOptions = {}): AmortizedPosterior<unknown>[] {
    if (!Array.isArray(list)) throw new WaymarkError('posteriors takes an array of data, one for each posterior.');
    return list.map((data) => this.posterior(data, options));
  }

  private sampled(data: unknown, samples: number, method: 'importance' | 'forward'): AmortizedPosterior<unknown> {
    const { learned } = this;
    this.network ??= new Network(learned.parameters, learned.sizes);
    const reading = new Reading(this.network, learned.shape, data);
    const entry = new Entry();
    const model = (): unknown => this.model(data);
    const weighs = method === 'importance';
    const courses: Course[] = [];
    const courseFor = (indices: ArrayLike<number>): Course => {
      const prior = Uint8Array.from(indices, (i) => (weighs && defends(entry, i) ? 1 : 0));
      const course = new Course(learned.sites, reading, indices.length, prior);
      courses.push(course);
      return course;
    };
    const found =
      this.together(entry, model, samples, method, courseFor) ??
      this.oneByOne(entry, model, samples, method, courseFor);
    const total = (of: (course: Course) => number): number => courses.reduce((sum, course) => sum + of(course), 0);
    return posteriorOf(found, samples, weighs, {
      unseen: total(({ unseen }) => unseen),
      choices: total(({ choices }) => choices),
      unknown: reading.unknown,
    });
  }

  private together(
    entry: Entry,
    model: () => unknown,
    samples: number,
    method: 'importance' | 'forward',
    courseFor: (indices: ArrayLike<number>) => Course,
  ): Found | null {
    const name = `Amortize (${method})`;
    const reason = obstacle(entry, samples);
    const result =
      reason ??
      attempt(entry, () => {
        const collected = new Collected<unknown>(samples);
        executeRange(
          entry,
          model,
          0,
          samples,
          (size, indices) =>
            new ColumnProposing(name, courseFor(indices), entry.address, size, method === 'importance'),
          collected,
        );
        return collected.result;
      });
    if (result instanceof Reason) {
      explain(entry, name, result, `${samples} executions one by one, because ${result}`);
      return null;
    }
    explain(entry, name, 'columns', `${samples} executions side by side`);
    const { values, ended, factorScores } = result;
    const found: Found = { values: [], logWeights: [] };
    for (let i = 0; i < samples; i++) {
      if (ended[i] === 0) continue;
      found.values.push(values[i]);
      found.logWeights.push(factorScores?.[i] ?? 0);
    }
    return found;
  }

  private oneByOne(
    entry: Entry,
    model: () => unknown,
    samples: number,
    method: 'importance' | 'forward',
    courseFor: (indices: ArrayLike<number>) => Course,
  ): Found {
    const found: Found = { values: [], logWeights: [] };
    for (let i = 0; i < samples; i++) {
      const handler = new Proposing(`Amortize (${method})`, courseFor([i]), entry.address, method === 'importance');
      const value = entry.execute(handler, model, entry.streamOf(i));
      if (value === abandoned) continue;
      found.values.push(value);
      found.logWeights.push(handler.logWeight);
    }
    return found;
  }

  dreams(number: number): { data: unknown; value: unknown }[] {
    const dreams = forAWhile(machine.program, this.facts, () => this.dreamer.dream(number));
    const found: { data: unknown; value: unknown }[] = [];
    for (const form of dreams.forms) {
      for (let i = 0; i < form.lanes.length; i++) {
        const lane = form.lanes[i];
        if (dreams.logWeights[lane] === -Infinity) continue;
        found.push({ data: form.data(i), value: dreams.values[lane] });
      }
    }
    return found;
  }

  save(file: string): void {
    this.writeTo(file, this.learned);
  }

  summary(): { sites: SiteSummary[]; parameters: number; steps: number; objective: number } {
    const { sites, parameters, objective } = this.learned;
    return {
      sites: sites.all.map(summaryOf),
      parameters: parameters.size,
      steps: parameters.steps,
      objective,
    };
  }
}

function summaryOf({ place, family, head, met }: Site): SiteSummary {
  return { place, family, head: HEAD_NAMES[head] ?? 'list', met };
}

/** Whether an execution draws from the prior. */
const defends = (entry: Entry, i: number): boolean => entry.streamOf(i).named('defence').begin().uniform() < DEFENCE;

interface Found {
  readonly values: unknown[];
  readonly logWeights: number[];
}

function posteriorOf(
  { values, logWeights }: Found,
  samples: number,
  weighs: boolean,
  seen: { unseen: number; choices: number; unknown: number },
): AmortizedPosterior<unknown> {
  if (values.length === 0) {
    throw new WaymarkError(
      `Amortize: none of ${samples} executions is possible with these data (factors of −Infinity, conditions that do not ` +
        'hold). Raise samples, or see whether the data are of the kind that the model makes up.',
    );
  }
  const list = values.map((value, i) => ({ value, score: logWeights[i] }));
  if (!weighs) {
    return new SampleBasedMarginal(list, {
      diagnostics: { ess: values.length, khat: Number.NaN, ...seen },
    }) as unknown as AmortizedPosterior<unknown>;
  }
  const impossible = new Array<number>(samples - values.length).fill(-Infinity);
  const { ess, khat } = importanceDiagnostics([...logWeights, ...impossible]);
  return new SampleBasedMarginal(list, {
    weights: logWeights,
    logZ: logSumExp(logWeights) - Math.log(samples),
    diagnostics: { ess, khat, effectiveSampleSize: ess, ...seen },
  }) as unknown as AmortizedPosterior<unknown>;
}
