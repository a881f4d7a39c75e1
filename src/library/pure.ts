/**
 * What never makes a choice and never calls back into a program. Calls of these need no address, so the compiler
 * leaves them alone. A test holds the list against `index.ts`.
 */

/** Names of the library that are pure functions. */
export const pureNames: ReadonlySet<string> = new Set([
  // lists
  ...['append', 'cons', 'snoc', 'first', 'second', 'third', 'fourth', 'last', 'secondLast', 'rest', 'most'],
  ...['everyOther', 'zip', 'remove', 'flatten', 'unique', 'range', 'countsToIndices'],
  // numbers
  ...['sum', 'product', 'logsumexp', 'normalize', 'listMean', 'listVar', 'listStdev'],
  ...['mean', 'variance', 'stdev', 'median', 'quantile', 'credibleInterval', 'summary'],
  ...['sigmoid', 'softplus', 'tanh', 'relu', 'softmax', 'squishToProbSimplex', 'simplex'],
  // small functions
  ...['idF', 'constF', 'trueF', 'falseF', 'isEven', 'isOdd', 'lt', 'gt', 'extend', 'mergeObj', 'error'],
  // tensors
  ...[
    'Vector',
    'Matrix',
    'Tensor',
    'zeros',
    'ones',
    'idMatrix',
    'oneHot',
    'oneOfK',
    'dims',
    'concat',
    'tensorToVector',
  ],
  // distributions
  ...['MAP', 'entropy', 'kde', 'serializeDist', 'deserializeDist'],
  // parameters
  ...['getParams', 'setParams', 'getParamsId', 'setParamsId', 'setFreshParamsId', 'serializeParams'],
  ...['deserializeParams', 'saveParams', 'loadParams'],
  // descriptions of networks
  ...['makeRNN', 'makeGRU', 'makeLSTM'],
  // the outside
  ...['display', 'print', 'viz', 'vizPrint', 'show', 'loadData', 'loadQMRGraph'],
]);

const first = (name: string): [string, number] => [name, 0];
const second = (name: string): [string, number] => [name, 1];

/**
 * Functions that make no choice themselves and call one function that they are given, with its place among the
 * arguments. A call of them needs no address if that function makes no choices.
 */
export const callers: ReadonlyMap<string, number> = new Map([
  ...['map', 'map2', 'mapN', 'mapIndexed', 'mapObject', 'mapPairs', 'filter'].map(first),
  ...['reduce', 'foldl', 'scan', 'find', 'all', 'any', 'minWith', 'maxWith', 'argMax'].map(first),
  ...['groupBy', 'partition', 'span', 'countBy'].map(first),
  ...['repeat', 'expectation'].map(second),
]);

/** Objects all of whose functions are pure: `T.add`, `viz.table`. (`nn` only describes networks.) */
export const pureObjects: ReadonlySet<string> = new Set(['T', 'ad', 'numeric', 'viz', 'nn', 'schedules']);
