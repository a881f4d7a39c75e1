/** WebPPL's names for inference by one method each, in place of `Infer({method: …})`. */

import type { Algorithm, Model, Posterior } from './algorithm.ts';
import { automatic } from './automatic.ts';
import { type AISOptions, ais, estimateEvidence } from './chains/ais.ts';
import { incrementalMH } from './chains/incremental-mh.ts';
import { mcmc } from './chains/mcmc.ts';
import { enumerate } from './enumeration/enumerate.ts';
import { modelAndOptions, runAlgorithm } from './infer.ts';
import { readOptions } from './options.ts';
import { type AnytimePosterior, asyncPF } from './particles/async-pf.ts';
import { pmcmc } from './particles/pmcmc.ts';
import { smc } from './particles/smc.ts';
import { drawForward, drawGuide, forward as forwardSampling } from './sampling/forward.ts';
import { rejection } from './sampling/rejection.ts';

/** `Enumerate(model, options)`; the model may also come last, or as the option `model`. */
export interface InferenceFunction {
  <T>(model: Model<T>, options?: object): Posterior<T>;
  <T>(options: { model: Model<T>; [option: string]: unknown }): Posterior<T>;
  <T>(options: object, model: Model<T>): Posterior<T>;
}

function entryPoint<O extends object>(name: string, algorithm: Algorithm<O>): InferenceFunction {
  return <T>(first: unknown, second?: unknown): Posterior<T> => {
    const { model, options } = modelAndOptions<T>(name, first, second);
    return runAlgorithm(algorithm, name, model, options);
  };
}

/** `Infer` with `method: 'enumerate'`. */
export const Enumerate: InferenceFunction = entryPoint('Enumerate', enumerate);
/** `Infer` with `method: 'rejection'`. */
export const Rejection: InferenceFunction = entryPoint('Rejection', rejection);
/** `Infer` with `method: 'MCMC'`. */
export const MCMC: InferenceFunction = entryPoint('MCMC', mcmc);
/** `Infer` with `method: 'SMC'`. */
export const SMC: InferenceFunction = entryPoint('SMC', smc);
/** `Infer` with `method: 'incrementalMH'`. */
export const IncrementalMH: InferenceFunction = entryPoint('IncrementalMH', incrementalMH);
/** `Infer` with `method: 'PMCMC'`. */
export const PMCMC: InferenceFunction = entryPoint('PMCMC', pmcmc);
/** `Infer` with `method: 'forward'`. */
export const ForwardSample: InferenceFunction = entryPoint('ForwardSample', forwardSampling);
/** `Infer` without a method. */
export const DefaultInfer: InferenceFunction = entryPoint('DefaultInfer', automatic);

/** `Infer` with `method: 'asyncPF'`. The result has `continue(particles)`, which gives a better one. */
export function AsyncPF<T>(model: Model<T>, options?: object): AnytimePosterior<T> {
  const given = modelAndOptions<T>('AsyncPF', model, options);
  return runAlgorithm(asyncPF, 'AsyncPF', given.model, given.options) as AnytimePosterior<T>;
}

/** An estimate of the log of the evidence, by annealed importance sampling. */
export function AIS<T>(model: Model<T>, options?: Partial<AISOptions>): number {
  const given = modelAndOptions<T>('AIS', model, options);
  return estimateEvidence(given.model, readOptions('AIS', given.options, ais.options, { apart: ['model'] }));
}

/** Runs the model once, as if its factors were not there, and returns its value. */
export function forward<T>(model: Model<T>): T {
  return drawForward(modelAndOptions<T>('forward', model, undefined).model);
}

/** Runs the model once with choices drawn from their guides, as if its factors were not there, and returns its value. */
export function forwardGuide<T>(model: Model<T>): T {
  return drawGuide(modelAndOptions<T>('forwardGuide', model, undefined).model);
}

/** The distribution of the model's value when choices are drawn from their guides: `forward` with `guide: true`. */
export const SampleGuide: InferenceFunction = <T>(first: unknown, second?: unknown): Posterior<T> => {
  const { model, options } = modelAndOptions<T>('SampleGuide', first, second);
  return runAlgorithm(forwardSampling, 'SampleGuide', model, { ...options, guide: true });
};

/** An older name of MCMC with the kernel MH. */
export function MH<T>(model: Model<T>, samples?: number, burn?: number): Posterior<T> {
  return MCMC(model, { samples, burn });
}

/** An older name of SMC without rejuvenation. */
export function ParticleFilter<T>(model: Model<T>, particles?: number): Posterior<T> {
  return SMC(model, { particles });
}

/** An older name of SMC with rejuvenation. */
export function ParticleFilterRejuv<T>(model: Model<T>, particles?: number, rejuvSteps?: number): Posterior<T> {
  return SMC(model, { particles, rejuvSteps });
}
