/** What `Infer` takes and gives, by method: a misspelt method, option or kernel does not compile. */
import type { Sample } from '../distributions/marginal.ts';
import type { Algorithm, Posterior, ResultOf, ResultType } from './algorithm.ts';
import type { KernelChoice, KernelGiven } from './chains/kernel.ts';
import type { Trace } from './chains/trace.ts';
import type { Convergence } from './diagnostics/convergence.ts';
import type { algorithms } from './methods.ts';

/** A result with the log of the evidence, exact or estimated. */
export interface EvidencePosterior<T> extends Posterior<T> {
  readonly logZ: number;
  readonly normalizationConstant: number;
}

/** A result made of samples. */
export interface SampledPosterior<T> extends Posterior<T> {
  readonly samples: readonly Sample<T>[];
}

/** A result made of weighted samples. */
export interface WeightedPosterior<T> extends EvidencePosterior<T> {
  readonly samples: readonly Sample<T>[];
}

/** What Markov chains tell of themselves. */
export interface ChainDiagnostics extends Record<string, unknown> {
  /** The share of steps that were accepted. */
  readonly acceptance: number;
  /** How many chains there were, if several. */
  readonly chains?: number;
  /** Trajectories of NUTS that went wrong. */
  readonly divergences?: number;
  /** R-hat and effective sample sizes, by component of the values. */
  readonly convergence: Readonly<Record<string, Convergence>>;
}

/** The samples of Markov chains. */
export interface ChainPosterior<T> extends SampledPosterior<T> {
  readonly diagnostics: ChainDiagnostics;
}

/** The particles of SMC. */
export interface ParticlePosterior<T> extends WeightedPosterior<T> {
  /** With `saveTraces`. */
  readonly traces?: readonly Trace<T>[];
}

export interface EvidenceResult extends ResultType {
  readonly type: EvidencePosterior<this['value']>;
}

export interface SampledResult extends ResultType {
  readonly type: SampledPosterior<this['value']>;
}

export interface WeightedResult extends ResultType {
  readonly type: WeightedPosterior<this['value']>;
}

export interface ChainResult extends ResultType {
  readonly type: ChainPosterior<this['value']>;
}

export interface ParticleResult extends ResultType {
  readonly type: ParticlePosterior<this['value']>;
}

/** Options as programs give them: any may be left out, and kernels are named. */
type Given<O> = { [Name in keyof O]?: O[Name] extends KernelChoice ? KernelGiven : O[Name] };

/** What `Infer` takes and gives with an algorithm. */
type RowOf<A, T> = A extends Algorithm<infer O, infer R> ? { options: Given<O>; result: ResultOf<R, T> } : never;

type Rows<T> = { [M in keyof typeof algorithms]: RowOf<(typeof algorithms)[M], T> };

/**
 * Each method's own options, and what it gives, by the list in `methods.ts`. (`optimize` adds itself. Methods of one's own are typed
 * by what `addMethod` of `waymark/algorithms` returns.)
 */
export interface MethodTable<T> extends Rows<T> {
  /** WebPPL's name for the automatic method. */
  defaultInfer: Rows<T>['automatic'];
}

/** The methods of `Infer`. */
export type MethodName = keyof MethodTable<unknown>;

/** What every method takes. */
export interface CommonOptions {
  /** Parameters by name, as `Optimize` returns them, to use in place of the run's own. */
  params?: Readonly<Record<string, unknown>>;
}

/** The options of `Infer` with one method. */
export type OptionsOf<M extends MethodName> = { method: M } & MethodTable<unknown>[M]['options'] & CommonOptions;

/** The options of `Infer` without a method: one is chosen by what the program does. */
export type AutomaticGiven = { method?: undefined } & MethodTable<unknown>['automatic']['options'] & CommonOptions;

/** What `Infer` takes besides the model: the method's name, and that method's own options. */
export type InferOptions = { [M in MethodName]: OptionsOf<M> }[MethodName] | AutomaticGiven;

/** What `Infer` gives with one method. */
export type PosteriorOf<T, M extends MethodName> = MethodTable<T>[M]['result'];
