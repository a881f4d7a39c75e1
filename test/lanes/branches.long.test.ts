import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { fewGroups } from '../../src/lanes/together.ts';
import { openAfter } from '../../src/optimize/open-steps.ts';
import { type Conduct, courseOf, difference } from './estimates.ts';

const DATA = 'var data = [0.3, -1.2, 2.5, 0.1, 1.7, -0.4, 0.9];';
const TREE = `var tree = function(x, n) {
    var leaf = n === 4 || sample(Bernoulli({p: 0.6}), {guide: Bernoulli({p: sigmoid(param({name: 'leaf'}) * x + 0.2)})});
    if (leaf) {
      return sample(Gaussian({mu: 1, sigma: 1}), {guide: Gaussian({mu: param({name: 'a'}) * x, sigma: 0.5})});
    } else {
      var left = tree(x / 2, n + 1);
      var right = tree(x - left, n + 1);
      return left + right;
    }
  };`;
const each = (body: string): string =>
  `${DATA} var model = function() { mapData({data: data}, function(y, i) { ${body} }); }; model`;
const flip = (name: string): string =>
  `sample(Bernoulli({p: 0.5}), {guide: Bernoulli({p: sigmoid(param({name: '${name}'}) + 0.3 * y)})})`;

const normal = (name: string, of: string): string =>
  `sample(Gaussian({mu: 0, sigma: 1}), {guide: Gaussian({mu: param({name: '${name}'}) * ${of} + 0.2, sigma: 0.8})})`;

