/** Minibatches of sequences of different length: compiled steps find out in each run how long those at hand are. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openAfter } from '../../src/optimize/open-steps.ts';
import { courseOf, difference } from '../lanes/estimates.ts';

const NUMBERS =
  'var data = [[0.3, -0.2, 1.1], [0.5], [1.2, 0.4], [], [0.1, 0.2], [0.7, 0.1, -0.6, 0.2, 0.9], [0.4], [0.6]];';
const CHAIN = `var step = function(x, y, i, ahead) {
    var up = sample(Bernoulli({p: sigmoid(x)}), {guide: Bernoulli({p: sigmoid(param({name: 'u'}) * (ahead === undefined ? y : ahead))})});
    var next = sample(Gaussian({mu: up ? x + 1 : x - 1, sigma: 1}), {
      guide: Gaussian({mu: param({name: 'a'}) * x + y + (up ? 0.5 : 0), sigma: softplus(param({name: 's'}))})});
    observe(Gaussian({mu: next, sigma: softplus(modelParam({name: 'v'}))}), y);
    return next;
  };`;
const BACKWARDS = "backwards: {init: 0, fn: function(h, y) { return Math.tanh(param({name: 'back'}) * h + y); }}";

/** Products with wide matrices, by other routines for few lanes than for many. */
const NETWORKS = (units: number): string => `
  var lengths = [1, 2, 5, 2, 1, 3, 2, 1, 1, 2, 2, 1, 7];
  var data = mapIndexed(function(i, n) { return map(function(j) { return Vector([Math.sin(i + j), Math.cos(i * j + 1)]); }, _.range(n)); }, lengths);
  var net = nn.mlp(${units}, [{nOut: ${units}, activation: nn.tanh}], 'net');
  var emit = nn.linear(${units}, 2, 'emit');
  var read = nn.mlp(${units + 2}, [{nOut: ${units}, activation: nn.tanh}], 'read');
  var zero = Vector(repeat(${units}, function() { return 0; }));
  var model = function() {
    mapData({data: data, batchSize: 5}, function(sequence) {
      foldData({data: sequence, init: zero, backwards: {init: zero, fn: function(a, y) { return nneval(read, T.concat(y, a)); }}}, function(s, y, i, ahead) {
        var sigma = T.add(T.mul(s, 0), 0.5);
        var next = sample(DiagCovGaussian({mu: nnevalModel(net, s), sigma: sigma}), {guide: function() { return DiagCovGaussian({mu: T.add(s, ahead), sigma: sigma}); }});
        observe(DiagCovGaussian({mu: nnevalModel(emit, next), sigma: Vector([0.5, 0.5])}), y);
        return next;
      });
    });
  }; model`;

