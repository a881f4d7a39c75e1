/** The public API: everything a program may use, a line per module. */

export * from './distributions/index.ts';
export * from './distributions/samplers.ts';
export type { Params } from './guides/given-params.ts';
export { modelParam, param } from './guides/param.ts';
export {
  deserializeParams,
  getParams,
  getParamsId,
  loadParams,
  saveParams,
  serializeParams,
  setFreshParamsId,
  setParams,
  setParamsId,
} from './guides/params-api.ts';
export * from './inference/index.ts';
export * from './library/index.ts';
export { embedding } from './nn/embedding.ts';
export { conv2d, maxPool } from './nn/images.ts';
export { he, xavier } from './nn/initial.ts';
export { affine, bias, linear } from './nn/layers.ts';
export { makeGRU, makeLSTM, makeRNN, nn, nnEval, nneval, nnevalModel } from './nn/networks.ts';
export { layerNorm } from './nn/normalisation.ts';
export { gru, lstm, rnn } from './nn/recurrent.ts';
export {
  type DreamSample,
  dreamSample,
  Optimize,
  type OptimizeGiven,
  OptimizeThenSample,
} from './optimize/front.ts';
export { schedules } from './optimize/schedules.ts';
export { WaymarkError } from './runtime/errors.ts';
export type { Distribution, Handler, Interval, SampleOptions } from './runtime/handler.ts';
export { condition, factor, observe, sample, sampleWithFactor, setProposalBoundary } from './runtime/primitives.ts';
export { query } from './runtime/query.ts';
