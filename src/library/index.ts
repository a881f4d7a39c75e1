/** Every name of the library, a line per module. `pure.ts` says which of them never call back or make choices. */
import './tensors/methods.ts';

export { loadData } from '../io/load-data.ts';
export { loadQMRGraph, type QmrGraph, type QmrParent } from '../io/qmr-graph.ts';
export * from './activations.ts';
export { ad } from './ad.ts';
export type { List } from './arguments.ts';
export { type Argv, argv } from './argv.ts';
export { type Cached, cache, dp } from './cache.ts';
export { flip, guide, uniformDraw, webpplEval } from './choices.ts';
export { deserializeDist, entropy, kde, MAP, serializeDist } from './dist-functions.ts';
export { dists } from './dists.ts';
export { dirichletDrift, gaussianDrift, uniformDrift } from './drift.ts';
export { type Averaged, expectation } from './expectation.ts';
export { all, any, find, foldl, reduce, scan } from './folding.ts';
export { forEach } from './for-each.ts';
export * from './functions.ts';
export { countBy, groupBy, partition, span } from './grouping.ts';
export { credibleInterval, type IntervalKind } from './intervals.ts';
export * from './lists.ts';
export { type MapDataOptions, mapData } from './map-data.ts';
export { filter, map, map2, mapIndexed, mapN, mapObject, mapPairs, repeat } from './mapping.ts';
export { marginalize } from './marginalize.ts';
export { mem } from './mem.ts';
export { numeric } from './numeric.ts';
export { display, print } from './output.ts';
export { show } from './show/value.ts';
export { _merge, _sort, argMax, type Before, maxWith, minWith, sort, sortOn } from './sorting.ts';
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
export { util } from './util.ts';
export type { Chains } from './viz/chains.ts';
export type { Chart } from './viz/chart.ts';
export type { Drawable } from './viz/data.ts';
export { viz, vizPrint } from './viz/index.ts';
export type { DrawingOptions } from './viz/options.ts';