/** In all of them data disagree on conditions whose sides are functions. */
const PROGRAMS: Readonly<Record<string, string>> = {
  'trees of random shape': `${DATA} ${TREE}
    var model = function() { mapData({data: data}, function(y) { observe(Gaussian({mu: tree(y, 0), sigma: 0.5}), y); }); };
    model`,
  'returns in the middle of a function': each(`
    var f = function(x) {
      if (x > 0) { if (${flip('p')}) { return sample(Gaussian({mu: x, sigma: 1})); } factor(-0.1 * x); }
      var z = sample(Gaussian({mu: 0, sigma: 1}), {guide: Gaussian({mu: param({name: 'm'}), sigma: 1})});
      return z * 2;
    };
    observe(Gaussian({mu: f(y) + f(-y), sigma: 1}), y);`),
  'conditions within conditions': each(`
    var c = ${flip('c')};
    var x = c ? (${flip('d')} ? gaussian(1, 1) : 0.5) : (y > 0 ? gaussian(y, 2) : -1);
    var on = c && flip(0.3 + 0.1 * i);
    var off = c || flip(0.7);
    observe(Gaussian({mu: x + (on ? 1 : 0) - (off ? 0.5 : 0), sigma: 1}), y);`),
  'effects alone': each(`
    var z = sample(Gaussian({mu: 0, sigma: 1}), {guide: Gaussian({mu: param({name: 'z'}), sigma: 1}), reparam: false});
    if (z > 0.2) { factor(-z * z); if (${flip('q')}) { observe(Gaussian({mu: z, sigma: 1}), y); } }
    observe(Gaussian({mu: z, sigma: 2}), y);`),
  'values of all kinds': each(`
    var f = function(x) { if (${flip('p')}) { return {a: x, b: [gaussian(0, 1), 2], t: 'yes', v: Vector([x, 1])}; } else { return {a: 1, b: [x, x], t: 'no', v: Vector([0, x])}; } };
    var r = f(y);
    var text = y > 0 ? (${flip('q')} ? 'a' : 'b') : (flip(0.4) ? 'a' : 'c');
    observe(Gaussian({mu: r.a + r.b[0] * r.b[1] + T.sumreduce(r.v) + (r.t === 'yes' ? 1 : 0), sigma: 1}), y);
    observe(Categorical({ps: [0.2, 0.3, 0.5], vs: ['a', 'b', 'c']}), text);`),
  'iterations on a side, and sides in iterations': each(`
    var f = function(x) {
      if (${flip('p')}) {
        var zs = repeat(5, function() { return flip(0.4) ? gaussian(x, 1) : uniform(0, 1); });
        return sum(map(function(z) { if (z > 0.5) { return sample(Gaussian({mu: z, sigma: 1})); } return -z; }, zs));
      }
      mapData({data: [0.2, 0.4]}, function(w) { observe(Gaussian({mu: w, sigma: 1}), x); });
      return gaussian(0, 1);
    };
    observe(Gaussian({mu: f(y), sigma: 1}), sum(repeat(2, function() { return f(0.1); })));`),
  'choices counted differently before later iterations': each(`
    var x = ${flip('p')} ? gaussian(0, 1) + gaussian(1, 1) : 0.2;
    var zs = repeat(4, function() { return gaussian(x, 1); });
    observe(Gaussian({mu: sum(zs), sigma: 2}), y);`),
  'parameters and guides of each datum': each(`
    var x = ${flip('p')} ? sample(Gaussian({mu: 0, sigma: 1}), {guide: Gaussian({mu: param(), sigma: 1})}) : sample(Gaussian({mu: 0, sigma: 2}));
    var c = x > 0 ? sample(Bernoulli({p: 0.3})) : false;
    observe(Gaussian({mu: c ? x : x / 2, sigma: 1}), y);`),
  'the store': each(`
    globalStore.s = y;
    var note = function(x) { globalStore.s = globalStore.s + x; return x; };
    var x = ${flip('p')} ? note(gaussian(0, 1)) : 0.5;
    observe(Gaussian({mu: globalStore.s, sigma: 1}), x);`),
  'a function called by the host': each(`
    var draw = function() { return gaussian(0, 1); };
    var f = function(x) { if (${flip('p')}) { return sum(_.times(3, draw)) + sum(_.times(2, draw)); } return x; };
    observe(Gaussian({mu: f(y) + f(1), sigma: 1}), y);`),
  'fields that only those on a side have': `
    var data = [{y: 0.3, row: [0.1]}, {y: -1.2, row: [0.4, -0.2]}, {y: 0.9, row: [], z: 'none'}, {y: 1.7, row: [1, 2], z: 0.5}];
    var model = function() {
      var m = modelParam({name: 'm', mu: 0.2});
      mapData({data: data}, function(d) {
        var x = d.row.length === 2
          ? sample(Gaussian({mu: reduce(function(a, b) { return 0.5 * (a + b); }, m, d.row), sigma: 1})) : gaussian(0, 1);
        var w = d.y > 1 ? gaussian(d.z * m, 1) : m;
        observe(Gaussian({mu: x + w, sigma: 1}), d.y);
      });
    }; model`,
  'variables that sides change': each(`
    let x = 0.1; let n = 0; let kind = 'none';
    const c = ${flip('p')};
    if (c) { x = gaussian(0, 1); n++; if (x > 0) { x = x * 2; kind = 'far'; } } else { n = n + 2; }
    for (let k = 0; k < 3; k++) { if (flip(0.4)) { x += 0.5 * gaussian(1, 1); const z = x; n = z > 1 ? n + 1 : n; } }
    observe(Gaussian({mu: x + n + (kind === 'far' ? 1 : 0), sigma: 1}), y);`),
  'a store that sides write to': each(`
    globalStore.t = y;
    if (${flip('p')}) { globalStore.t = gaussian(0, 1); } else if (y > 0.5) { globalStore.t = globalStore.t * 2; }
    observe(Gaussian({mu: globalStore.t, sigma: 1}), y);`),
  minibatches: `${DATA} ${TREE} var model = function() {
      mapData({data: data, batchSize: 4}, function(y) { observe(Gaussian({mu: tree(y, 1), sigma: 0.5}), y); }); }; model`,
  'loops that data leave at different times': each(`
    let x = 0; let n = 0;
    while (n < 4 && ${flip('p')}) {
      n = n + 1;
      const z = ${normal('m', 'x')};
      if (z > 2.5) { break; }
      if (z < -1.5) { continue; }
      x = x + z;
    }
    observe(Gaussian({mu: x + 0.1 * n, sigma: 1}), y);`),
  'one of several rules': `${DATA} var model = function() {
      var walk = function(x, n) {
        var rule = n === 2 ? 0 : sample(Discrete({ps: [0.5, 0.3, 0.2]}), {
          guide: Discrete({ps: softmax(Vector([1, x * param({name: 'r'}), 0.3]))})});
        if (rule === 0) { return ${normal('a', 'x')}; }
        if (rule === 1) { return walk(x / 2, n + 1) + walk(x, n + 1); }
        factor(-0.1 * x);
        return 0.5 * walk(-x, n + 1);
      };
      mapData({data: data}, function(y) { observe(Gaussian({mu: walk(y, 0), sigma: 1}), y); }); }; model`,
  'vectors and scores on sides': `${DATA} var model = function() {
      var w = param({name: 'w', dims: [3, 2]});
      var down = function(v, n) {
        var out = T.tanh(T.dot(w, v));
        var go = n < 3 && sample(Bernoulli({p: 0.5}), {guide: Bernoulli({p: sigmoid(T.get(out, 0) + 0.4)})});
        if (!go) { return T.get(v, 0); }
        observe(Gaussian({mu: T.get(out, 1), sigma: 1}), 0.3);
        var z = sample(Gaussian({mu: 0, sigma: 1}), {guide: Gaussian({mu: T.get(out, 2), sigma: 0.7})});
        return down(T.add(v, Vector([z, 0.1])), n + 1);
      };
      mapData({data: data}, function(y) { observe(Gaussian({mu: down(Vector([y, 1]), 0), sigma: 1}), y); }); }; model`,
  'distributions of one family, and of several': `${DATA} var wide = Gaussian({mu: 0, sigma: 4}); var heavy = Cauchy({location: 0, scale: 2});
    var model = function() {
      var m = modelParam({name: 'm', mu: 0.3});
      mapData({data: data}, function(y, i) {
        var out = ${flip('p')};
        observe(out ? Gaussian({mu: 0, sigma: 3}) : Gaussian({mu: m, sigma: 0.5}), y);
        observe(out ? wide : ${flip('q')} ? heavy : Laplace({location: m, scale: 1}), y);
        var x = sample(out ? Gaussian({mu: m, sigma: 1}) : wide, {guide: Gaussian({mu: param({name: 'x'}) * y, sigma: 0.6})});
        for (const w of [0.2, -0.4]) { observe(x > 0 ? Gaussian({mu: x, sigma: 1}) : Laplace({location: m, scale: 2}), w); }
      }); }; model`,
  'functions and distributions that choices pick': `${DATA} var model = function() {
      var m = modelParam({name: 'm', mu: 0.3});
      var kinds = [function(s) { return Gaussian({mu: m, sigma: s}); }, function(s) { return Laplace({location: s, scale: 2}); }, function(s) { return Cauchy({location: m, scale: s}); }];
      var known = [Gaussian({mu: m, sigma: 1}), Gaussian({mu: -1, sigma: 2}), Gaussian({mu: 0, sigma: 5})];
      mapData({data: data}, function(y, i) {
        var z = sample(Discrete({ps: [0.3, 0.3, 0.4]}), {guide: Discrete({ps: softmax(Vector([0.2, y * param({name: 'z'}), 0]))})});
        observe(known[z], y);
        observe(kinds[z](1.5), y);
        var text = ${flip('p')} ? 'near' : y > 0 ? 'far' : ['near', 'out'][z % 2];
        var shift = {near: m, far: 2 * m, out: -1}[text];
        observe(Gaussian({mu: shift + (text === 'near' ? 0.2 : 0), sigma: 1}), 0.2);
      }); }; model`,
  'counts that no formula draws, on sides too': `${DATA} var model = function() {
      var rate = sample(Gamma({shape: 2, scale: 1}), {guide: Gamma({shape: 0.5 + softplus(param({name: 'rate'})), scale: 1}), gradient: 'score'});
      mapData({data: data}, function(y, i) {
        var k = sample(Binomial({n: 4, p: 0.3}), {guide: Binomial({n: 4, p: sigmoid(param({name: 'k'}) * y)})});
        var t = k > 1 ? sample(Geometric({p: 0.5}), {guide: Geometric({p: sigmoid(param({name: 't'}) * y + 0.3)})}) : 1;
        var n = ${flip('p')} ? sample(Poisson({mu: 2}), {guide: Poisson({mu: 0.2 + softplus(param({name: 'n'}) * y)})}) : 0;
        observe(Gaussian({mu: rate * [0, 0.3, 0.5, 1, 2][k] + 0.1 * t - 0.2 * n, sigma: 1}), y);
      }); }; model`,
  'sides in iterations over lists of several lengths': `
    var data = [{x: 0.2, row: [1.7, -0.3]}, {x: 0.6, row: [-0.6, 0.8, 1.4]}, {x: 1.6, row: [1.8]}, {x: -0.4, row: [0.9, 0.7]}];
    var model = function() {
      var walk = function(x, n) { return x > 1 || n === 3 ? x : walk(x + ${normal('m', '0.5')}, n + 1); };
      mapData({data: data}, function(d) {
        var all = map(function(r) { return sum(map(function(s) { return walk(s, 1); }, [0.2, 0.5])); }, filter(function(r) { return r > 0; }, d.row));
        observe(Gaussian({mu: sum(all), sigma: 1}), d.x);
      }); }; model`,
  'a loop on a side, which parts': each(`
    var f = function(x) {
      if (${flip('p')}) { let n = 0; while (n < 3 && flip(0.5)) { n = n + 1; } return n + gaussian(0, 1); }
      return gaussian(x, 1);
    };
    observe(Gaussian({mu: f(y), sigma: 1}), y);`),
};

