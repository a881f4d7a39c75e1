/** The public API: everything a program may use, a line per module. */

export { Bernoulli } from './distributions/bernoulli.ts';
export { Gaussian } from './distributions/gaussian.ts';
export type { Model, Posterior } from './inference/algorithm.ts';
export * from './inference/entry-points.ts';
export { Infer, type InferOptions } from './inference/infer.ts';
export * from './library/index.ts';
export { WaymarkError } from './runtime/errors.ts';
export type { Distribution, Handler, Interval, SampleOptions } from './runtime/handler.ts';
export { condition, factor, observe, sample, sampleWithFactor, setProposalBoundary } from './runtime/primitives.ts';
export { query } from './runtime/query.ts';
