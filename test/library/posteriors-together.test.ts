/** `posteriors` runs the samples of all data as one. Each datum's result is what it is alone, to the last bit. */
import { expect, test } from 'vitest';
import { meter } from '../../src/lanes/columns/meter.ts';
import { run } from '../../src/program/run.ts';

/** What a program gives, and how its inferences ran. */
async function told(code: string, sequential: boolean): Promise<{ value: unknown; ways: readonly string[] }> {
  const ways: string[] = [];
  const engine = { sequential, explainBatching: true };
  meter.isPatient = true;
  try {
    const { value } = await run(code, { seed: 3, file: 'program.wppl', warn: (text) => ways.push(text), engine });
    return { value, ways };
  } finally {
    meter.isPatient = false;
  }
}

/** Models by what is special about them. Each has its data in `data`. */
const MODELS: Readonly<Record<string, string>> = {
  'numbers, a network as guide': `
    var data = [-1, 0.5, 2];
    var net = nn.mlp(1, [{nOut: 2}], 'net');
    var body = function(y) {
      var x = sample(Gaussian({mu: 0, sigma: 1}), {guide: function() {
        return Gaussian({mu: T.get(nneval(net, Vector([y])), 0) / 4 + 0.3 * y, sigma: 1});
      }});
      observe(Gaussian({mu: x, sigma: 1}), y);
      return x;
    };`,
  'lists of objects, choices for each item': `
    var data = _.range(5).map(function(k) { return _.range(4).map(function(i) { return {x: i - 1.5, y: Math.sin(i + 3 * k)}; }); });
    var doubt = nn.mlp(2, [{nOut: 3, activation: nn.tanh}, {nOut: 1}], 'doubt');
    var body = function(points) {
      var a = sample(Gaussian({mu: 0, sigma: 2}), {guide: function() { return Gaussian({mu: points[0].y, sigma: 1.5}); }});
      var wrong = map(function(p) {
        var error = p.y - a * p.x;
        var outlier = sample(Bernoulli({p: 0.1}), {guide: function() {
          return Bernoulli({p: sigmoid(T.get(nneval(doubt, Vector([error, error * error])), 0))});
        }});
        observe(Gaussian({mu: a * p.x, sigma: outlier ? 5 : 0.3}), p.y);
        return outlier;
      }, points);
      return {a: a, wrong: wrong};
    };`,
  'lists of different lengths': `
    var data = [[1], [0.5, 2, -1], [2, 2], [0.1], [1, 2, 3]];
    var body = function(ys) {
      var m = sample(Gaussian({mu: 0, sigma: 2}), {guide: function() { return Gaussian({mu: _.mean(ys), sigma: 1}); }});
      map(function(y) { observe(Gaussian({mu: m, sigma: 1}), y); }, ys);
      return m;
    };`,
  tensors: `
    var data = _.range(4).map(function(k) { return Vector([k, k / 2, 1 - k]); });
    var net = nn.mlp(3, [{nOut: 4, activation: nn.tanh}, {nOut: 2}], 'enc');
    var body = function(v) {
      var out = nneval(net, v);
      var z = sample(Gaussian({mu: 0, sigma: 1}), {guide: function() { return Gaussian({mu: T.get(out, 0), sigma: softplus(T.get(out, 1))}); }});
      observe(Gaussian({mu: z, sigma: 0.7}), T.get(v, 0));
      observe(Gaussian({mu: T.sumreduce(T.mul(v, z)), sigma: 2}), 1);
      return [z, T.get(T.add(v, 1), 2)];
    };`,
  'parameters of each datum, named after their place': `
    var data = [3, -2, 0.5];
    var body = function(y, i) {
      var x = sample(Gaussian({mu: 0, sigma: 1}), {guide: function() { return Gaussian({mu: y / 2 + param(), sigma: softplus(param({mu: 1}))}); }});
      observe(Gaussian({mu: x + i / 10, sigma: 1}), y);
      return x;
    };`,
  'automatic guides that have been learned': `
    var data = [3, -2, 0.5];
    var body = function(y) {
      var s = sample(Gamma({shape: 2, scale: 1}));
      var x = sample(Gaussian({mu: 0, sigma: 1}));
      observe(Gaussian({mu: x, sigma: s}), y);
      return x * s;
    };
    var train = function(model) { Optimize(model, {steps: 3, verbose: false}); };`,
  'automatic guides that are networks of the datum': `
    var data = [3, -2, 0.5, 1];
    var body = function(y) {
      var x = sample(Gaussian({mu: 0, sigma: 1}));
      observe(Gaussian({mu: x, sigma: 1}), y);
      return x;
    };
    var train = function(model) { Optimize(model, {steps: 3, autoGuide: 'network', verbose: false}); };`,
  'text, booleans and missing values': `
    var data = [{kind: 'a', seen: true}, {kind: 'b', seen: false, y: 1}, {kind: 'a', seen: true, y: 2}];
    var body = function(d) {
      var k = sample(Categorical({vs: ['a', 'b', 'c']}), {guide: function() { return Categorical({vs: ['a', 'b', 'c'], ps: d.kind === 'a' ? [0.6, 0.2, 0.2] : [0.2, 0.6, 0.2]}); }});
      factor(k === d.kind ? 0 : -1);
      if (d.y !== undefined) { observe(Gaussian({mu: k === 'c' ? 2 : 0, sigma: 1}), d.y); }
      return k + (d.seen ? '!' : '?');
    };`,
  'recursion, and conditions that end executions': `
    var data = [0, 1, 2, 1];
    var count = function(n) { return n === 4 || flip(0.6) ? n : count(n + 1); };
    var body = function(least) {
      var c = count(0);
      condition(c >= least);
      var g = gaussian(c, 1);
      observe(Gaussian({mu: g, sigma: 1}), least);
      return c;
    };`,
  'choices that data share': `
    var data = [1, 2, 4];
    var shared = function() { return sample(Gaussian({mu: 0, sigma: 1}), {guide: function() { return Gaussian({mu: 2, sigma: 0.1}); }}); };
    var body = function(y, i, s) {
      var x = gaussian(s, 1);
      observe(Gaussian({mu: x, sigma: 1}), y);
      return x - s + i;
    };`,
  'a mapData inside': `
    var data = [[1, 2], [3, 4], [0, 1]];
    var body = function(ys) {
      var m = gaussian(0, 1);
      var zs = mapData({data: ys}, function(y) {
        var z = sample(Gaussian({mu: m, sigma: 1}), {guide: function() { return Gaussian({mu: y / 2, sigma: 1}); }});
        observe(Gaussian({mu: z, sigma: 1}), y);
        return z;
      });
      return [m, zs];
    };`,
  'one side of a condition that depends on the datum': `
    var data = [-1, 1, 2, -3];
    var body = function(y) {
      if (y > 0) {
        var a = sample(Gaussian({mu: 0, sigma: 1}), {guide: function() { return Gaussian({mu: y, sigma: 1}); }});
        observe(Gaussian({mu: a, sigma: 1}), y);
        return a;
      }
      return flip(0.3) ? 'yes' : y;
    };`,
};

