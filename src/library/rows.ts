/**
 * One row for each name of the library: what the compiler has to know of it, and what it does with values that are more than
 * numbers (`src/algebra/library-row.ts` says what the words mean). A new function of the library is a function and a row here.
 * Constructors of distributions and the functions that draw from them have none: their families say all.
 */
import type { LibraryRow, LibraryRows } from '../algebra/library-row.ts';
import type { LibraryName, LibraryNames } from '../compiler/library-names.ts';
import { EVEN_FAMILIES } from '../distributions/kernel-families.ts';

const rows: Readonly<Record<string, LibraryRow>> = {
  // lists
  append: { pure: true, does: 'takes apart' },
  cons: { pure: true, does: 'takes apart', handsOn: [0] },
  snoc: { pure: true, does: 'takes apart', handsOn: [1] },
  rest: { pure: true, does: 'takes apart' },
  most: { pure: true, does: 'takes apart' },
  everyOther: { pure: true, does: 'takes apart' },
  zip: { pure: true, does: 'takes apart', even: true },
  first: { pure: true, does: 'hands on' },
  second: { pure: true, does: 'hands on' },
  third: { pure: true, does: 'hands on' },
  fourth: { pure: true, does: 'hands on' },
  last: { pure: true, does: 'hands on' },
  secondLast: { pure: true, does: 'hands on' },
  range: { pure: true, does: 'hands on', counts: [0, 1, 2] },
  remove: { pure: true },
  flatten: { pure: true },
  unique: { pure: true },
  countsToIndices: { pure: true },

  // functions over lists
  map: { calls: 0, does: 'hands on', gives: 'list', even: true },
  map2: { calls: 0, does: 'hands on', gives: 'list', even: true },
  mapN: { calls: 0, does: 'hands on', counts: [1], gives: 'list', even: true },
  mapIndexed: { calls: 0, does: 'hands on', gives: 'list', even: true },
  mapObject: { calls: 0, does: 'hands on' },
  mapPairs: { calls: 0, does: 'hands on' },
  reduce: { calls: 0, does: 'hands on', gives: 'items', handsOn: [1], even: true },
  foldl: { calls: 0, does: 'hands on', gives: 'items', handsOn: [1] },
  scan: { calls: 0, does: 'hands on', gives: 'list', handsOn: [1] },
  repeat: { calls: 1, does: 'hands on', counts: [0], gives: 'list', even: true },
  rejection: { does: 'ends' },
  forEach: { calls: 0, does: 'hands on' },
  mapData: { does: 'hands on', leavesTrace: true, even: true },
  foldData: { calls: 1, does: 'hands on', leavesTrace: true },
  filter: { calls: 0, does: 'asks', gives: 'list' },
  find: { calls: 0, does: 'asks', gives: 'items' },
  all: { calls: 0, does: 'asks', gives: 'items' },
  any: { calls: 0, does: 'asks', gives: 'items' },
  partition: { calls: 0, does: 'asks' },
  groupBy: { calls: 0, does: 'asks' },
  countBy: { calls: 0, does: 'asks' },
  minWith: { calls: 0, does: 'orders' },
  maxWith: { calls: 0, does: 'orders' },
  argMax: { calls: 0, does: 'orders' },
  sort: { does: 'orders' },
  sortOn: { does: 'orders' },

  // small functions, and functions of functions
  lt: { pure: true },
  gt: { pure: true },
  extend: { pure: true, gives: 'fields' },
  error: { pure: true, does: 'ends' },
  compose: { does: 'hands on' },
  stack: {},
  mem: { does: 'knows', leavesTrace: true },
  cache: { keeps: true },

  // numbers
  sum: { pure: true, even: true },
  product: { pure: true },
  logsumexp: { pure: true },
  normalize: { pure: true },
  listMean: { pure: true, even: true },
  listVar: { pure: true },
  listStdev: { pure: true },
  mean: { pure: true },
  variance: { pure: true },
  stdev: { pure: true },
  median: { pure: true },
  quantile: { pure: true },
  credibleInterval: { pure: true },
  summary: { pure: true },
  correlation: { does: 'orders' },
  sigmoid: { pure: true, even: true },
  Phi: { pure: true },
  erf: { pure: true },
  lgamma: { pure: true },
  digamma: { pure: true },
  logit: { pure: true },
  softplus: { pure: true, even: true },
  tanh: { pure: true, even: true },
  relu: { pure: true, even: true },
  softmax: { pure: true, even: true },
  simplex: { pure: true },

  // tensors
  T: { pure: true, even: true },
  Vector: { pure: true, even: true },
  Matrix: { pure: true, even: true },
  Tensor: { pure: true, even: true },
  zeros: { pure: true, even: true },
  ones: { pure: true, even: true },
  idMatrix: { pure: true },
  oneHot: { pure: true, even: true },
  oneOfK: { pure: true, even: true },
  dims: { pure: true },
  concat: { pure: true, even: true },
  tensorToVector: { pure: true },

  // distributions
  MAP: { pure: true },
  entropy: { pure: true },
  kde: { pure: true },
  serializeDist: { pure: true },
  deserializeDist: { pure: true },
  expectation: { calls: 1, even: true },
  odeSolve: { calls: 0, does: 'ends' },
  loo: { calls: 1 },
  waic: { calls: 1 },
  marginalize: {},
  Marginal: {},
  SampleBasedMarginal: {},

  // choices and factors
  sample: { does: 'knows', even: true },
  sampleWithFactor: { leavesTrace: true },
  flip: { does: 'draws', of: 'Bernoulli', even: true },
  uniformDraw: { does: 'draws an item', of: 'RandomInteger' },
  lkjCholesky: { does: 'draws', of: 'LKJCholesky' },
  gaussianDrift: { does: 'takes plain values' },
  uniformDrift: { does: 'takes plain values' },
  dirichletDrift: {},
  makeBetaBernoulli: {},
  makeDirichletDiscrete: {},
  factor: { weighs: true, does: 'factors', even: true },
  condition: { weighs: true, does: 'conditions', even: true },
  observe: { weighs: true, does: 'observes', even: true },
  setProposalBoundary: { leavesTrace: true },
  guide: { gradients: true, does: 'hands on' },

  // inference
  Infer: { infers: 'any', steps: true, even: true },
  Optimize: { steps: true, params: 'changes', gradients: true },
  dreamSample: { gradients: true },
  evidence: { infers: 'SMC', params: 'reads', gradients: true, does: 'ends' },
  Amortize: { infers: 'SMC', steps: true, gradients: true, does: 'ends' },
  posteriors: { infers: 'SMC', params: 'reads', gradients: true, does: 'ends' },
  calibrate: { infers: 'any', steps: true, params: 'reads', does: 'ends' },
  posteriorPredictive: { infers: 'forward', does: 'ends' },
  forward: {},
  forwardGuide: { gradients: true },
  schedules: { pure: true, does: 'ends' },
  query: { forgets: true },

  // parameters
  param: { does: 'hands on', gradients: true },
  modelParam: { does: 'hands on', gradients: true },
  getParams: { pure: true, params: 'reads' },
  getParamsId: { pure: true, params: 'reads' },
  serializeParams: { pure: true, params: 'reads' },
  deserializeParams: { pure: true, params: 'reads' },
  saveParams: { pure: true, params: 'reads' },
  setParams: { pure: true, params: 'changes' },
  setParamsId: { pure: true, params: 'changes' },
  setFreshParamsId: { pure: true, params: 'changes' },
  loadParams: { pure: true, params: 'changes' },

  // networks
  nn: { pure: true, does: 'ends', gradients: true, even: true },
  nneval: { does: 'evaluates', gradients: true, even: true },
  nnEval: { does: 'evaluates', gradients: true },
  nnevalModel: { does: 'takes plain values', gradients: true },
  linear: { does: 'makes a layer', gradients: true, even: true },
  bias: { does: 'makes a layer', gradients: true, even: true },
  affine: { does: 'makes a layer', gradients: true, even: true },
  rnn: { does: 'makes a layer', gradients: true, even: true },
  gru: { does: 'makes a layer', gradients: true, even: true },
  lstm: { does: 'makes a layer', gradients: true, even: true },
  conv2d: { does: 'makes a layer', gradients: true },
  maxPool: { does: 'makes a layer', gradients: true },
  layerNorm: { does: 'makes a layer', gradients: true, even: true },
  coupling: { gradients: true },
  maskedAutoregressive: { gradients: true },
  Flow: { gradients: true },
  embedding: { does: 'makes a layer', gradients: true, even: true },
  makeRNN: { pure: true, gradients: true },
  makeGRU: { pure: true, gradients: true },
  makeLSTM: { pure: true, gradients: true },
  xavier: {},
  he: {},

  // output, files, arguments
  display: { pure: true, outside: true, does: 'ends' },
  print: { pure: true, outside: true, does: 'ends' },
  viz: { pure: true, outside: true, does: 'ends' },
  show: { pure: true, does: 'ends' },
  loadData: { pure: true, does: 'ends' },
  loadQMRGraph: { pure: true, does: 'ends' },
  argv: { outside: true, does: 'knows' },
  globalStore: { state: true },
  WaymarkError: {},

  // what modules of apps have in place of a run
  withRun: {},
  withSeed: {},

  // conveniences of the command line and of WebPPL that are no part of the API
  _: { does: 'knows' },
  assert: {},
  require: { state: true },
  _top: { state: true },
};

