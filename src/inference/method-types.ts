/** What `Infer` takes and gives, by method: a misspelt method, option or kernel does not compile. */
import type { Sample } from '../distributions/marginal.ts';
import type { Posterior } from './algorithm.ts';
import type { AutomaticOptions } from './automatic.ts';
import type { AISOptions } from './chains/ais.ts';
import type { IncrementalMHOptions } from './chains/incremental-mh.ts';
import type { KernelGiven } from './chains/kernel.ts';
import type { ChainOptions } from './chains/mcmc.ts';
import type { Trace } from './chains/trace.ts';
import type { Convergence } from './diagnostics/convergence.ts';
import type { EnumerateOptions } from './enumeration/enumerate.ts';
import type { AnytimePosterior, AsyncPFOptions } from './particles/async-pf.ts';
import type { PMCMCOptions } from './particles/pmcmc.ts';
import type { SMCOptions } from './particles/smc.ts';
import type { ForwardOptions } from './sampling/forward.ts';
import type { ImportanceOptions } from './sampling/importance.ts';
import type { RejectionOptions } from './sampling/rejection.ts';

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

/** The same options, with kernels as programs name them. */
type WithKernel<O, Name extends keyof O> = Partial<Omit<O, Name>> & { [K in Name]?: KernelGiven };

/**
 * Each method's own options, and what it gives. (`optimize` adds itself. Methods of one's own are typed by what `addMethod` of
 * `waymark/algorithms` returns.)
 */
export interface MethodTable<T> {
  enumerate: { options: Partial<EnumerateOptions>; result: EvidencePosterior<T> };
  rejection: { options: Partial<RejectionOptions>; result: SampledPosterior<T> };
  MCMC: { options: Partial<ChainOptions> & { kernel?: KernelGiven }; result: ChainPosterior<T> };
  incrementalMH: { options: Partial<IncrementalMHOptions>; result: ChainPosterior<T> };
  SMC: { options: WithKernel<SMCOptions, 'rejuvKernel'>; result: ParticlePosterior<T> };
  PMCMC: { options: Partial<PMCMCOptions>; result: SampledPosterior<T> };
  asyncPF: { options: Partial<AsyncPFOptions>; result: AnytimePosterior<T> };
  importance: { options: Partial<ImportanceOptions>; result: WeightedPosterior<T> };
  forward: { options: Partial<ForwardOptions>; result: SampledPosterior<T> };
  AIS: { options: Partial<AISOptions>; result: EvidencePosterior<T> };
  automatic: { options: Partial<AutomaticOptions>; result: Posterior<T> };
  defaultInfer: { options: Partial<AutomaticOptions>; result: Posterior<T> };
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
