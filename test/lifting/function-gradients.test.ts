/**
 * Gradients through every numeric function that a program may call, against differences of what it gives on plain numbers.
 * One that is not recorded would have no gradient, and an optimisation would stand still without a word.
 */
import { describe, expect, test } from 'vitest';
import { run } from '../../src/program/run.ts';

/** Expressions in `x`, a number around 0.7 that gradients are wanted of; by where their functions come from. */
const EXPRESSIONS: Readonly<Record<string, readonly string[]>> = {
  operators: ['+x', '-x', '+(x * 2) * 3', 'Number(x)', 'Number(x) * x', '(+x) ** 2'],
  lodash: [
    ...['_.sum([x, 2 * x, 3])', '_.mean([x, 4, x * x])', '_.sumBy([x, 2], function(v) { return v * v; })'],
    ...[
      '_.meanBy([x, 2], function(v) { return v * v; })',
      "_.sumBy([{a: x}, {a: 2}], 'a')",
      "_.meanBy([{a: x}, {a: x * x}], 'a')",
    ],
    ...['_.max([x, 0.1])', '_.min([x, 3])', '_.maxBy([x, -0.2], function(v) { return v * v; })'],
    ...[
      '_.minBy([x, -2], function(v) { return v * v; })',
      "_.maxBy([{a: x}, {a: 0.2}], 'a').a",
      '_.add(x, 2 * x)',
      '_.multiply(x, x)',
    ],
    ...[
      '_.subtract(3, x)',
      '_.divide(1, x)',
      '_.clamp(x, 0.1, 2)',
      '_.clamp(x, 2)',
      '_.clamp(3, x)',
      '_.clamp(x, 1, 2) + x',
    ],
    ...[
      '_.last([1, x]) * x',
      '_.reduce([x, 2], function(a, b) { return a * b; }, 1)',
      '_.zipWith([x], [2], function(a, b) { return a * b; })[0]',
    ],
    ...['_.toNumber(x)', '_.inRange(x, 1) ? x : 0', '_.floor(x) + x', '_.round(x, 1) + 2 * x', '_.ceil(x) * x'],
    ...[
      '_.cloneDeep({a: x}).a',
      '_.clone([x])[0]',
      '_.toArray({a: x})[0]',
      "_.get({a: x}, 'a')",
      '_.sortBy([x, 0.1])[1]',
      '_.sum([])+x',
    ],
    ...[
      '_.last(_.orderBy([x, 0.1]))',
      '_.flow([function(v) { return v * v; }])(x)',
      '_.times(2, function(i) { return i * x; })[1]',
    ],
    ...['_.map([x], Math.exp)[0]', '_.nth([x], 0)'],
    ...[
      "_.invoke({f: Math.exp}, 'f', x)",
      "_.invoke({a: [{f: function(v) { return v * v; }}]}, 'a[0].f', x)",
      '_.chain([x]).map(Math.exp).head().value()',
      '_.chain([x, 2]).sum().value()',
      '_.chain([2]).push(x).map(function(v) { return v * x; }).reverse().value()[0]',
      '_.meanBy([1, 2], function(v) { return v * x; })',
      '_.maxBy([1, 2], function(v) { return v * x; }) * x',
    ],
  ],
  collections: [
    '[...new Set([x])][0] * x',
    '(function() { var s = new Set(); s.add(x); s.add(x * x); var t = 0; s.forEach(function(v) { t += v * v; }); return t; })()',
    'Array.from(new Set([x, x, 2])).length * x',
    '(new Set([x]).has(x) ? 1 : 0) * x',
    '[...new Set(new Set([x, 3]))][0]',
    '[...new Map([[x, 2]]).keys()][0] * x',
    'new Map([[2, x]]).get(2) * x',
    '[...new Map([[x, x]])][0][0]',
  ],
  'special functions': [
    ...['Phi(x)', 'erf(x)', 'lgamma(x)', 'digamma(x)', 'logit(x)', 'Phi([x, 1])[0]', 'sum(map(lgamma, [x, 2 * x]))'],
    ...[
      'mean([x, 2, x * x])',
      'variance([x, 2, 5])',
      'stdev([x, 2])',
      'median([x, 2, 5, 0.1])',
      'quantile([x, 2], 0.3)',
    ],
  ],
  axes: [
    'T.get(T.sumOver(Matrix([[x, 1], [x * x, 2]]), 0), 0)',
    'T.get(T.maxOver(Matrix([[x, 0.1], [0.2, 2]]), 1), 0)',
    'T.get(T.minOver(Matrix([[x, 3], [0.2, 2]]), 1), 0)',
    'T.get(T.cumsum(Vector([x, 1, x * x])), 2)',
    'T.get(T.gather(Vector([5, x, 7]), [2, 1]), 1)',
    'T.sumreduce(T.outer(Vector([x, 2]), Vector([3, x])))',
    'T.logDet(Matrix([[x, 1], [0.3, 2]]))',
    'T.sumreduce(T.solve(Matrix([[x, 1], [0.3, 2]]), Vector([3, x])))',
    'T.sumreduce(T.cholesky(Matrix([[2, x], [x, 1]])))',
  ],
  Math: [
    ...[
      'Math.exp(x)',
      'Math.log(x)',
      'Math.sqrt(x)',
      'Math.cbrt(x)',
      'Math.pow(x, 3)',
      'Math.hypot(x, 2)',
      'Math.atan2(x, 2)',
    ],
    ...['Math.max(x, 0.1, 0.2)', 'Math.min(x, 3, 4)', 'Math.sigmoid(x)', 'Math.log1p(x)', 'Math.expm1(x)'],
    ...[
      'Math.abs(-x)',
      'Math.max(...[x, 0.2])',
      'Math.max.apply(null, [x, 0.2])',
      '[x].map(Math.exp)[0]',
      'map(Math.exp, [x])[0]',
    ],
    ...[
      '(Math.floor(x * 11) | 0) + x',
      '~~x + x',
      '(x | 0) + 2 * x',
      '(x >> 1) + x',
      '(x >>> 0) + x',
      'Math.imul(x, 3) + x',
      'Math.clz32(x) * x',
    ],
  ],
  numeric: [
    ...[
      'numeric.logaddexp(x, 2)',
      'numeric.sum([x, 2 * x])',
      'numeric._sum([x, x])',
      'numeric.product([x, x])',
      'numeric.logsumexp([x, 1])',
    ],
    ...[
      'numeric._logsumexp([x, 1])',
      'numeric.squishToProbSimplex([x, 1])[0]',
      'numeric.squishToProbSimplex(Vector([x, 1])).data[0]',
    ],
    ...[
      'util.logsumexp([x, 1])',
      'util.sum([x, x * x])',
      'T.get(util.idMatrix(2), 0) * x',
      'util.asArray(x)[0]',
      'util.mergeDefaults({a: x}, {b: 1}).a',
    ],
  ],
  ad: [
    ...[
      'ad.scalar.exp(x)',
      'ad.scalar.log(x)',
      'ad.scalar.neg(x)',
      'ad.scalar.add(x, 2 * x)',
      'ad.scalar.sub(1, x)',
      'ad.scalar.mul(x, x)',
    ],
    ...[
      'ad.scalar.div(1, x)',
      'ad.scalar.plus(x)',
      'ad.scalar.pow(x, 3)',
      'ad.scalar.sqrt(x)',
      'ad.scalar.sum([x, x])',
      'ad.scalar.sigmoid(x)',
    ],
    ...[
      'ad.scalar.logGamma(x)',
      'ad.scalar.max(x, 0.1)',
      'ad.scalar.atan2(x, 1)',
      'ad.lift(x)',
      '(ad.scalar.gt(x, 0.1) ? x : 0)',
    ],
    ...[
      '(ad.scalar.eq(x, x) ? x : 0)',
      '(ad.scalar.isNaN(x) ? 0 : x)',
      '(ad.scalar.isFinite(x) ? x : 0)',
      '(ad.scalar.peq(x, 1) ? 0 : x)',
    ],
    ...[
      'ad.tensor.get(ad.tensor.exp(Vector([x])), 0)',
      'ad.tensor.sumreduce(ad.tensor.mul(Vector([x, 2]), 3))',
      'ad.value(2) * x',
      'ad.valueRec([2])[0] * x',
    ],
  ],
  lists: [
    ...[
      'sum([x, 2])',
      'product([x, x])',
      'listMean([x, 2])',
      'listVar([x, 2])',
      'listStdev([x, 2, 3])',
      'listVar([x, 2], x)',
    ],
    ...[
      'mean([x, 2])',
      'variance([x, 2, 5])',
      'stdev([x, 2, 4])',
      'median([x, 0.1, 3])',
      'median([x, 0.1])',
      'quantile([x, 0.1, 3], 0.6)',
    ],
    ...[
      'quantile([1, 2, 3], x)',
      'quantile([x, 1, 2], [0.1, 0.7])[0]',
      'logsumexp([x, 1])',
      'normalize([x, 1])[0]',
      'softmax([x, 1])[0]',
    ],
    ...[
      'correlation([x, 2, 3], [1, 5, 2])',
      'credibleInterval([x, 1, 2], 0.5).lower',
      'sort([x, 0.1])[1]',
      'maxWith(function(v) { return v * v; }, [x, 0.1])[1]',
    ],
    ...[
      'minWith(function(v) { return v * v; }, [x, 2])[1]',
      'scan(function(a, b) { return a + b; }, 0, [x, x])[2]',
      'reduce(function(a, b) { return a * b; }, 1, [x, x])',
    ],
    ...[
      'sigmoid(x)',
      'softplus(x)',
      'tanh(x)',
      'relu(x)',
      'sigmoid([x])[0]',
      'squishToProbSimplex([x])[0]',
      'simplex([x])[0]',
    ],
    ...[
      'first([x])',
      'second(cons(1, [x]))',
      'last(unique([1, x]))',
      'remove(1, [1, x])[0]',
      'flatten([[x]])[0]',
      'extend({a: x}, {b: 1}).a',
      'range(x, 2, 0.5)[1]',
    ],
    ...[
      'sum(range(x, 3))',
      'sum(mapN(function(i) { return i * x; }, 3))',
      'sum(repeat(2, function() { return x; }))',
      'foldl(function(a, b) { return a + b; }, x, [x])',
    ],
    ...[
      'apply(function(v) { return v * v; }, [x])',
      'compose(Math.exp, Math.sin)(x)',
      'stack([Math.exp, Math.sin])(x)',
      'sum(map2(function(a, b) { return a * b; }, [x], [x]))',
    ],
    ...[
      'sortOn([x, 2], function(v) { return -v; })[1]',
      'mapObject(function(k, v) { return v * v; }, {a: x}).a',
      'groupBy(function(a, b) { return a === b; }, [x, 2])[0][0]',
    ],
  ],
  tensors: [
    ...[
      'T.sumreduce(Vector([x, x * x]))',
      'T.get(Vector([x]), 0)',
      'T.get(ones([2, 1]), 0) * x',
      'T.determinant(Matrix([[x, 1], [0, 2]]))',
      'T.toScalars(T.exp(Vector([x])))[0]',
    ],
    ...[
      'T.sumreduce(T.logGamma(Vector([x])))',
      'T.sumreduce(T.floor(Vector([x]))) + x',
      'T.get(T.softmax(Vector([x, 1])), 0)',
      'T.get(T.concat([Vector([x]), Vector([1])]), 0)',
    ],
    ...[
      'Vector([x, 1]).sumreduce()',
      'Vector([x, 1]).data[0]',
      'Vector([x, 2]).toArray()[0][0]',
      'Vector([x]).mul(3).data[0]',
      'Vector([x, 2]).reshape([1, 2]).data[0]',
    ],
    ...[
      'T.allreduce(Vector([1])) ? x : 0',
      'T.get(T.inverse(Matrix([[x, 0], [0, 1]])), 0)',
      'T.get(T.dot(Matrix([[x, 1]]), Vector([x, 2])), 0)',
      'T.get(T.diagonal(Vector([x])), 0)',
    ],
    ...[
      'T.get(T.reshape(Vector([x, 1]), [1, 2]), 0)',
      'Vector([x, 1])[0]',
      'T.get(T.max(Vector([x]), 0.1), 0)',
      'T.get(T.transpose(Matrix([[x, 2]])), 0)',
      'Vector([x, 2]).length * x',
    ],
  ],
  distributions: [
    ...[
      'entropy(Bernoulli({p: x}))',
      'Bernoulli({p: x}).entropy()',
      'Bernoulli({p: x}).mean()',
      'Bernoulli({p: x}).variance()',
      'mean(Bernoulli({p: x}))',
    ],
    ...[
      'entropy(Gaussian({mu: 0, sigma: x}))',
      'Gaussian({mu: x, sigma: 2}).mean()',
      'Gaussian({mu: x, sigma: x}).variance()',
      'Gaussian({mu: x, sigma: 2}).cdf(1)',
    ],
    ...[
      'Gaussian({mu: x, sigma: x}).quantile(0.3)',
      'mean(Gamma({shape: x, scale: 2}))',
      'variance(Beta({a: x, b: 2}))',
      'stdev(Gaussian({mu: 0, sigma: x}))',
    ],
    ...[
      'Gaussian({mu: 0, sigma: 1}).cdf(x)',
      'Gaussian({mu: 0, sigma: 1}).quantile(x)',
      'quantile(Gaussian({mu: x, sigma: 1}), 0.3)',
      'median(Gaussian({mu: x, sigma: 1}))',
    ],
    ...[
      'entropy(Categorical({vs: [1, 2], ps: [x, 1]}))',
      'mean(Categorical({vs: [1, 2], ps: [x, 1]}))',
      'variance(Categorical({vs: [1, 2], ps: [x, 1]}))',
      'MAP(Categorical({vs: [1, 2], ps: [x, 0.1]})).score',
    ],
    ...[
      'MAP(Bernoulli({p: x})).score',
      'Bernoulli({p: x}).MAP().score',
      'expectation(Bernoulli({p: x}), function(b) { return b ? 3 : 1; })',
      'expectation(Gaussian({mu: x, sigma: 1}))',
      'expectation(Binomial({p: x, n: 3}))',
    ],
    ...[
      'entropy(Discrete({ps: [x, 1, 2]}))',
      'Discrete({ps: [x, 1, 2]}).mean()',
      'variance(Discrete({ps: [x, 1, 2]}))',
      'Discrete({ps: Vector([x, 1, 2])}).entropy()',
      'Gamma({shape: x, scale: 2}).quantile(0.3)',
      'Gamma({shape: 2, scale: 2}).quantile(x)',
      'InverseGamma({shape: x, scale: 1}).quantile(x)',
      'Beta({a: 2, b: 3}).quantile(x)',
      'expectation(Discrete({ps: [x, 1, 2]}))',
      'Discrete({ps: [x, 1, 2]}).score(1)',
      'Exponential({a: x}).cdf(2)',
      'Exponential({a: x}).quantile(0.2)',
      'Exponential({a: x}).mean()',
    ],
    ...[
      'Uniform({a: 0, b: x}).cdf(0.2)',
      'Poisson({mu: x}).cdf(2)',
      'Poisson({mu: x}).mean()',
      'Binomial({p: x, n: 4}).entropy()',
      'entropy(Binomial({p: x, n: 4}))',
      'Binomial({p: x, n: 4}).cdf(2)',
      'Beta({a: 2, b: 3}).cdf(x)',
    ],
    ...[
      'Gamma({shape: 2, scale: 1}).cdf(x)',
      'credibleInterval(Gaussian({mu: x, sigma: 2}), 0.9).lower',
      'Laplace({location: x, scale: 1}).cdf(0.2)',
      'dists.clone(Gaussian({mu: x, sigma: 1})).score(0.2)',
      'Gaussian({mu: x, sigma: 1}).params.mu',
    ],
    ...[
      'entropy(Infer({method: "enumerate", model: function() { return flip(x); }}))',
      'mean(Infer({method: "enumerate", model: function() { return flip(x); }}))',
      'variance(Infer({method: "enumerate", model: function() { return flip(x); }}))',
    ],
    ...[
      'Infer({method: "enumerate", model: function() { return flip(x); }}).score(true)',
      'MAP(Infer({method: "enumerate", model: function() { return flip(x); }})).score',
      'Infer({method: "enumerate", model: function() { return flip(x); }}).mean()',
    ],
    ...[
      'Infer({method: "enumerate", model: function() { return flip(x); }}).toJSON().probs[0]',
      'Bernoulli({p: x}).toJSON().probs[0]',
      'Mixture({dists: [Gaussian({mu: 0, sigma: 1}), Gaussian({mu: x, sigma: 1})], ps: [x, 1]}).score(0.2)',
    ],
    ...[
      'mean(Mixture({dists: [Gaussian({mu: 0, sigma: 1}), Gaussian({mu: x, sigma: 1})], ps: [x, 1]}))',
      'Infer({method: "enumerate", model: function() { return flip(x) ? 1 : 3; }}).getDist()["1"].prob',
      'expectation(Infer({method: "enumerate", model: function() { return flip(x) ? 1 : 3; }}))',
    ],
    ...[
      'median(Infer({method: "enumerate", model: function() { return flip(0.6) ? x : 3; }}))',
      'Infer({method: "enumerate", model: function() { return flip(0.4) ? x : 3; }}).support()[0] * x',
      'stdev(Infer({method: "enumerate", model: function() { return flip(0.4) ? x : 3; }}))',
    ],
    ...[
      'Bernoulli({p: x}).score(true)',
      'marginalize(Infer({method: "enumerate", model: function() { return {a: flip(x)}; }}), "a").score(true)',

      'Gaussian({mu: x, sigma: 1}).transform(0.3)',
    ],
  ],
  'the host': [
    'x.valueOf()',
    'new Map([["a", x]]).get("a")',
    'map(Number, [x])[0]',
    '[x].map(Number)[0]',
    ...[
      '[x, 2].reduce(function(a, b) { return a + b; }, 0)',
      '[[x]].flat()[0]',
      'Object.values({a: x})[0]',
      'Object.assign({}, {a: x}).a',
    ],
    ...[
      'Array.from([x])[0]',
      'Array.of(x)[0]',
      '[x, 0.1].sort(function(a, b) { return a - b; })[1]',
      'structuredClone({a: 2}).a * x',
      '({a: x, ...{b: 1}}).a',
      'JSON.parse(JSON.stringify([2]))[0] * x',
    ],
    ...[
      'Object.entries({a: x})[0][1]',
      'Math.max.call(null, x, 0.1)',
      '[0.1, x].at(-1)',
      '[1].concat(x)[1]',
      'Object.fromEntries([["a", x]]).a',
      '(function() { return arguments[0]; })(x)',
    ],
    ...[
      'Object.freeze({a: x}).a',
      'Reflect.get({a: x}, "a")',
      '[1].fill(x)[0]',
      'Array(2).fill(x)[1]',
      '[3, x].findLast(function(v) { return v > 0; })',
      '(function(...a) { return a[0]; })(x)',
      '(x, x * 2)',
      'void 0 ?? x',
      '[...[x]][0]',
    ],
  ],
};

