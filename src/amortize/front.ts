/** The names of amortised inference that programs see. What they do is installed by `register.ts`, with the engine. */
import type { InferringGuide } from '../inference/inferring-guide.ts';
import type { SampledPosterior } from '../inference/method-types.ts';
import { installed, Later } from '../runtime/late-module.ts';
import type { GivenSizes } from './sizes.ts';

/** Options of `Amortize`. */
export interface AmortizeOptions<D> {
  /** Data of the form that the model takes: what is observed of them is made up, the rest stays as it is. */
  example?: D;
  /** A function that gives such data, for models whose data vary in form: in their lengths, or in which values are missing. */
  exampleOf?: () => D;
  /** Steps of training: 5,000 if left out. */
  steps?: number;
  /** Dreams in each step: 256 if left out. */
  samples?: number;
  /** Adam's step size at its largest: 0.01 if left out. It rises at first, and then falls. */
  stepSize?: number;
  /** The most dreams that are made, for models that take long to run: later steps learn from the same dreams again. No limit if left out. */
  simulations?: number;
  /** Sizes of the network. */
  network?: GivenSizes;
  /** For parts of the data, by name (`'*'` for all): a function that gives a list of numbers, always of one length. */
  embed?: Readonly<Record<string, (value: never) => ArrayLike<number>>>;
  /** Real data, which it learns from besides dreams. */
  data?: readonly D[];
  /**
   * What it learns from: `'dream'`, data that the model makes up (if left out); `'RWS'`, real data, by what it finds in their posteriors
   * (reweighted wake-sleep); `'ELBO'`, real data, by how well its proposals fit them; or several by turns, with weights, as an object or a
   * list. With `data` and no objective, every fifth step is RWS.
   */
  objective?: AmortizeObjective | readonly AmortizeObjective[];
  /** Stops once the smoothed objective has not improved for so many steps. */
  stopAtPlateau?: number;
  /** A file where the training is kept, to go on from after an interruption. */
  checkpoint?: string;
  /** Whether progress is shown. */
  verbose?: boolean;
  /** The seed of the training; without one, its random numbers are those of the run. */
  seed?: number;
}

/** Executions of a step of an objective, if not as many as `samples` says. */
interface ObjectiveOptions {
  samples?: number;
}

/** An objective by its name, or objectives with weights or options. */
export type AmortizeObjective =
  | 'dream'
  | 'RWS'
  | 'ELBO'
  | {
      dream?: number | ObjectiveOptions;
      RWS?: number | ObjectiveOptions;
      ELBO?: number | ObjectiveOptions;
      /** How often it is taken, where options stand in the place of the weight. */
      weight?: number;
    };

/** What is inferred from one datum. */
export interface AmortizedPosterior<T> extends SampledPosterior<T> {
  readonly diagnostics: {
    /** The effective sample size: how many samples of the posterior itself would be as accurate. */
    readonly ess: number;
    /** Below 0.7 the weights can be trusted (Pareto k̂); NaN where samples are too few to tell. */
    readonly khat: number;
    /** Choices that the training never met, which were drawn from their priors. */
    readonly unseen: number;
    readonly [name: string]: unknown;
  };
}

/** Options of `posterior`. */
export interface PosteriorOptions {
  /** Samples: 1,000 if left out. */
  samples?: number;
  /**
   * `'importance'` (if left out) weighs what the guide draws, `'forward'` does not, `'SMC'` resamples on the way, `'MCMC'` takes it for
   * proposals of a chain, by turns with changes of single choices.
   */
  method?: 'importance' | 'forward' | 'SMC' | 'MCMC';
  /** For MCMC: samples that are left out at the start. */
  burn?: number;
  /** For MCMC: extra steps between samples. */
  lag?: number;
}

/** Options of `refine`. */
export interface RefineOptions {
  /** Steps: 200 if left out. */
  steps?: number;
  /** Executions in each step: 128 if left out. */
  samples?: number;
  /** Adam's step size: 0.001 if left out. */
  stepSize?: number;
}

/** A site of a program, and the head of the network that proposes its values. */
export interface SiteSummary {
  /** Where it is in the program. */
  readonly place: string;
  readonly family: string;
  /** `'mixture'`, `'whole numbers'`, `'list'`; `'own guide'` for choices that have one; `'prior'` where there is no head. */
  readonly head: string;
  /** How often dreams met it. */
  readonly met: number;
}

/** A network that has learned to infer. */
export interface Amortized<D, T> extends InferringGuide {
  /** What the model returns, given data. */
  posterior(data: D, options?: PosteriorOptions): AmortizedPosterior<T>;
  /** The same for each of several. */
  posteriors(list: readonly D[], options?: PosteriorOptions): AmortizedPosterior<T>[];
  /** A copy that is trained further for one datum, on samples of its posterior (wake-phase training). This network stays as it is. */
  refine(data: D, options?: RefineOptions): Amortized<D, T>;
  /** For `Infer({guide: net.given(data), model})`; `guide: net` finds the data itself, where all of them are observed. */
  given(data: D): InferringGuide;
  /** Data that the model makes up, with what it returned. */
  dreams(count: number): { data: D; value: T }[];
  /** Writes it to a file. */
  save(file: string): void;
  /** The sites of the program with the heads that propose for them, and how large and how well trained the network is. */
  summary(): { sites: SiteSummary[]; parameters: number; steps: number; objective: number };
}

interface Amortizing {
  amortize(model: unknown, options: unknown): Amortized<unknown, unknown>;
  load(file: unknown, model: unknown, embed: unknown): Amortized<unknown, unknown>;
}

export const amortizing: Later<Amortizing> = new Later();

interface Amortize {
  <D, T>(model: (data: D) => T, options: AmortizeOptions<D>): Amortized<D, T>;
  /** A network from a file that `save` wrote, or from the bytes of one, for the same model. */
  load<D, T>(file: string | Uint8Array, model: (data: D) => T, embed?: AmortizeOptions<D>['embed']): Amortized<D, T>;
}

/**
 * Learns to infer what a model of data returns, for any data: a network proposes a value for every choice of the program, whatever
 * way it goes. It is trained on dreams, data that the model makes up.
 *
 *     const model = (data) => {
 *       const mu = gaussian(0, 2);
 *       map((y) => observe(Gaussian({mu, sigma: 1}), y), data);
 *       return mu;
 *     };
 *     const net = Amortize(model, {example: [0, 1, 2], steps: 100});
 *     expectation(net.posterior([1.5, 2, 1.8], {samples: 1000})).toFixed(2)
 */
export const Amortize: Amortize = Object.assign(
  (model: unknown, options: unknown) => installed(amortizing, 'Amortize').amortize(model, options) as never,
  {
    load: (file: unknown, model: unknown, embed?: unknown) =>
      installed(amortizing, 'Amortize.load').load(file, model, embed) as never,
  },
);
