/** Inference as programs call it. */

export type { Model, Posterior } from './algorithm.ts';
export type { Callbacks } from './callbacks.ts';
export type { AISOptions } from './chains/ais.ts';
export type { KernelGiven } from './chains/kernel.ts';
export { forward, forwardGuide } from './entry-points.ts';
export { Infer } from './infer.ts';
export type {
  AutomaticGiven,
  ChainDiagnostics,
  ChainPosterior,
  CommonOptions,
  EvidencePosterior,
  InferOptions,
  MethodName,
  MethodTable,
  OptionsOf,
  ParticlePosterior,
  PosteriorOf,
  SampledPosterior,
  WeightedPosterior,
} from './method-types.ts';
export type { AnytimePosterior } from './particles/async-pf.ts';