const AT = 0.7;
const H = 1e-5;
const DATA = [0, 0.013, -0.021];

const slope = (code: string, at: number): string =>
  `(function() { var f = function(x) { return ${code}; }; return (f(${at + H}) - f(${at - H})) / ${2 * H}; })()`;

type Way = 'one by one' | 'side by side';

/** Steps so small that all have the same gradient: the later ones are compiled. */
const STEPS = 4;
const STEP_SIZE = 1e-7;

async function gradientOf(code: string, way: Way, said: string[]): Promise<number> {
  const factor = `var f = function(x) { return ${code}; };`;
  const body =
    way === 'one by one'
      ? `factor(f(param({name: 'x', mu: ${AT}, sigma: 0})))`
      : `mapData({data: ${JSON.stringify(DATA)}}, function(d) { factor(f(param({name: 'x', mu: ${AT}, sigma: 0}) + d)); })`;
  const program = `${factor}
    Optimize({steps: ${STEPS}, verbose: false, optMethod: {sgd: {stepSize: ${STEP_SIZE}}}, model: function() { ${body}; }});
    getParams().x`;
  const engine = { sequential: way === 'one by one', precision: 'double' as const };
  const { value } = await run(program, { seed: 1, engine, warn: (message) => said.push(message) });
  const [end] = (value as { data: Float64Array }).data;
  return (end - AT) / STEPS / STEP_SIZE;
}

