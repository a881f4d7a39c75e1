/**
 * Every function of the library, given a choice as a count, a number, an item, a field or what a function answers, in every way
 * of running: what it gives must be what it gives of the plain value.
 */
import { describe, expect, test } from 'vitest';
import * as api from '../../src/library/index.ts';
import * as webppl from '../../src/library/webppl/index.ts';
import { run } from '../../src/program/run.ts';

/** Expressions with a number, by the function they call; `n` is a choice of 1, 2 or 3, `b` one of true and false. */
const ROWS: Readonly<Record<string, readonly string[]>> = {
  append: [
    'sum(append([n], [1, n]))',
    'append([1], n).length',
    'append(lists[n - 1], [5]).length',
    'append([7], lists[n - 1])[1]',
  ],
  cons: ['sum(cons(n, [1, 2]))', 'cons(5, lists[n - 1]).length', 'cons(n, lists[n - 1])[0]'],
  snoc: ['sum(snoc([1, 2], n))', 'snoc(lists[n - 1], 5).length', 'last(snoc(lists[n - 1], n))'],
  first: ['first([n, 1])', 'first(lists[n - 1])'],
  second: ['second([1, n])', 'second([[1], lists[n - 1]])[0]'],
  third: ['third([1, 2, n])'],
  fourth: ['fourth([1, 2, 3, n])'],
  last: ['last([1, n])', 'last(lists[n - 1])'],
  secondLast: ['secondLast([n, 1])'],
  rest: ['rest([1, n])[0]', 'rest(lists[n - 1]).length'],
  most: ['most([n, 1])[0]', 'most(lists[n - 1]).length'],
  everyOther: ['sum(everyOther([n, 1, n]))', 'everyOther(lists[n - 1]).length'],
  zip: ['zip([n], [2])[0][0]', 'zip(lists[n - 1], [7, 8, 9])[0][0]'],
  remove: [
    'remove(n, [1, 2, 2, 3]).length',
    'remove(2, [1, n, 3]).length',
    'sum(remove(n, [n, 5]))',
    'remove({a: n}, [{a: 1}, {a: 2}]).length',
    'remove(2, lists[n - 1]).length',
    'remove(names[n - 1], names).length',
  ],
  flatten: ['sum(flatten([[n], [1, n]]))', 'flatten([lists[n - 1], [1]]).length'],
  unique: [
    'unique([n, 1, 2]).length',
    'unique([n, n]).length',
    'sum(unique([1, n, 3]))',
    'unique(lists[n - 1]).length',
    'unique([names[n - 1], "a"]).length',
    'unique([{a: n}, {a: 2}]).length',
  ],
  range: [
    'range(n).length',
    'sum(range(n))',
    'sum(range(n, 5))',
    'sum(range(0, 6, n))',
    'range(n)[0]',
    'sum(range(0, n * 2))',
  ],
  countsToIndices: ['sum(countsToIndices([1, n]))', 'countsToIndices(lists[n - 1]).length'],
  map: [
    'map(Boolean, [n - 1])[0] ? 1 : 0',
    'map(_.toUpper, names)[n - 1].length',
    'map(Number.isInteger, [n / 2])[0] ? 1 : 0',
    'sum(map(function(v) { return v + n; }, [1, 2]))',
    'sum(map(function(v) { return v * 2; }, lists[n - 1]))',
    'map(Math.abs, [-n])[0]',
    'map(_.identity, [n])[0]',
    'map(String, [n])[0].length',
    'map(Number, [b])[0]',
    'sum(map(function(v) { return v * n; }, range(n)))',
  ],
  map2: [
    'sum(map2(function(x, y) { return x * y; }, [n, 1], [2, n]))',
    'sum(map2(function(x, y) { return x * y; }, lists[n - 1], [7, 8, 9]))',
    'sum(map2(Math.max, [n, 1], [2, 2]))',
  ],
  mapN: [
    'sum(mapN(function(i) { return i + n; }, n))',
    'mapN(idF, n).length',
    'sum(mapN(function(i) { return i * n; }, 5))',
  ],
  mapIndexed: [
    'sum(mapIndexed(function(i, v) { return i * v; }, [1, n]))',
    'sum(mapIndexed(function(i, v) { return i * v; }, lists[n - 1]))',
  ],
  mapObject: [
    'mapObject(function(k, v) { return v + n; }, {a: n}).a',
    'mapObject(function(k, v) { return v * 2; }, objects[n - 1]).a',
  ],
  mapPairs: [
    'sum(mapPairs(function(x, y) { return x * y; }, [n, 2, n]))',
    'sum(mapPairs(function(x, y) { return x * y; }, lists[n - 1]))',
  ],
  filter: [
    'filter(Number.isFinite, [n, Infinity]).length',
    'filter(Boolean, [n - 1, 1]).length',
    'filter(_.isNumber, [n]).length',
    'filter(function(v) { return v < n; }, [0, 1, 2]).length',
    'filter(function(v) { return v > 1; }, [n, 2, 0]).length',
    'filter(function(v) { return v > 1; }, lists[n - 1]).length',
    'sum(filter(function(v) { return v !== n; }, [n, 4]))',
  ],
  repeat: ['repeat(n, function() { return 2; }).length', 'sum(repeat(n, function() { return n; }))'],
  reduce: [
    'reduce(function(v, a) { return v + 2 * a; }, n, [1, n])',
    'reduce(function(v, a) { return v + 2 * a; }, 0, lists[n - 1])',
    'reduce(Math.max, 0, [n, 2])',
    'reduce(append, [], [[n], [1]])[0]',
  ],
  foldData: [
    'foldData({data: [1, n], init: n}, function(a, v, i) { return v + 2 * a + i; })',
    'foldData({data: lists[n - 1], init: 0}, function(a, v) { return v + 2 * a; })',
    'foldData({data: [1, 2], init: {a: n}}, function(s, v) { return {a: s.a * v + n}; }).a',
    'foldData({data: [1, 2, 3], init: 0}, function(a, v) { return b ? a + v : a - v; })',
  ],
  foldl: [
    'foldl(function(a, v) { return v + 2 * a; }, n, [1, n])',
    'foldl(function(a, v) { return v + 2 * a; }, 0, lists[n - 1])',
  ],
  scan: [
    'sum(scan(function(a, v) { return a + v; }, n, [1, n]))',
    'scan(function(a, v) { return a + v; }, 0, lists[n - 1]).length',
  ],
  find: [
    'find(function(v) { return v >= n; }, [1, 2, 3])',
    'find(function(v) { return v > 1; }, [n, 5])',
    'find(function(v) { return v > 0; }, lists[n - 1])',
  ],
  all: [
    'all(Boolean, [n - 1, 1]) ? 1 : 0',
    'all(function(v) { return v < n; }, [0, 1]) ? 1 : 0',
    'all(function(v) { return v > 1; }, [n, 2]) ? 1 : 0',
    'all(idF, [b, true]) ? 1 : 0',
  ],
  any: [
    'any(Boolean, [n - 1, 0]) ? 1 : 0',
    'any(function(v) { return v > n; }, [2, 1]) ? 1 : 0',
    'any(function(v) { return v > 2; }, [n, 0]) ? 1 : 0',
    'any(function(v) { return v === n; }, lists[n - 1]) ? 1 : 0',
  ],
  forEach: ['(function() { forEach(lists[n - 1], function(v) { return v; }); return n; })()'],
  groupBy: [
    'groupBy(function(x, y) { return x === y; }, [n, 1, 2]).length',
    'groupBy(function(x, y) { return (x > n) === (y > n); }, [1, 2, 3]).length',
  ],
  partition: [
    'partition(function(v) { return v > 1; }, [n, 2, 0])[0].length',
    'partition(function(v) { return v >= n; }, [1, 2, 3])[1].length',
  ],
  span: ['span(function(v) { return v > 1; }, [n, 2, 0])[0].length'],
  countBy: [
    'countBy(function(v) { return v > 1 ? "x" : "y"; }, [n, 2]).x',
    'countBy(function(v) { return v; }, [n, 2])["2"]',
    'countBy(function(v) { return v >= n ? "x" : "y"; }, [1, 2, 3]).x',
    'countBy(idF, [n, n])[n]',
  ],
  compose: [
    'compose(function(v) { return v + n; }, function(v) { return v * 2; })(n)',
    'compose(Math.abs, function(v) { return -v; })(n)',
  ],
  stack: ['stack([function(v) { return v + n; }, function(v) { return v * 2; }])(n)'],
  apply: [
    'apply(function(x, y) { return x + y; }, [n, 2])',
    'apply(Math.max, [n, 2])',
    'apply(function(x) { return x; }, lists[n - 1])',
  ],
  applyd: ['applyd(function(x, y) { return x + y; }, [n, 2])'],
  incrementalize: ['incrementalize(function(x, y) { return x + y; }, [n, 2])'],
  idF: ['idF(n)', 'idF(lists[n - 1]).length'],
  constF: ['constF(n)()'],
  trueF: ['trueF(n) ? 1 : 0'],
  falseF: ['falseF(n) ? 1 : 0'],
  isEven: ['isEven(n) ? 1 : 0', 'filter(isEven, [n, 2]).length', 'isEven(n) ? n : 7'],
  isOdd: ['isOdd(n) ? 1 : 0', 'filter(isOdd, [n, 2]).length', 'map(isOdd, [n])[0] ? 1 : 0'],
  lt: ['lt(n, 2) ? 1 : 0', 'sort([3, n, 2], lt)[0]', 'lt(1, n) ? n : 5'],
  gt: ['gt(n, 2) ? 1 : 0', 'sort([3, n, 2], gt)[0]'],
  extend: [
    'extend({a: 1}, {a: n}).a',
    'extend(objects[n - 1], {z: 1}).a',
    'extend({a: 1}, objects[n - 1]).a',
    'Object.keys(extend({q: 1}, objects[n - 1])).length',
  ],
  mergeObj: ['mergeObj({a: 1}, {a: n}).a', 'mergeObj({a: 1}, objects[n - 1]).a'],
  sort: [
    'sort([2, n, 1])[1]',
    'sort([2, n, 1], gt)[0]',
    'sort([2, n], lt, function(v) { return -v; })[0]',
    'sort(lists[n - 1])[0]',
    'sort([2, 1, 3], function(x, y) { return x * n < y; })[0]',
  ],
  sortOn: [
    'sortOn([2, n], function(v) { return -v; })[0]',
    'sortOn([1, 2, 3], function(v) { return v === n ? 0 : v; })[0]',
    'sortOn([{a: n}, {a: 2}], function(v) { return v.a; })[0].a',
  ],
  _sort: ['_sort([2, n, 1], lt)[1]'],
  _merge: ['_merge([1, n], [2], lt)[1]'],
  minWith: [
    'minWith(function(v) { return v * v; }, [n, 2])[0]',
    'minWith(function(v) { return v === n ? 0 : 1; }, [1, 2, 3])[0]',
    'minWith(function(v) { return -v; }, lists[n - 1])[1]',
  ],
  maxWith: [
    'maxWith(function(v) { return v * v; }, [n, 2])[1]',
    'maxWith(function(v) { return v === n ? 1 : 0; }, [1, 2, 3])[0]',
  ],
  argMax: [
    'argMax([2, n, 1])',
    'argMax(function(v) { return v === n ? 1 : 0; }, [1, 2, 3])',
    'argMax(lists[n - 1])',
    'argMax(idF, [n, 2])',
  ],
  sum: ['sum([n, 1])', 'sum(lists[n - 1])', 'sum([b, true])', 'sum(Vector([n, 1]))'],
  product: ['product([n, 2])', 'product(lists[n - 1])'],
  logsumexp: ['logsumexp([n, 1])', 'logsumexp(lists[n - 1])'],
  normalize: ['normalize([n, 1])[0]', 'normalize(lists[n - 1])[0]'],
  listMean: ['listMean([n, 1])', 'listMean(lists[n - 1])'],
  listVar: ['listVar([n, 1])', 'listVar([n, 2], n)', 'listVar(lists[n - 1])'],
  listStdev: ['listStdev([n, 4])'],
  mean: [
    'mean([n, 1])',
    'mean(lists[n - 1])',
    'mean(Binomial({p: 0.5, n: n}))',
    'mean(Bernoulli({p: 1 / n}))',
    'mean([b, true])',
  ],
  variance: ['variance([n, 1])', 'variance(lists[n - 1])', 'variance(Gaussian({mu: 0, sigma: n}))'],
  stdev: ['stdev([n, 4])', 'stdev(Gaussian({mu: 0, sigma: n}))'],
  median: ['median([n, 1, 2])', 'median(lists[n - 1])', 'median(Gaussian({mu: n, sigma: 1}))'],
  quantile: [
    'quantile([n, 1, 2], 0.3)',
    'quantile([1, 2, 4], n / 4)',
    'quantile(Gaussian({mu: n, sigma: 1}), 0.3)',
    'quantile(lists[n - 1], [0.2, 0.8])[1]',
  ],
  correlation: ['correlation([n, 4, 5], [1, 5, 2])'],
  credibleInterval: ['credibleInterval([n, 4, 5], 0.5).lower', 'credibleInterval([1, 4, 5], n / 4).upper'],
  summary: ['summary([n, 1]).mean', 'summary(lists[n - 1]).sd'],
  Phi: ['Phi(n)', 'Phi([n])[0]', 'map(Phi, [n])[0]'],
  erf: ['erf(n)', 'erf([n])[0]'],
  lgamma: ['lgamma(n * n + 1)', 'lgamma([n * n + 1])[0]'],
  digamma: ['digamma(n * n + 1)', 'digamma([n * n + 1])[0]'],
  logit: ['logit(sigmoid(n))', 'logit([0.25 + 0.5 * sigmoid(n)])[0]'],
  sigmoid: ['sigmoid(n)', 'sigmoid([n])[0]', 'map(sigmoid, [n])[0]'],
  softplus: ['softplus(n)'],
  tanh: ['tanh(n)'],
  relu: ['relu(n - 2)'],
  softmax: ['softmax([n, 1])[0]', 'T.get(softmax(Vector([n, 1])), 0)'],
  squishToProbSimplex: ['squishToProbSimplex([n, 1])[0]'],
  simplex: ['simplex([n, 1])[0]'],
  Vector: ['T.get(Vector([n, 1]), 0)', 'Vector(lists[n - 1]).length', 'T.sumreduce(Vector([n, b]))'],
  Matrix: ['T.get(Matrix([[n, 1], [2, 3]]), 0)'],
  Tensor: ['T.get(Tensor([2, 1], [n, 1]), 0)', 'Tensor([n, 1], range(n)).length'],
  zeros: ['zeros([n, 1]).length', 'T.sumreduce(zeros([n, 2]))'],
  ones: ['T.sumreduce(ones([n, 1]))', 'dims(ones([n, 2]))[0]'],
  idMatrix: ['T.sumreduce(idMatrix(n))'],
  oneHot: ['T.get(oneHot(n - 1, 3), 1)', 'oneHot(0, n).length', 'T.get(oneHot(n - 1, n), 0)'],
  oneOfK: ['T.get(oneOfK(n - 1, 3), 1)'],
  dims: ['dims(Vector([n, 1]))[0]', 'dims(zeros([n, 1]))[0]'],
  concat: ['T.get(concat([Vector([n]), Vector([2])]), 0)'],
  tensorToVector: ['T.get(tensorToVector(Matrix([[n, 1]])), 0)'],
  MAP: [
    'MAP(Bernoulli({p: n / 4})).val ? 1 : 0',
    'MAP(Bernoulli({p: n / 4})).score',
    'MAP(Categorical({vs: [n, 7], ps: [0.7, 0.3]})).val',
  ],
  entropy: ['entropy(Bernoulli({p: n / 4}))', 'entropy(Categorical({vs: [1, n]}))'],
  expectation: [
    'expectation(Bernoulli({p: n / 4}), function(v) { return v ? n : 1; })',
    'expectation(Categorical({vs: [n, 7]}))',
    'expectation(RandomInteger({n: n}))',
  ],
  kde: [],
  serializeDist: ['serializeDist(Bernoulli({p: n / 4})).length > 0 ? n : 0'],
  deserializeDist: ['deserializeDist(serializeDist(Categorical({vs: [1, 2]}))).score(n) > -10 ? 1 : 0'],
  marginalize: ['marginalize(Categorical({vs: [{a: n}, {a: 2}]}), "a").score(2)'],
  show: ['show(n).length', 'show(lists[n - 1]).length'],
  uniformDraw: ['uniformDraw([n])', 'uniformDraw([lists[n - 1]])[0]'],
  mem: ['mem(function(v) { return v * 2; })(n)', 'mem(function(v) { return v.length; })(lists[n - 1])'],
  rejection: ['rejection(function() { return n; })', 'rejection(function() { return lists[n - 1]; }).length'],
  cache: ['doubled(n)', 'doubled(2 * n)'],
  error: [],
};

