/** The public API: everything a program may use, a line per module. */

export {
  Amortize,
  type Amortized,
  type AmortizedPosterior,
  type AmortizeObjective,
  type AmortizeOptions,
  type PosteriorOptions,
  type SiteSummary,
} from './amortize/front.ts';
export type { NetworkSizes } from './amortize/sizes.ts';
export type { Scored } from './distributions/distribution.ts';
export * from './distributions/index.ts';
export * from './distributions/samplers.ts';
export type { Params } from './guides/given-params.ts';
export { modelParam, type ParamOptions, param, type TensorParamOptions } from './guides/param.ts';
export {
  deserializeParams,
  getParams,
  getParamsId,
  loadParams,
  type SaveParamsOptions,
  saveParams,
  serializeParams,
  setFreshParamsId,
  setParams,
  setParamsId,
} from './guides/params-api.ts';
export * from './inference/index.ts';
export * from './library/index.ts';
export { type EmbeddingOptions, embedding } from './nn/embedding.ts';
export { type AutoregressiveOptions, maskedAutoregressive } from './nn/flows/autoregressive.ts';
export { type CouplingOptions, coupling } from './nn/flows/coupling.ts';
export { Flow, type FlowParams } from './nn/flows/flow.ts';
export type { FlowLayer } from './nn/flows/flow-layer.ts';
export { type ConvolutionOptions, conv2d, maxPool, type PoolOptions } from './nn/images.ts';
export { he, type Init, xavier } from './nn/initial.ts';
export type { Declare, Layer, LayerOptions } from './nn/layer-options.ts';
export { affine, bias, linear } from './nn/layers.ts';
export {
  type MakeRecurrent,
  type MlpLayer,
  makeGRU,
  makeLSTM,
  makeRNN,
  type Network,
  nn,
  nnEval,
  nneval,
  nnevalModel,
} from './nn/networks.ts';
export { layerNorm } from './nn/normalisation.ts';
export { gru, lstm, type Recurrent, type RecurrentOptions, rnn } from './nn/recurrent.ts';
export {
  type DreamSample,
  dreamSample,
  Optimize,
  type OptimizeGiven,
} from './optimize/front.ts';
export { schedules } from './optimize/schedules.ts';
export { WaymarkError } from './runtime/errors.ts';
export type { Distribution, Handler, Interval, SampleOptions } from './runtime/handler.ts';
export type { Listeners } from './runtime/listeners.ts';
export type { Progress, Trace } from './runtime/machine.ts';
export { condition, factor, observe, sample, sampleWithFactor, setProposalBoundary } from './runtime/primitives.ts';
export { type Query, query } from './runtime/query.ts';
export { type WithRunOptions, withRun, withSeed } from './runtime/with-run.ts';
