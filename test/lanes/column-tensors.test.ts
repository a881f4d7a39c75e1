/** Tensors and networks of executions side by side: what they give is what they give one by one, to the last bit. */

import { describe, expect, test } from 'vitest';
import { columnEngine } from '../../src/lanes/columns/tensor-engine.ts';
import { run } from '../../src/program/index.ts';
import * as operations from '../../src/tensor/ops.ts';
import { both } from './both-ways.ts';

async function holds(code: string, seeds: readonly number[] = [1, 2]): Promise<void> {
  for (const seed of seeds) {
    const { together, alone, how } = await both(code, seed);
    expect(together, code).toEqual(alone);
    expect(how, code).toContain('side by side');
  }
}

/** Expressions of a vector v, a matrix m, a number x and a whole number k that differ, and a vector w and a matrix c that do not. */
const EXPRESSIONS = [
  ...'neg floor ceil round sqrt exp log abs sin cos tan asin acos atan sinh cosh tanh asinh acosh atanh sigmoid logGamma isNaN isFinite'
    .split(' ')
    .flatMap((name) => [`T.${name}(v)`, `T.${name}(m)`]),
  ...'add sub mul div pow min max atan2'
    .split(' ')
    .flatMap((name) => [`T.${name}(v, w)`, `T.${name}(w, v)`, `T.${name}(v, x)`, `T.${name}(w, x)`, `T.${name}(v, 2)`]),
  'T.add(m, T.transpose(v))', 'T.add(m, c)', 'T.add(c, T.transpose(v))', 'T.mul(T.fromScalars([x, 1, 2]), v)', 'T.add(v, T.fromScalars([x, 1, 2]))',
  'T.get(v, 1)', 'T.get(v, k)', 'T.get(w, k)', 'T.toScalars(v)', 'T.fromScalars([x, k, 1])', 'T.range(v, 1, 3)', 'T.range(m, 1, 4)',
  'T.split(v, [1, 2])', 'T.concat(v, w)', 'T.concat([w, v, m])', 'T.reshape(m, [3, 2])', 'T.softmax(v)', 'T.softmax(m)',
  'T.transpose(m)', 'T.diagonal(v)', 'T.sumreduce(m)', 'T.allreduce(v)', 'T.anyreduce(v)',
  'T.dot(m, v)', 'T.dot(c, v)', 'T.dot(m, w)', 'T.dot(T.transpose(v), w)', 'T.dot(m, T.transpose(c))',
  'T.inverse(T.add(T.diagonal(T.exp(v)), c3))', 'T.determinant(T.add(T.diagonal(v), c3))',
  'T.cholesky(T.diagonal(T.exp(v)))',
  'Vector([x, flip(0.5), 3])', 'Matrix([[x, 1], [2, k]])', 'Tensor([2, 1, 2], [x, 1, k, 2])', 'concat([v, w])', 'tensorToVector(m)',
  'dims(m)', 'oneHot(k, 3)', 'oneOfK(k, 4)', 'v.dims', 'v.length', 'm.rank', 'v.data[1]', 'v[0]', 'm[1]', 'v[k]', 'm[k > 0 ? 1 : 0]',
  'v.mul(w)', 'm.dot(v)', 'v.toArray()', 'm.get([1, 0])', 'v.sumreduce()', 'v.maxreduce()', 'v.clone()', 'sum(v.toFlatArray())',
  ...'sigmoid softplus tanh relu'.split(' ').flatMap((name) => [`${name}(x)`, `${name}(v)`, `${name}([x, 1, k])`]),
  'T.sumreduce(T.mul(v, w))', 'T.dot(T.transpose(v), v)', 'T.dot(v, T.transpose(v))', 'T.dot(m, T.transpose(m))', 'T.transpose(T.dot(c, v))',
  'T.add(T.dot(c, v), Vector([x, 1]))', 'T.sumreduce(Vector([-0, x === 0 ? 1 : -0]))', 'T.range(T.add(v, w), 1, 3)', 'T.split(T.neg(v), [1, 2])',
  'T.concat(T.neg(v), T.exp(v))', 'T.log(T.neg(v))', 'T.softmax(T.dot(m, v))', 'softmax([x, k / 0, 1])', 'softmax([x, -1 / 0])', 'squishToProbSimplex(T.neg(v))',
  'softmax(v)', 'softmax([x, 1, 2])', 'simplex(v)', 'squishToProbSimplex([x, k])',
  'k > 0 ? v : w', '(k > 0 ? v : T.add(v, 1)).dims', '[v, w, T.neg(v)][k]', 'k > 1 ? v : Vector([x])', 'v === v', 'v === undefined',
  'map(function(i) { return T.get(v, i) * x; }, _.range(3))', '_.isEqual(v, v)', 'v == null',
  'Discrete({ps: simplex(v)}).score(k)', 'sample(Discrete({ps: T.softmax(v)}))', 'sample(DiagCovGaussian({mu: v, sigma: T.exp(v)}))',
  'sample(Dirichlet({alpha: T.exp(v)}))', 'sample(TensorGaussian({mu: x, sigma: 1, dims: [2, 2]}))',
  'MultivariateGaussian({mu: v, cov: c3}).score(w)',
]; // biome-ignore format: a table

