/**
 * `waymark/webppl`: names that programs written for WebPPL use. JavaScript has the same, or `waymark` under a name of its own, so
 * that new programs do not need them. `.wppl` programs have them in scope.
 */
import './library/tensors/methods.ts';

export {
  AIS,
  AsyncPF,
  DefaultInfer,
  Enumerate,
  ForwardSample,
  IncrementalMH,
  type InferenceFunction,
  MCMC,
  MH,
  ParticleFilter,
  ParticleFilterRejuv,
  PMCMC,
  Rejection,
  SampleGuide,
  SMC,
} from './inference/entry-points.ts';
export * from './library/webppl/index.ts';
export { OptimizeThenSample } from './optimize/front.ts';
