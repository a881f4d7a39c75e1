/** Posteriors of single data, under guides that have been trained, and predictions from posteriors. */
import { tableOf, withParameters } from '../guides/given-params.ts';
import type { Algorithm, Model, Posterior } from '../inference/algorithm.ts';
import { type DataTask, filterData, sampleData } from '../inference/data-together.ts';
import { badWeightsOfSome } from '../inference/diagnostics/advice.ts';
import { importanceDiagnostics } from '../inference/diagnostics/pareto.ts';
import { asInference, runAlgorithm } from '../inference/infer.ts';
import type { SampledPosterior } from '../inference/method-types.ts';
import { count, type Option, oneOf, readOptions, withDefault } from '../inference/options.ts';
import { fromAnyGuide } from '../inference/particles/proposals.ts';
import { smc } from '../inference/particles/smc.ts';
import type { Sampled } from '../inference/sampling/column-sampling.ts';
import { drawnFromGuides, forward } from '../inference/sampling/forward.ts';
import { GuidedDraw } from '../inference/sampling/guided-draw.ts';
import { importance, weighedSamples } from '../inference/sampling/importance.ts';
import { forDatum, upToData } from '../inference/shared-part.ts';
import { atDatum } from '../runtime/datum-error.ts';
import { describe } from '../runtime/describe.ts';
import { WaymarkError } from '../runtime/errors.ts';
import { Entry } from '../runtime/execution.ts';
import type { Distribution } from '../runtime/handler.ts';
import { knownApart } from '../runtime/known-models.ts';
import { machine, runsDirectly } from '../runtime/machine.ts';
import { isDistribution, sample } from '../runtime/primitives.ts';
import { currentTeam } from '../runtime/team.ts';
import { Tensor } from '../tensor/tensor.ts';
import { itemsOf, type List } from './arguments.ts';
import { rowsOf } from './map-data.ts';

/** Options of `posteriors`. */
export interface PosteriorsOptions {
  /** Parameters of the guides, as `Optimize` returns them; those of the run if left out. */
  params?: Readonly<Record<string, unknown>>;
  /** Samples, or particles, for each datum: 100 if left out. */
  samples?: number;
  /** Data in place of those that the model gives to `mapData`. */
  data?: List<unknown>;
  /** `'importance'` (if left out) weighs what the guides draw, `'forward'` does not, `'SMC'` resamples on the way. */
  method?: 'importance' | 'forward' | 'SMC';
}

/** The posterior of one datum. */
export interface DatumPosterior<T> extends SampledPosterior<T> {
  readonly diagnostics: {
    /** The effective sample size: how many samples of the posterior itself would be as accurate. */
    readonly ess: number;
    /** Below 0.7 the weights can be trusted (Pareto k̂); NaN where samples are too few to tell. */
    readonly khat: number;
    readonly [name: string]: unknown;
  };
}

const FORM = 'posteriors(model, {samples, data})';

const list: Option<List<unknown>> = {
  expected: 'an array, a vector, or a matrix for its rows',
  read: (value) =>
    Array.isArray(value) || value instanceof Tensor || ArrayBuffer.isView(value)
      ? { value: rowsOf(value as unknown as List<unknown>) }
      : undefined,
};

interface Read {
  samples: number;
  method: 'importance' | 'forward' | 'SMC';
  data: List<unknown> | undefined;
}

const TABLE: { readonly [K in keyof Read]: Option<Read[K]> } = {
  samples: withDefault(count(1), 100),
  method: withDefault(oneOf('importance', 'forward', 'SMC'), 'importance'),
  data: withDefault<List<unknown> | undefined>(list, undefined),
};

/** Each method, with the options that it is given. */
const METHODS: Readonly<Record<Read['method'], readonly [Algorithm<never>, (samples: number) => object]>> = {
  importance: [importance as Algorithm<never>, (samples) => ({ samples, guide: true })],
  forward: [forward as Algorithm<never>, (samples) => ({ samples, guide: true })],
  SMC: [smc as unknown as Algorithm<never>, (particles) => ({ particles, importance: 'autoGuide' })],
};

/**
 * The posterior of each datum of a model with `mapData`: the distribution of what the function given to `mapData` returns for that
 * datum, given what it observes there. Choices are drawn from their guides, which should have been trained. Those outside of
 * `mapData`, which all data share, are as they have been learned: they are drawn from their guides, and not weighed again.
 *
 *     const net = nn.mlp(1, [{nOut: 2}], 'net');
 *     const model = () => mapData({data: [-1, 0, 2]}, (y) => {
 *       const out = nneval(net, Vector([y]));
 *       const guide = Gaussian({mu: T.get(out, 0), sigma: softplus(T.get(out, 1))});
 *       const x = sample(Gaussian({mu: 0, sigma: 1}), {guide});
 *       observe(Gaussian({mu: x, sigma: 1}), y);
 *       return x;
 *     });
 *     Optimize(model, {steps: 300, optMethod: {adam: {stepSize: 0.05}}});
 *     posteriors(model, {samples: 500, data: [0.5, 3]}).map((posterior) => expectation(posterior))
 */