const GIVEN = `
  var x = gaussian(0, 1);
  var k = randomInteger(3);
  var v = Vector([x, gaussian(0.5, 0.3), k]);
  var m = Matrix([[x, 1, 2], [uniform(0, 1), -1, k]]);`;
const SHARED = `
  var w = Vector([0.5, -1, 2]);
  var c = Matrix([[1, 2, 3], [0.1, -0.2, 0.3]]);
  var c3 = Matrix([[9, 1, 0], [1, 9, 1], [0, 1, 9]]);`;

/** Whole programs of several expressions each: compiling takes most of the time. */
const chunks = Array.from({ length: Math.ceil(EXPRESSIONS.length / 30) }, (_, i) =>
  EXPRESSIONS.slice(30 * i, 30 * (i + 1)),
);

test.each(chunks.map((rows) => [rows[0], rows] as const))('expressions from %s on', async (_, rows) => {
  const each = (options: string): string =>
    rows.map((row) => `Infer({${options}, model() { ${GIVEN} return [${row}]; }}).samples`).join(',\n');
  const { together, alone, how } = await both(
    `${SHARED} var all = [${each("method: 'importance', samples: 24")}]; ({samples: all})`,
    1,
  );
  expect(together).toEqual(alone);
  expect((together as { samples: unknown[] }).samples).toHaveLength(rows.length);
  const ways = how.trim().split('\n');
  for (let i = 0; i < rows.length; i++) expect(`${rows[i]}: ${ways[i]}`).toContain('side by side');
});

const NETWORKS: Readonly<Record<string, string>> = {
  'a perceptron of earlier choices, and branches': `
    var net = nn.mlp(2, [{nOut: 4, activation: nn.tanh}, {nOut: 2}], 'net');
    Infer({$, model() {
      var a = gaussian(0, 1);
      var out = nneval(net, Vector([a, 1]));
      var b = sample(Gaussian({mu: 0, sigma: 2}), {guide: function() { return Gaussian({mu: T.get(out, 0), sigma: softplus(T.get(out, 1))}); }});
      var c = b > 0 ? sample(Bernoulli({p: 0.5}), {guide: function() {
        return Bernoulli({p: sigmoid(T.get(nneval(net, Vector([b, a])), 0))}); }}) : flip(0.2);
      observe(Gaussian({mu: c ? a : b, sigma: 1}), 0.7);
      return {a: a, b: b, c: c, out: out};
    }})`,
  'recursion with a state that a GRU carries': `
    var unit = makeGRU(3, 2, 'unit');
    var head = nn.linear(3, 2, 'head');
    var step = function(i, x, state, xs) {
      if (i === 4 || x > 1.5) { return xs; }
      var next = nneval(unit, [state, Vector([x, i])]);
      var out = nneval(head, next);
      var y = sample(Gaussian({mu: x, sigma: 1}), {guide: function() {
        return Gaussian({mu: T.get(out, 0), sigma: softplus(T.get(out, 1))}); }});
      observe(Gaussian({mu: y, sigma: 0.5}), 0.3 * i);
      return step(i + 1, y, next, append(xs, [y]));
    };
    Infer({$, model() { return step(0, 0, zeros([3, 1]), []); }})`,
  'an LSTM over data, layers in the model, attention': `
    var data = [[0.1, 1], [0.4, -1], [2, 0.5]];
    var unit = makeLSTM(4, 2, 'memory');
    var attend = function(query, keys) {
      var weights = T.softmax(Vector(map(function(key) { return T.sumreduce(T.mul(query, key)); }, keys)));
      return reduce(function(pair, total) { return T.add(total, T.mul(pair[0], pair[1])); }, zeros([2, 1]),
                    map2(function(key, w) { return [key, w]; }, keys, T.toScalars(weights)));
    };
    Infer({$, model() {
      var q = gaussian(0, 1);
      var layer = affine('first', {in: 2, out: 2});
      var norm = layerNorm('norm', {in: 2});
      var keys = map(function(d) { return norm(layer(T.mul(Vector(d), q))); }, data);
      var read = attend(Vector([q, 1]), keys);
      var state = reduce(function(d, h) { return nneval(unit, [h, T.add(Vector(d), read)]); }, zeros([4, 1]), data);
      var z = sample(RandomInteger({n: 3}), {guide: function() { return Discrete({ps: simplex(T.range(state, 0, 2))}); }});
      var e = embedding('words', {in: 3, out: 2})(z);
      observe(Gaussian({mu: T.get(e, 0) + q, sigma: 1}), 0.4);
      return [q, z, state];
    }})`,
  'networks whose inputs and outputs are used on sides, and again after them': `
    var first = nn.mlp(3, [{nOut: 5, activation: nn.sigmoid}, {nOut: 2, activation: nn.softplus}], 'first');
    var second = nn.mlp(2, [{nOut: 3, activation: nn.relu}], 'second');
    Infer({$, model() {
      var x = gaussian(0, 1);
      var far = flip(0.4);
      var input = Vector([x, far, 2]);
      var out = nneval(first, input);
      var y = far ? sample(Gaussian({mu: T.get(nneval(second, out), 1), sigma: 1}), {guide: function() {
        return Gaussian({mu: T.get(out, 0), sigma: T.get(nneval(first, T.add(input, 1)), 1)}); }}) : T.get(out, 1);
      observe(Gaussian({mu: y, sigma: 1}), 0.3);
      var z = gaussian(T.get(nneval(second, T.mul(out, y)), 0), 1);
      observe(Gaussian({mu: z, sigma: 1}), T.get(input, 1));
      return [x, far, y, z, out, input];
    }})`,
  'choices that are vectors, and functions of the program as activations': `
    var net = nn.mlp(2, [{nOut: 3, activation: function(x) { return T.mul(T.tanh(x), 2); }}, {nOut: 4, activation: nn.softmax}], 'net');
    var image = nn.sequence([nn.convolution({in: 1, out: 2, size: 2}, 'filters'), nn.relu, nn.maxpool({size: 2})]);
    Infer({$, model() {
      var v = sample(DiagCovGaussian({mu: Vector([0, 0]), sigma: Vector([1, 1])}), {guide: function() {
        return DiagCovGaussian({mu: Vector([param({name: 'm'}), 0]), sigma: Vector([1, 0.5])}); }});
      var out = nneval(net, v);
      var seen = nneval(image, T.reshape(T.concat(out, T.concat(v, Vector([1, 2, 3]))), [1, 3, 3]));
      var w = flip(0.5) ? v : T.neg(v);
      var k = sample(Discrete({ps: [0.2, 0.3, 0.1, 0.4]}), {guide: function() { return Discrete({ps: out}); }});
      observe(DiagCovGaussian({mu: w, sigma: Vector([1, 1])}), Vector([0.5, k]));
      return {w: w, k: k, seen: seen};
    }})`,
};

