/** Every name of the library, a line per module. */

export { all, any, find, foldl, reduce, scan } from './folding.ts';
export { forEach } from './for-each.ts';
export {
  apply,
  applyd,
  compose,
  constF,
  error,
  extend,
  falseF,
  gt,
  idF,
  incrementalize,
  isEven,
  isOdd,
  lt,
  mergeObj,
  stack,
  trueF,
} from './functions.ts';
export { countBy, groupBy, partition, span } from './grouping.ts';
export * from './lists.ts';
export { mapData } from './map-data.ts';
export { filter, map, map2, mapIndexed, mapN, mapObject, mapPairs, repeat } from './mapping.ts';
export { _merge, _sort, argMax, maxWith, minWith, sort, sortOn } from './sorting.ts';
export { listMean, listStdev, listVar, logsumexp, normalize, product, sum } from './sums.ts';