/** Functions that make choices, print, read files or run inferences; what they do with values is tested where they are. */
const ELSEWHERE = [
  ...['display', 'print', 'viz', 'vizPrint', 'loadData', 'loadQMRGraph', 'flip', 'guide', 'webpplEval', 'mapData'],
  ...['gaussianDrift', 'dirichletDrift', 'uniformDrift', 'makeBetaBernoulli', 'makeDirichletDiscrete'],
  ...['posteriors', 'posteriorPredictive', 'calibrate', 'loo', 'waic', 'odeSolve', 'evidence'],
];

/** Objects of functions; each row calls one of them. */
const OBJECT_ROWS: Readonly<Record<string, readonly string[]>> = {
  numeric: [
    ...[
      'numeric.sum([n, 1])',
      'numeric._sum([n, 1])',
      'numeric.product([n, 2])',
      'numeric.fact(n)',
      'numeric.lnfact(n)',
      'numeric.logaddexp(n, 1)',
    ],
    ...[
      'numeric._logsumexp([n, 1])',
      'numeric.logsumexp([n, 1])',
      'numeric.squishToProbSimplex([n, 1])[0]',
      'numeric.LOG_PI * n',
      'numeric.LOG_2PI * n',
    ],
  ],
  T: [
    ...[
      'neg',
      'floor',
      'ceil',
      'round',
      'sqrt',
      'exp',
      'log',
      'abs',
      'sin',
      'cos',
      'tan',
      'atan',
      'sinh',
      'cosh',
      'tanh',
      'asinh',
    ].map((name) => `T.sumreduce(T.${name}(Vector([n, 1])))`),
    ...['sigmoid', 'logGamma', 'softmax', 'transpose', 'diagonal', 'isNaN', 'isFinite'].map(
      (name) => `T.sumreduce(T.${name}(Vector([n, 1])))`,
    ),
    ...['asin', 'acos', 'atanh'].map((name) => `T.sumreduce(T.${name}(Vector([n / 4, 0.1])))`),
    'T.sumreduce(T.acosh(Vector([n + 1, 2])))',
    ...['add', 'sub', 'mul', 'div', 'pow', 'min', 'max', 'atan2'].map(
      (name) => `T.sumreduce(T.${name}(Vector([n, 1]), Vector([2, n])))`,
    ),
    ...['add', 'mul'].map((name) => `T.sumreduce(T.${name}(Vector([1, 2]), n))`),
    ...[
      'T.determinant(Matrix([[n, 1], [0, 2]]))',
      'T.sumreduce(T.inverse(Matrix([[n, 1], [0, 2]])))',
      'T.sumreduce(T.cholesky(Matrix([[n, 0], [0, 2]])))',
      'T.logDet(Matrix([[n, 1], [0, 2]]))',
      'T.get(T.solve(Matrix([[n, 1], [0, 2]]), Vector([3, n])), 0)',
      'T.get(T.sumOver(Matrix([[n, 1], [5, 2]]), 0), 0)',
      'T.get(T.maxOver(Matrix([[n, 1], [5, 2]]), 1), 0)',
      'T.get(T.minOver(Matrix([[n, 3], [5, 2]]), 1), 0)',
      'T.get(T.cumsum(Vector([n, 1, n])), 2)',
      'T.get(T.cumsum(Matrix([[n, 1], [n, 2]]), 1), 3)',
      'T.get(T.gather(Vector([5, n, 7]), [2, 1]), 1)',
      'T.get(T.gather(Matrix([[5, 2], [n, 7]]), Vector([1, 0])), 0)',
      'T.get(T.outer(Vector([n, 2]), Vector([3, n])), 1)',
    ],
    ...[
      'T.sumreduce(T.dot(Matrix([[n, 1]]), Vector([2, n])))',
      'T.allreduce(Vector([n - 1, 1])) ? 1 : 0',
      'T.anyreduce(Vector([n - 1, 0])) ? 1 : 0',
      'T.get(Vector([5, 6, 7, 8]), n)',
      'T.get(Vector([n, 1]), n - 1 > 0 ? 1 : 0)',
    ],
    ...[
      'T.toScalars(Vector([n, 1]))[0]',
      'T.sumreduce(T.fromScalars([n, 1]))',
      'T.sumreduce(T.range(Vector([5, 6, 7, 8]), 0, n))',
      'T.sumreduce(T.range(Vector([n, 6, 7]), 0, 2))',
      'T.split(Vector([5, 6, 7, 8]), [n, 4 - n])[0].length',
    ],
    ...[
      'T.sumreduce(T.concat([Vector([n]), Vector([2])]))',
      'T.sumreduce(T.reshape(Vector([n, 1]), [1, 2]))',
      'dims(T.reshape(ones([6, 1]), [n, 6 / n]))[0]',
      'T.sumreduce(Vector([n, 1]))',
    ],
  ],
  util: [
    ...[
      'util.sum([n, 1])',
      'util.logsumexp([n, 1])',
      'util.serialize(n).length',
      'util.deserialize(util.serialize(n))',
      'util.isInteger(n) ? 1 : 0',
      'util.isInteger(n / 2) ? 1 : 0',
      'util.isObject({a: n}) ? 1 : 0',
      'util.isObject(n) ? 1 : 0',
    ],
    ...[
      'util.isTensor(Vector([n])) ? n : 0',
      'util.isVector(Vector([n])) ? n : 0',
      'util.isMatrix(Vector([n])) ? n : 0',
      'util.tensorEqDim0(Vector([n]), Vector([1])) ? n : 0',
      'util.tensorEqDims(zeros([n, 1]), zeros([2, 1])) ? 1 : 0',
    ],
    ...[
      'T.sumreduce(util.idMatrix(n))',
      'util.oneHot(0, n).length',
      'util.mergeDefaults({a: n}, {b: 1}).a',
      'util.asArray(n).length',
      'util.asArray(lists[n - 1]).length',
    ],
  ],
  ad: [
    ...[
      'neg',
      'plus',
      'exp',
      'log',
      'sqrt',
      'floor',
      'sigmoid',
      'logGamma',
      'abs',
      'cbrt',
      'sign',
      'trunc',
      'fround',
      'clz32',
    ].map((name) => `ad.scalar.${name}(n)`),
    ...['add', 'sub', 'mul', 'div', 'pow', 'atan2', 'min', 'max', 'hypot', 'imul'].map(
      (name) => `ad.scalar.${name}(n, 2)`,
    ),
    ...['eq', 'neq', 'peq', 'pneq', 'gt', 'lt', 'geq', 'leq'].map((name) => `ad.scalar.${name}(n, 2) ? 1 : 0`),
    ...[
      'ad.scalar.isNaN(n) ? 1 : 0',
      'ad.scalar.isFinite(n) ? n : 0',
      'ad.scalar.sum([n, 1])',
      'ad.lift(n)',
      'ad.value(n)',
      'ad.valueRec([n])[0]',
      'ad.tensor.sumreduce(Vector([n]))',
    ],
  ],
};

