/** Where simulations come from: true values with the data that a model makes up of them, and posteriors given these data. */

import { automatic } from '../../inference/automatic.ts';
import { runAlgorithm } from '../../inference/infer.ts';
import type { InferOptions, MethodName } from '../../inference/method-types.ts';
import { methodNamed } from '../../inference/methods.ts';
import { fromAnyGuide } from '../../inference/particles/proposals.ts';
import { type AtData, forDatum, upToData } from '../../inference/shared-part.ts';
import { dreamDatum } from '../../optimize/dreaming.ts';
import { describe } from '../../runtime/describe.ts';
import { WaymarkError } from '../../runtime/errors.ts';
import { Entry } from '../../runtime/execution.ts';
import type { Distribution } from '../../runtime/handler.ts';
import { Iterations } from '../../runtime/iteration.ts';
import { isDistribution } from '../../runtime/primitives.ts';
import type { RandomStream } from '../../runtime/random.ts';

const OWNER = 'calibrate';

/** A source of simulated data that has posteriors of its own for them: a network that `Amortize` has trained. */
export interface PosteriorSource<D, T> {
  posterior(data: D, options?: object): Distribution<T>;
  /** At most so many data that the model makes up, with what it returned. */
  dreams(count: number): readonly { readonly data: D; readonly value: T }[];
}

/** A method of `Infer`: its name, its options, or a function of the data that gives a posterior. */
export type CalibratedMethod<D, T> = MethodName | InferOptions | ((data: D) => Distribution<T>);

/** A true value, the data that were made up of it, and what a method makes of the data. */
export interface Simulation {
  readonly value: unknown;
  readonly data: unknown;
  posterior(): Distribution<unknown>;
}

/** Makes so many simulations. */
export type Simulator = (count: number) => Simulation[];

/** One after the other, each with random numbers of its own. */
function oneByOne(simulate: (entry: Entry, stream: RandomStream) => Simulation): Simulator {
  return (count) => {
    const entry = new Entry();
    return Array.from({ length: count }, (_, i) => simulate(entry, entry.streamOf(i)));
  };
}

type Model = (datum?: unknown) => unknown;

/** Simulations of a model that is a function of its data. */
export function simulatorOf(model: Model, method: unknown, exampleOf: () => unknown): Simulator {
  const infer = inferenceBy(method);
  return oneByOne((entry, stream) => {
    const { value, datum } = dreamDatum(OWNER, (show) => model(show(exampleOf())), entry, stream);
    return { value, data: datum, posterior: () => infer(() => model(datum), datum) };
  });
}

/** Simulations of a network, whose posteriors take `options`. */
export function simulatorOfSource(source: PosteriorSource<unknown, unknown>, options: object): Simulator {
  return (count) => {
    const made: { readonly data: unknown; readonly value: unknown }[] = [];
    // Some of the data that were made up may turn out impossible.
    for (let tries = 0; made.length < count; tries++) {
      if (tries === MOST_TRIES) {
        throw new WaymarkError(
          `calibrate: of the data that the model makes up, too few are possible: ${made.length} so far.`,
        );
      }
      made.push(...source.dreams(count - made.length));
    }
    return made.map(({ data, value }) => ({ value, data, posterior: () => checked(source.posterior(data, options)) }));
  };
}

const MOST_TRIES = 100;

/** Methods that know what to do with choices that all data share. */
const BY_DATUM = ['importance', 'forward', 'SMC'];

/**
 * Of a model with `mapData`, for one datum at a time, as `posteriors` does: what all data share is as it was learned, and the value is
 * what the function given to `mapData` returns.
 */
export function simulatorByDatum(model: Model, method: unknown): Simulator {
  const name = typeof method === 'object' && method !== null ? (method as { method?: unknown }).method : method;
  if (!BY_DATUM.includes(name as string)) {
    throw new WaymarkError(
      `calibrate: with data of mapData, method must be one of ${BY_DATUM.map((one) => `'${one}'`).join(', ')}, as in ` +
        `{method: {method: 'importance', guide: true, samples: 1000}}; got ${describe(name)}. For any other method, make the data an ` +
        'argument of the model, and give an example of them: calibrate((data) => …, {example: data, method}).',
    );
  }
  const infer = inferenceBy(method);
  const proposal = fromAnyGuide();
  return oneByOne((entry, stream) => {
    let index = 0;
    const atData =
      (show: (example: unknown) => unknown): AtData =>
      (data, body) => {
        if (data.length === 0) throw new WaymarkError('calibrate needs at least one datum in mapData, as an example.');
        index = stream.named('example').begin().integer(data.length);
        return within(index, () => body(show(data[index]), index));
      };
    const dream = (show: (example: unknown) => unknown): unknown => upToData(model, proposal, atData(show), noData);
    const { value, datum } = dreamDatum(OWNER, dream, entry, stream);
    const data: unknown[] = [];
    data[index] = datum;
    return { value, data: datum, posterior: () => infer(forDatum(model, index, data, noData), datum) };
  });
}

function within<R>(index: number, work: () => R): R {
  const iterations = new Iterations();
  try {
    iterations.enter(index);
    return work();
  } finally {
    iterations.leave();
  }
}

function noData(): never {
  throw new WaymarkError(
    'calibrate makes up data, and has to know which they are. Make them an argument of the model, and give an example of their ' +
      'form: calibrate((data) => …, {example: [1, 2, 3], method}).',
  );
}

type Inference = (model: () => unknown, datum: unknown) => Distribution<unknown>;

function inferenceBy(method: unknown): Inference {
  if (typeof method === 'function') return (_, datum) => checked(method(datum));
  const options: object = typeof method === 'string' ? { method } : ((method ?? {}) as object);
  if (typeof options !== 'object' || Array.isArray(options)) {
    throw new WaymarkError(
      `calibrate: method must be the name of a method, its options as for Infer, or a function of the data that gives a posterior; got ${describe(method)}.`,
    );
  }
  const name = (options as { method?: string }).method;
  const algorithm = name === undefined ? automatic : methodNamed(name);
  return (model) => runAlgorithm(algorithm as typeof automatic, `calibrate: ${name ?? 'automatic'}`, model, options);
}

function checked(posterior: unknown): Distribution<unknown> {
  if (isDistribution(posterior)) return posterior;
  throw new WaymarkError(`calibrate: the method must give a distribution for the data, got ${describe(posterior)}.`);
}