/** Names of `waymark/webppl`. */
const webpplRows: Readonly<Record<string, LibraryRow>> = {
  _sort: { does: 'orders' },
  _merge: { does: 'orders' },
  idF: { pure: true, does: 'hands on', handsOn: [0] },
  constF: { pure: true, does: 'hands on', handsOn: [0] },
  trueF: { pure: true },
  falseF: { pure: true },
  isEven: { pure: true },
  isOdd: { pure: true },
  mergeObj: { pure: true, gives: 'fields' },
  apply: { does: 'hands on' },
  applyd: { does: 'hands on' },
  incrementalize: {},
  dp: {},
  squishToProbSimplex: { pure: true },
  numeric: { pure: true, does: 'ends' },
  ad: { pure: true, does: 'ends' },
  span: { calls: 0, does: 'asks' },
  dists: {},
  DefaultInfer: { infers: 'automatic' },
  Enumerate: { infers: 'enumerate' },
  Rejection: { infers: 'rejection' },
  ForwardSample: { infers: 'forward' },
  SampleGuide: { infers: 'forward', gradients: true },
  MCMC: { infers: 'MCMC' },
  MH: { infers: 'MCMC' },
  IncrementalMH: { infers: 'incrementalMH' },
  SMC: { infers: 'SMC' },
  ParticleFilter: { infers: 'SMC' },
  ParticleFilterRejuv: { infers: 'SMC' },
  PMCMC: { infers: 'PMCMC' },
  // It starts particles one at a time, which cannot be done for many executions at once.
  AsyncPF: { infers: 'asyncPF', does: 'ends' },
  // It gives a number in every way of running.
  AIS: { infers: 'AIS', does: 'ends' },
  OptimizeThenSample: { infers: 'optimize', steps: true, params: 'changes', gradients: true },
  vizPrint: { pure: true, outside: true, does: 'ends' },
  util: { outside: true },
  // The text that it compiles is known only when nothing more can be loaded.
  webpplEval: { state: true, params: 'changes', gradients: true },
};

export const libraryRows: LibraryRows = new Map([
  ...Object.entries(rows),
  ...Object.entries(webpplRows).map(([name, row]) => [name, { ...row, webppl: true }] as const),
]);

/** True of the constructor of a distribution. */
export const isFamily = (value: unknown): value is { readonly family: { readonly params: object } } =>
  typeof value === 'function' && 'family' in value;

const evenFamilies: ReadonlySet<string> = new Set(EVEN_FAMILIES);

/** What the compiler is told of these names of the library: constructors of distributions make no choice. */
export function namesKnown(library: Readonly<Record<string, unknown>>, table: LibraryRows): LibraryNames {
  const known = new Map<string, LibraryName>(table);
  for (const name of Object.keys(library)) {
    if (known.has(name)) continue;
    // (A helper has the name of its family, in lower case.)
    const even = evenFamilies.has(name.charAt(0).toUpperCase() + name.slice(1));
    known.set(name, isFamily(library[name]) ? { pure: true, even } : { even });
  }
  return known;
}