const COMMON = `
  var lists = [[1, 2], [2, 2, 3], [3]];
  var objects = [{a: 1}, {a: 2, c: 3}, {a: 3, b: 4}];
  var names = ['a', 'b', 'c'];
  var doubled = cache(function(v) { return v * 2; });`;

const inference = (method: string, code: string): string => `
  Infer({${method}, model: function() {
    var n = 1 + randomInteger(3);
    var b = flip(0.4);
    var v = ${code};
    return {n: n, b: b, v: v};
  }})`;

/** The parameter \`w\` moves unless v is always what it is of plain numbers. */
const optimisation = (inner: string, code: string, samples = 1): string => `
  Optimize({steps: 3, verbose: false, estimator: {ELBO: {samples: ${samples}}}, optMethod: {sgd: {stepSize: 0.1}}, model: function() {
    var body = function(d) {
      var n = 1 + sample(Discrete({ps: [0.2, 0.5, 0.3]}), {guide: Discrete({ps: [0.3, 0.3, 0.4]})});
      var b = sample(Bernoulli({p: 0.4}), {guide: Bernoulli({p: 0.5})});
      var v = ${code};
      factor((v - expected[n - 1][b ? 1 : 0]) * param({name: 'w', mu: 1, sigma: 0}));
    };
    ${inner}
  }});
  getParams().w.data[0]`;

