/** All operations on numbers, tensors and graph nodes. */
export * from './ops/arithmetic.ts';
export { conv2d, maxPool2d, meanPool2d } from './ops/convolution.ts';
export { gather, mergeLanes, oneHot, range, sort, topK } from './ops/indexing.ts';
export { cholesky, determinant, inverse, logdet, triangularSolve } from './ops/linalg.ts';
export { isNormalised } from './ops/normalised.ts';
export { contract, matmul } from './ops/products.ts';
export {
  argmax,
  argsort,
  cumsum,
  logSoftmax,
  logsumexp,
  maxOf,
  mean,
  minOf,
  prod,
  softmax,
  sum,
  sumLanes,
} from './ops/reductions.ts';
export { runningSums, segmentMax, segmentMean, segmentMin, segmentSum } from './ops/segments.ts';
export {
  broadcastTo,
  concat,
  inDoublePrecision,
  inSinglePrecision,
  pad,
  reshape,
  slice,
  sliceAxis,
  split,
  stack,
  transpose,
  transposeMatrix,
} from './ops/structure.ts';
