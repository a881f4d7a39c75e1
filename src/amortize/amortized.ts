/** A network that has learned to infer: what `Amortize` gives. */
import type { Model, Posterior } from '../inference/algorithm.ts';
import { type GuidedOptions, type InferringGuide, infersItself } from '../inference/inferring-guide.ts';
import { count, type OptionTable, oneOf, positiveNumber, readOptions, withDefault } from '../inference/options.ts';
import { WaymarkError } from '../runtime/errors.ts';
import { answerable } from '../runtime/faults.ts';
import { machine, type ProgramFacts, runsDirectly } from '../runtime/machine.ts';
import { INSPECT, SHOWN } from '../runtime/readable.ts';
import { forAWhile } from '../tensor/mode.ts';
import type { DataShape } from './data-shape.ts';
import type { AnyModel, Dreamer } from './dreams.ts';
import type { Amortized, AmortizedPosterior, PosteriorOptions, RefineOptions, SiteSummary } from './front.ts';
import { type Asked, GuidedInference } from './inferring.ts';
import { inferTogether } from './inferring-many.ts';
import { dataOfModel } from './model-data.ts';
import { Network } from './network.ts';
import type { ObservedSources } from './observed-sources.ts';
import type { Parameters } from './parameters.ts';
import { Reading } from './reading.ts';
import type { Site, Sites } from './sites.ts';
import type { NetworkSizes } from './sizes.ts';
import { refined } from './wake.ts';

/** A trained network, as files hold it. */
export interface Learned {
  readonly sites: Sites;
  readonly shape: DataShape;
  readonly parameters: Parameters;
  readonly sizes: NetworkSizes;
  /** The objective at the end of the training. */
  objective: number;
  /** An example of the data, to check that a program is the one it was trained for. */
  readonly example: unknown;
  /** At which places of the program each leaf of the data is observed. */
  readonly sources: ObservedSources;
}

const POSTERIOR: OptionTable<Asked> = {
  samples: withDefault(count(1), 1000),
  method: withDefault(oneOf('importance', 'forward', 'SMC', 'MCMC'), 'importance'),
  burn: withDefault(count(0), 0),
  lag: withDefault(count(0), 0),
};

const REFINE: OptionTable<Required<RefineOptions>> = {
  steps: withDefault(count(1), 200),
  samples: withDefault(count(2), 128),
  stepSize: withDefault(positiveNumber, 0.001),
};

const HEAD_NAMES: Readonly<Record<string, string>> = {
  real: 'mixture',
  whole: 'whole numbers',
  own: 'own guide',
  prior: 'prior',
};

/** How many sites are listed where a network is printed. */
const MOST_SHOWN = 20;

export class AmortizedModel implements Amortized<unknown, unknown>, InferringGuide {
  private network: Network | null = null;

  constructor(
    readonly model: AnyModel,
    readonly learned: Learned,
    /** Makes up data. */
    private readonly dreamer: Dreamer,
    /** What the compiler knows of the model. */
    private readonly facts: Pick<ProgramFacts, 'sideEffect' | 'lasting'>,
    private readonly writeTo: (file: unknown, learned: Learned) => void,
  ) {}

  posterior(data: unknown, options: PosteriorOptions = {}): AmortizedPosterior<unknown> {
    const asked = readOptions('posterior', options, POSTERIOR);
    return this.knowing(() => this.inference(data).run(asked));
  }

  posteriors(list: readonly unknown[], options: PosteriorOptions = {}): AmortizedPosterior<unknown>[] {
    if (!Array.isArray(list)) throw new WaymarkError('posteriors takes an array of data, one for each posterior.');
    const asked = readOptions('posterior', options, POSTERIOR);
    return this.knowing(() =>
      answerable(() => this.together(list, asked) ?? list.map((data) => this.inference(data).run(asked))),
    );
  }

  /** The posteriors of all data in one pass; null if they must be inferred one by one. */
  private together(list: readonly unknown[], asked: Asked): AmortizedPosterior<unknown>[] | null {
    const { method } = asked;
    if (list.length < 2 || !runsDirectly() || (method !== 'importance' && method !== 'forward')) return null;
    const { learned, model } = this;
    const read = (data: unknown): Reading => this.read(data);
    return inferTogether({ sites: learned.sites, model, list, read, asked: { ...asked, method } });
  }

  private read(data: unknown): Reading {
    const { learned } = this;
    if (data === undefined && learned.example !== undefined) {
      throw new WaymarkError(
        'A network of Amortize needs the data whose posterior is asked for, as in net.posterior(data); got undefined.',
      );
    }
    this.network ??= new Network(learned.parameters, learned.sizes);
    return new Reading(this.network, learned.shape, data);
  }

  refine(data: unknown, options: RefineOptions = {}): AmortizedModel {
    const read = readOptions('refine', options, REFINE);
    const learned = this.knowing(() => refined(this.model, this.learned, [data], read));
    return new AmortizedModel(this.model, learned, this.dreamer, this.facts, this.writeTo);
  }

  given(data: unknown): InferringGuide {
    return { [infersItself]: (method, model, options) => this.infer(method, model, data, options) as never };
  }

  [infersItself]<T>(method: 'importance' | 'SMC' | 'MCMC', model: Model<T>, options: GuidedOptions): Posterior<T> {
    return this.infer(method, model, dataOfModel(model, this.learned), options) as unknown as Posterior<T>;
  }

  private infer(
    method: Asked['method'],
    model: () => unknown,
    data: unknown,
    { samples, burn = 0, lag = 0 }: GuidedOptions,
  ): AmortizedPosterior<unknown> {
    return this.inference(data, model).run({ method, samples, burn, lag });
  }

  private inference(data: unknown, model: () => unknown = () => this.model(data)): GuidedInference {
    return new GuidedInference(this.learned.sites, this.read(data), model);
  }

  private knowing<R>(work: () => R): R {
    return forAWhile(machine.program, this.facts, work);
  }

  dreams(number: number): { data: unknown; value: unknown }[] {
    const dreams = this.knowing(() => this.dreamer.dream(number));
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

  /** A line about the network, and a line for each of its sites. */
  toString(): string {
    const { sites, parameters, steps, objective } = this.summary();
    const lines = sites.map(({ place, family, head, met }) => `  ${family} at ${place}: ${head}, met ${met} times`);
    const more = lines.length - MOST_SHOWN;
    const shown = more > 0 ? [...lines.slice(0, MOST_SHOWN), `  and ${more} more`] : lines;
    const head = `A network of ${parameters} parameters after ${steps} steps, objective ${objective.toFixed(3)}`;
    return [shown.length === 0 ? head : `${head}, for choices of`, ...shown].join('\n');
  }

  // Functions of their own, since printers call them without the network.
  readonly [SHOWN] = (): string => this.toString();
  readonly [INSPECT] = (): string => this.toString();

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