const WAYS: Readonly<Record<string, (code: string) => string>> = {
  forward: (code) => inference("method: 'forward', samples: 9", code),
  SMC: (code) => inference("method: 'SMC', particles: 9", `(factor(0), ${code})`),
  MH: (code) => inference("method: 'MCMC', samples: 40", code),
  enumerate: (code) => inference("method: 'enumerate'", code),
  NUTS: (code) =>
    inference("method: 'MCMC', kernel: {NUTS: {}}, samples: 6, burn: 2", `(gaussian(0, 1) > 9 ? 0 : ${code})`),
  'compiled steps': (code) => optimisation('body(0);', code),
  'executions in lanes': (code) => optimisation('body(0);', code, 6),
  'data in lanes': (code) => optimisation('mapData({data: [0, 1, 2, 3, 4, 5]}, body);', code),
};

type Sample = { n: number; b: boolean; v: number };

async function check(code: string, way: string): Promise<void> {
  const table = `map(function(n) { return map(function(b) { return ${code}; }, [false, true]); }, [1, 2, 3])`;
  const { value } = await run(`${COMMON}\n${table}`, { seed: 1 });
  const expected = (value as unknown[][]).map((row) => row.map((v) => Number(v ?? Number.NaN)));
  if (expected.flat().some(Number.isNaN)) throw new Error(`${code} is no number: ${JSON.stringify(value)}`);
  const program = `${COMMON}\nvar expected = ${JSON.stringify(expected)};\n${WAYS[way](code)}`;
  const { value: found } = await run(program, { seed: 1, engine: { precision: 'double' }, warn: () => {} });
  if (typeof found === 'number') {
    expect(found).toBeCloseTo(1, 9);
    return;
  }
  const { samples, support } = found as { samples?: { value: Sample }[]; support(): Sample[] };
  for (const { n, b, v } of samples?.map((sample) => sample.value) ?? support.call(found)) {
    expect([n, b, v]).toEqual([n, b, expect.closeTo(expected[n - 1][Number(b)], 9)]);
  }
}