export function posteriors<T>(model: Model<readonly T[] | undefined>, options?: PosteriorsOptions): DatumPosterior<T>[];
export function posteriors<T = unknown>(model: Model<unknown>, options?: PosteriorsOptions): DatumPosterior<T>[];
export function posteriors(model: Model<unknown>, options: PosteriorsOptions = {}): DatumPosterior<unknown>[] {
  if (typeof model !== 'function') {
    throw new WaymarkError(`posteriors takes the model first, as in ${FORM}; got ${describe(model)}.`);
  }
  const { samples, method, data } = readOptions<Read>('posteriors', options, TABLE, { apart: ['params'] });
  const given = data === undefined ? undefined : itemsOf(FORM, data);
  const find = (): DatumPosterior<unknown>[] => {
    const task: DataTask = { model, data: given ?? dataOf(model), given, samples, noData };
    const all = asInference(() => allAtOnce(method, task) ?? oneAfterTheOther(method, task)).map(withDiagnostics);
    // Samples without weights have no diagnostics of weights.
    const advice =
      method === 'forward'
        ? undefined
        : badWeightsOfSome(
            'posteriors',
            all.map(({ diagnostics }) => diagnostics.khat),
          );
    if (advice !== undefined) machine.run.warn(advice);
    return all;
  };
  const { params } = options;
  return knownApart(model, () =>
    params === undefined ? find() : withParameters(tableOf('posteriors: params', params), find),
  );
}

type Found = Posterior<unknown>;

/** The posteriors of all data in one pass, each the same as alone; null if that cannot be done. */
function allAtOnce(method: Read['method'], task: DataTask): Found[] | null {
  // (Ranks divide the samples of each datum.)
  if (task.data.length < 2 || !runsDirectly() || currentTeam() !== undefined) return null;
  return method === 'SMC' ? filterData(task) : sampledAtOnce(method, task);
}

function sampledAtOnce(method: 'importance' | 'forward', task: DataTask): Found[] | null {
  const all = sampleData<unknown>(method, task);
  const asked = { samples: task.samples, guide: true, callbacks: [] };
  const resultOf = (one: Sampled<unknown>): Found =>
    method === 'importance'
      ? weighedSamples(one, asked)
      : drawnFromGuides(one, { ...asked, onlyMAP: false, verbose: false });
  return all?.map((one, i) => ofDatum(i, () => resultOf(one))) ?? null;
}

function ofDatum<R>(index: number, infer: () => R): R {
  try {
    return infer();
  } catch (thrown) {
    throw atDatum(thrown, index);
  }
}

function oneAfterTheOther(method: Read['method'], { model, data: { length }, given, samples }: DataTask): Found[] {
  const [algorithm, told] = METHODS[method];
  return Array.from({ length }, (_, i) =>
    ofDatum(i, () => runAlgorithm(algorithm, 'posteriors', forDatum(model, i, given, noData), told(samples))),
  );
}

/** Adds diagnostics where a method has left them out because all weights are the same. */
function withDiagnostics(result: Found): DatumPosterior<unknown> {
  const found = result as DatumPosterior<unknown>;
  if (found.diagnostics?.ess !== undefined) return found;
  const weights = found.weights ?? new Float64Array(found.samples.length);
  return Object.assign(found, { diagnostics: { ...found.diagnostics, ...importanceDiagnostics(weights) } });
}

/** The data that a model gives to `mapData`. */
export function dataOf(model: Model<unknown>): ArrayLike<unknown> {
  const entry = new Entry();
  const proposal = fromAnyGuide();
  const data = entry.execute(
    new GuidedDraw('posteriors'),
    () => upToData(model, proposal, (own) => own, noData),
    entry.streamOf(0),
  );
  return data as ArrayLike<unknown>;
}

function noData(): never {
  throw new WaymarkError(
    'posteriors needs a model that calls mapData: there is one posterior for each datum it is given. Where there is one ' +
      'posterior only, use Infer.',
  );
}

/** Options of `posteriorPredictive`. */
export interface PredictiveOptions {
  /** How many predictions to draw: 1,000 if left out. */
  samples?: number;
}

const PREDICTIVE: { readonly samples: Option<number> } = { samples: withDefault(count(1), 1000) };

/**
 * The distribution of what a function predicts from values of a posterior: it is called with values drawn from it, and may make
 * choices of its own. Of several posteriors, such as `posteriors` gives, it gives as many distributions, and the function gets the index too.
 *
 *     const slope = Infer({method: 'MCMC', samples: 500, model() {
 *       const b = gaussian(0, 1);
 *       map((x) => observe(Gaussian({mu: b * x, sigma: 0.1}), 2 * x), [1, 2, 3]);
 *       return b;
 *     }});
 *     expectation(posteriorPredictive(slope, (b) => gaussian(b * 4, 0.1)))
 */
export function posteriorPredictive<T, P>(
  posterior: Distribution<T>,
  predict: (value: T) => P,
  options?: PredictiveOptions,
): SampledPosterior<P>;
export function posteriorPredictive<T, P>(
  posteriors: readonly Distribution<T>[],
  predict: (value: T, index: number) => P,
  options?: PredictiveOptions,
): SampledPosterior<P>[];
export function posteriorPredictive(
  given: unknown,
  predict: (value: unknown, index: number) => unknown,
  options: PredictiveOptions = {},
): unknown {
  const { samples } = readOptions('posteriorPredictive', options, PREDICTIVE);
  if (typeof predict !== 'function') {
    throw new WaymarkError(
      'posteriorPredictive takes a function that predicts from a value of the posterior, as in ' +
        `posteriorPredictive(posterior, (value) => …); got ${describe(predict)}.`,
    );
  }
  const predictive = (posterior: unknown, index: number): unknown => {
    if (!isDistribution(posterior)) {
      throw new WaymarkError(
        `posteriorPredictive takes a posterior first, or an array of them, got ${describe(posterior)}.`,
      );
    }
    const model = (): unknown => {
      const { address } = machine;
      machine.address = address.at('value');
      const value = sample(posterior as Distribution<unknown>);
      machine.address = address;
      return predict(value, index);
    };
    return runAlgorithm(forward, 'posteriorPredictive', model, { samples });
  };
  return Array.isArray(given) ? given.map(predictive) : predictive(given, 0);
}