const PROGRAMS: Readonly<Record<string, string>> = {
  'a chain whose last state is used': `${NUMBERS} ${CHAIN}
    var model = function() {
      var start = sample(Gaussian({mu: 0, sigma: 1}), {guide: Gaussian({mu: param({name: 'm'}), sigma: 1})});
      mapData({data: data, batchSize: 3}, function(sequence) {
        observe(Gaussian({mu: foldData({data: sequence, init: start}, step), sigma: 1}), 0.7);
      });
    }; model`,
  'a pass backwards': `${NUMBERS} ${CHAIN}
    var model = function() {
      mapData({data: data, batchSize: 3}, function(sequence) { foldData({data: sequence, init: 0, ${BACKWARDS}}, step); });
    }; model`,
  'foldData of many': `${NUMBERS} ${CHAIN}
    var model = function() { foldData({data: data, init: 0.1, batchSize: 2, ${BACKWARDS}}, step); }; model`,
  'windows of sequences': `${NUMBERS} ${CHAIN}
    var model = function() { foldData({data: data, init: 0.1, batchSize: 3, window: 2}, step); }; model`,
  'a field of a datum, and another sequence of the same': `${CHAIN}
    var data = [{a: [0.2, 0.4], b: [0.1], c: 0.3}, {a: [0.1], b: [0.4, 0.2, 0.6], c: -0.5}, {a: [0.5, 0.7, 0.2], b: [], c: 0.1}, {a: [0.3], b: [0.9], c: 1}];
    var model = function() {
      mapData({data: data, batchSize: 2}, function(d) {
        var last = foldData({data: d.a, init: d.c}, step);
        foldData({data: d.b, init: last, ${BACKWARDS}}, step);
      });
    }; model`,
  'map, with choices and parameters of each item': `${NUMBERS}
    var model = function() {
      var m = sample(Gaussian({mu: 0, sigma: 1}), {guide: Gaussian({mu: param({name: 'm'}), sigma: 1})});
      mapData({data: data, batchSize: 3}, function(sequence) {
        var on = sample(Bernoulli({p: 0.4}), {guide: Bernoulli({p: sigmoid(param({name: 'u'}))})});
        map(function(y) {
          var x = sample(Gaussian({mu: on ? m : 0, sigma: 1}), {guide: Gaussian({mu: param({name: 'a'}) * y, sigma: 1})});
          observe(Gaussian({mu: x, sigma: 1}), y);
          return x;
        }, sequence);
        mapIndexed(function(i, y) {
          var k = sample(Gaussian({mu: i, sigma: 1}), {guide: Gaussian({mu: param(), sigma: 1})});
          observe(Gaussian({mu: k, sigma: 1}), y);
        }, sequence);
      });
    }; model`,
  'data within data': `${NUMBERS}
    var model = function() {
      mapData({data: data, batchSize: 3}, function(sequence) {
        var m = sample(Gaussian({mu: 0, sigma: 1}), {guide: Gaussian({mu: param({name: 'm'}), sigma: 1})});
        mapData({data: sequence}, function(y) {
          var on = sample(Bernoulli({p: 0.4}), {guide: Bernoulli({p: sigmoid(param({name: 'u'}) * y)})});
          observe(Gaussian({mu: on ? m : 0, sigma: softplus(modelParam({name: 'v'}))}), y);
        });
      });
    }; model`,
  'networks of three units': NETWORKS(3),
  'networks of seventy units': NETWORKS(70),
};

beforeEach(() => {
  openAfter.steps = 1;
});
afterEach(() => {
  openAfter.steps = 4;
});

test.each(Object.keys(PROGRAMS))('%s: compiled steps are those of one by one', async (name) => {
  const conduct = { compiled: true, steps: 12 };
  const together = await courseOf(PROGRAMS[name], { ...conduct, sequential: false });
  const alone = await courseOf(PROGRAMS[name], { ...conduct, sequential: true });
  expect(difference(together, alone)).toBeUndefined();
  expect(together.explanation).toMatch(/steps: (9|10|11) compiled/);
});

test('sums over the states of sequences are those of one by one', async () => {
  const code = `${NUMBERS} var model = function() {
    mapData({data: data, batchSize: 3}, function(sequence) {
      foldData({data: sequence, init: true}, function(on, y) {
        var next = sample(Bernoulli({p: on ? 0.8 : 0.3}), {guide: Bernoulli({p: sigmoid(param({name: 'a'}) * y + (on ? param({name: 'b'}) : 0))})});
        observe(Gaussian({mu: next ? modelParam({name: 'mu'}) : 0, sigma: 1}), y);
        return next;
      });
    });
  }; model`;
  const conduct = { compiled: true, steps: 12, options: { gradients: 'automatic' as const } };
  const together = await courseOf(code, { ...conduct, sequential: false });
  expect(difference(together, await courseOf(code, { ...conduct, sequential: true }))).toBeUndefined();
});

test('results of map that the program reads are those of one by one', async () => {
  const code = `${NUMBERS} var model = function() {
    mapData({data: data, batchSize: 3}, function(sequence) {
      var xs = map(function(y) { return sample(Gaussian({mu: y, sigma: 1}), {guide: Gaussian({mu: param({name: 'a'}), sigma: 1})}); }, sequence);
      observe(Gaussian({mu: sum(xs), sigma: 1}), xs.length);
    });
  }; model`;
  const conduct = { compiled: true, steps: 12 };
  const together = await courseOf(code, { ...conduct, sequential: false });
  expect(difference(together, await courseOf(code, { ...conduct, sequential: true }))).toBeUndefined();
});