const library = { ...api, ...webppl };

test('every function has a row', () => {
  const functions = Object.keys(library).filter((name) => typeof library[name as keyof typeof library] === 'function');
  expect([...Object.keys(ROWS), ...ELSEWHERE].sort()).toEqual(functions.sort());
  for (const [name, rows] of Object.entries(OBJECT_ROWS)) {
    const object = library[name as keyof typeof library] as Readonly<Record<string, unknown>>;
    for (const field of Object.keys(object)) {
      if (UNCALLED.has(field) || typeof object[field] !== 'function') continue;
      expect(
        rows.some((row) => row.includes(`${name}.${field}(`)),
        `${name}.${field}`,
      ).toBe(true);
    }
  }
});

/** Functions of these objects that print, draw, stop the program, or have nothing to do with values. */
const UNCALLED: ReadonlySet<string> = new Set([
  ...['random', 'seedRNG', 'resetRNG', 'prettyJSON', 'warn', 'error', 'jsthrow', 'gensym', 'makeGensym', '__Tensor'],
  ...['runningInBrowser', 'histExpectation', 'histStd', 'histsApproximatelyEqual', 'isLifted', 'range_'],
]);

const ALL_ROWS = [...Object.values(ROWS), ...Object.values(OBJECT_ROWS)].flat();

/** With TABLE=all each row runs in every way; otherwise in a few, in turn. */
const isDue = (row: number, way: number): boolean => process.env.TABLE === 'all' || (row + way) % 7 === 0;

describe.each(Object.keys(WAYS).map((name, place) => ({ name, place })))('$name', ({ name, place }) => {
  test.each(ALL_ROWS.filter((_, row) => isDue(row, place)))('%s', async (code) => {
    await check(code, name);
  });
});