const METHODS = ['importance', 'forward', 'SMC'];

/** Numbers as far as they are the same however steps of an optimisation are summed. */
const rounded = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value, (_, part) => (typeof part === 'number' ? Number(part.toPrecision(9)) : part)));

test.each(Object.keys(MODELS))('%s', async (name) => {
  const model = MODELS[name];
  const asked = METHODS.map((method) => `all(posteriors(model, {samples: 20, method: '${method}'})), gaussian(0, 1)`);
  const code = `
    ${model}
    ${model.includes('var shared') ? '' : 'var shared = function() { return 0; };'}
    var model = function() {
      var s = shared();
      return mapData({data: data}, function(d, i) { return body(d, i, s); });
    };
    ${model.includes('var train') ? 'train(model);' : ''}
    var all = function(ps) { return ps.map(function(p) { return [p.samples, p.weights, p.logZ, p.diagnostics]; }); };
    [${asked.join(', ')}]`;
  const together = await told(code, false);
  const alone = await told(code, true);
  if (model.includes('var train')) expect(rounded(together.value)).toEqual(rounded(alone.value));
  else expect(together.value).toEqual(alone.value);
  const ways = together.ways.filter((way) => / data with 20 (executions|particles) each side by side/.test(way));
  expect(ways).toHaveLength(3);
});
