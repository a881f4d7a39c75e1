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
  // the outside
  ...['display', 'print', 'viz', 'vizPrint', 'show', 'loadData', 'loadQMRGraph'],
]);

/** Objects all of whose functions are pure: `T.add`, `viz.table`. */
export const pureObjects: ReadonlySet<string> = new Set(['T', 'ad', 'numeric', 'viz']);