/** Those of them whose steps are compiled for whoever takes a side. */
const OPEN: ReadonlySet<string> = new Set([
  'trees of random shape',
  'minibatches',
  'loops that data leave at different times',
  'one of several rules',
  'vectors and scores on sides',
  'distributions of one family, and of several',
  'functions and distributions that choices pick',
  'counts that no formula draws, on sides too',
]);

/** So many that some are recorded for whoever takes a side, and run as they were recorded. */
const STEPS = 9;

/** The first with every program, the others by turns. */
const OPTIONS: readonly (readonly [how: string, options: Conduct['options']])[] = [
  ['', {}],
  [', several samples', { samples: 3 }],
  [', without local weights', { localWeights: false, samples: 2 }],
];

describe('lanes that branch give what they give one by one', () => {
  const { most } = fewGroups;
  const { steps: executed } = openAfter;
  beforeEach(() => {
    fewGroups.most = 1;
    openAfter.steps = 1;
  });
  afterEach(() => {
    fewGroups.most = most;
    openAfter.steps = executed;
  });
  const cases = Object.entries(PROGRAMS).flatMap(([name, code], i) =>
    [OPTIONS[0], OPTIONS[1 + (i % 2)]].map(([how, options]) => ({ title: name + how, name, code, options })),
  );
  test.each(cases)('$title', async ({ name, code, options }) => {
    const apart = await courseOf(code, { sequential: true, compiled: false, steps: STEPS, options });
    const together = await courseOf(code, { sequential: false, compiled: true, steps: STEPS, options });
    expect(apart.error).toBeUndefined();
    expect(difference(apart, together), together.explanation).toBeUndefined();
    expect(together.explanation).toContain('each side of a condition');
    const compiled = /steps: [1-9]\d* compiled/.test(together.explanation);
    if (OPEN.has(name)) expect(compiled, together.explanation).toBe(true);
  });

  test('rows of several lengths are vectors on a side', async () => {
    const code = `
      var data = [{on: false, row: [1, 0, -2]}, {on: true, row: [-1, -0.9, -0.2, 0.3]}, {on: false, row: [-1.6, 0.9]}];
      var model = function() {
        var m = modelParam({name: 'm', mu: 0.2});
        mapData({data: data}, function(d) {
          var r = d.on ? {a: T.sumreduce(Vector(d.row)), b: 1} : {b: m, a: 0};
          observe(Gaussian({mu: m * r.b, sigma: 1}), r.a);
        });
      }; model`;
    const together = await courseOf(code, { sequential: false, compiled: true, steps: 3 });
    expect(difference(await courseOf(code, { sequential: true, compiled: false, steps: 3 }), together)).toBeUndefined();
  });

  test('turns of a loop are counted anew where lanes start a side of it again', async () => {
    fewGroups.most = most;
    const code = `
      var data = [[-0.3, 0.4], [0.5, -1.8, 0.9], [-0.1, -1.6], [0.1, 0.4, 0.3, -0.2]];
      var model = function() {
        var m = modelParam({name: 'm', mu: 0.2});
        mapData({data: data}, function(d, i) {
          let total = 0;
          for (let k = 0; k < i % 3; k++) {
            mapData({data: d}, function(y) { observe(Gaussian({mu: 0, sigma: 0.2 + (flip(0.4) ? 1 : tanh(m))}), y); });
            total = total + sum(map(function(y) { return y; }, d));
          }
        });
      }; model`;
    const options = { samples: 2 };
    const together = await courseOf(code, { sequential: false, compiled: true, steps: 6, options });
    const alone = await courseOf(code, { sequential: true, compiled: false, steps: 6, options });
    expect(difference(alone, together)).toBeUndefined();
  });

  test('many groups make lanes branch by themselves', async () => {
    fewGroups.most = most;
    const code = PROGRAMS['trees of random shape'].replace(DATA, `${DATA} data = data.concat(data, data);`);
    const together = await courseOf(code, { sequential: false, compiled: true, steps: 3 });
    expect(difference(await courseOf(code, { sequential: true, compiled: false, steps: 3 }), together)).toBeUndefined();
    expect(together.explanation).toMatch(/21 data side by side, each side of a condition for those that take it/);
  });
});
