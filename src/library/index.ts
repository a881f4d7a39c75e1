/** The library's names, a line per module; `rows.ts` says what each does. Those of `waymark/webppl` alone are not among them. */
import './tensors/methods.ts';

export { loadData } from '../io/load-data.ts';
export { loadQMRGraph, type QmrGraph, type QmrParent } from '../io/qmr-graph.ts';
export { type Activation, type OnSimplex, relu, sigmoid, simplex, softmax, softplus, tanh } from './activations.ts';
export type { List } from './arguments.ts';
export { type Argv, argv } from './argv.ts';
export { type Cached, cache } from './cache.ts';
export { type CalibrateOptions, type Calibration, calibrate } from './calibration/calibrate.ts';
export type { CalibratedMethod, PosteriorSource } from './calibration/simulations.ts';
export type { MethodQuality, QuantityCalibration, Test } from './calibration/verdict.ts';
export { flip, uniformDraw } from './choices.ts';
export { type DatumScores, type LeaveOneOut, loo, type PredictiveScore, waic } from './cross-validation.ts';
export { deserializeDist, entropy, kde, MAP, serializeDist } from './dist-functions.ts';
export { dirichletDrift, gaussianDrift, uniformDrift } from './drift.ts';
export { type Evidence, type EvidenceOptions, evidence } from './evidence.ts';
export { type Averaged, expectation } from './expectation.ts';
export {
  type BackwardsPass,
  type FoldDataOptions,
  type FoldManyOptions,
  foldData,
  type SummedFoldOptions,
} from './fold-data.ts';
export { all, any, find, foldl, reduce, scan } from './folding.ts';
export { forEach } from './for-each.ts';
export * from './functions.ts';
export { countBy, groupBy, partition } from './grouping.ts';
export { guide } from './guide.ts';
export { credibleInterval, type IntervalKind } from './intervals.ts';
export * from './lists.ts';
export { type MapDataOptions, mapData } from './map-data.ts';
export { filter, map, map2, mapIndexed, mapN, mapObject, mapPairs, repeat } from './mapping.ts';
export { marginalize } from './marginalize.ts';
export { mem } from './mem.ts';
export type { OdeOptions } from './ode/integrate.ts';
export { odeSolve } from './ode/ode-solve.ts';
export { display, print } from './output.ts';
export {
  type DatumPosterior,
  type PosteriorsOptions,
  type PredictiveOptions,
  posteriorPredictive,
  posteriors,
} from './posteriors.ts';
export { rejection } from './rejection.ts';
export { show } from './show/value.ts';
export { argMax, type Before, maxWith, minWith, sort, sortOn } from './sorting.ts';
export { digamma, erf, lgamma, logit, Phi } from './special.ts';
export {
  type Coordinate,
  correlation,
  mean,
  median,
  type Numeric,
  quantile,
  stdev,
  variance,
} from './statistics.ts';
export { type GlobalStore, globalStore } from './store.ts';
export { type NumberSummary, type Summary, summary, type ValueSummary } from './summary.ts';
export { listMean, listStdev, listVar, logsumexp, normalize, product, sum } from './sums.ts';
export * from './tensors/constructors.ts';
export type { Nested, TensorMethods } from './tensors/methods.ts';
export { T } from './tensors/operations.ts';
export { makeBetaBernoulli, makeDirichletDiscrete } from './urns.ts';
export type { Chains } from './viz/chains.ts';
export type { Chart } from './viz/chart.ts';
export type { Drawable } from './viz/data.ts';
export { viz } from './viz/index.ts';
export type { DrawingOptions } from './viz/options.ts';