describe.each(Object.keys(EXPRESSIONS))('%s', (kind) => {
  test.each(EXPRESSIONS[kind])('%s', async (code) => {
    const { value } = await run(`[${[0, ...DATA].map((d) => slope(code, AT + d)).join(', ')}]`, { seed: 1 });
    const [alone, ...each] = value as number[];
    const total = each.reduce((a, b) => a + b);
    const said: string[] = [];
    const gradient = await gradientOf(code, 'one by one', said);
    const together = await gradientOf(code, 'side by side', said);
    expect({ code, warned: said }).toEqual({ code, warned: [] });
    expect(Math.abs(gradient - alone) / (1 + Math.abs(alone)), `${gradient} for ${alone}`).toBeLessThan(1e-4);
    expect(Math.abs(together - total) / (1 + Math.abs(total)), `${together} for ${total}`).toBeLessThan(1e-4);
  });
});

/** Where gradients end that a program may count on. */
const LOST = ['_.sample([x])', 'Float64Array.from([x])[0]', 'summary([x, 2]).mean'];

test.each(LOST)('%s has no gradient, and says so', async (code) => {
  const said: string[] = [];
  await gradientOf(code, 'one by one', said);
  expect(said.join('\n')).toMatch(/^program\.wppl:\d+:\d+: no gradient passes through /);
});

test('nothing is said where the program says that no gradient is wanted, or there is none', async () => {
  const said: string[] = [];
  for (const code of ['Float64Array.from([ad.value(x)])[0] + x', 'Float64Array.from([Math.floor(3 * x)])[0] + x']) {
    await gradientOf(code, 'one by one', said);
  }
  expect(said).toEqual([]);
});