describe.each([
  "method: 'forward', samples: 40",
  "method: 'forward', samples: 40, guide: true",
  "method: 'importance', samples: 40",
  "method: 'importance', samples: 40, guide: true",
  "method: 'SMC', particles: 100",
  "method: 'SMC', particles: 40, rejuvSteps: 1",
])('networks, %s', (options) => {
  test.each(Object.keys(NETWORKS))('%s', async (name) => {
    await holds(NETWORKS[name].replace('$', options), [1]);
  });
});

test('what an activation of the program keeps can be read later', async () => {
  const { together, alone } = await both(
    `var net = nn.mlp(1, [{nOut: 3, activation: function(x) { globalStore.seen = x; return T.tanh(x); }}, {nOut: 1}], 'net');
    Infer({method: 'importance', samples: 30, model() {
      var out = nneval(net, Vector([gaussian(0, 1)]));
      return [out, globalStore.seen];
    }})`,
    1,
  );
  expect(together).toEqual(alone);
});

test('networks along a sequence pay for few particles too', async () => {
  const said: string[] = [];
  const code = `
    var move = nn.mlp(8, [{nOut: 16, activation: nn.tanh}, {nOut: 8}], 'move');
    var show = nn.mlp(8, [{nOut: 16, activation: nn.relu}, {nOut: 4, activation: nn.sigmoid}], 'show');
    var heard = repeat(60, function() { return Vector([1, 0, 0, 1]); });
    var last = Infer({method: 'SMC', particles: 20, model: function() {
      return foldData({data: heard, init: Vector([0, 0, 0, 0, 0, 0, 0, 0])}, function(before, now) {
        var state = sample(DiagCovGaussian({mu: nnevalModel(move, before), sigma: Vector([1, 1, 1, 1, 1, 1, 1, 1])}));
        observe(MultivariateBernoulli({ps: nnevalModel(show, state)}), now);
        return state;
      });
    }});
    last.logZ`;
  await run(code, { seed: 1, engine: { explainBatching: true }, warn: (line) => said.push(line) });
  expect(said.join('\n')).toContain('20 particles side by side');
});

test('the engine is adapted also where its namespace is frozen, as in the built command', () => {
  const frozen = Object.freeze({ ...operations });
  const engine = columnEngine(frozen);
  expect(engine.matmul).toBeTypeOf('function');
  expect(engine.matmul).not.toBe(frozen.matmul);
});
