/** Chains that compute their steps from a recorded execution give what they give by executing the program. */
import { describe, expect, test } from 'vitest';
import { type RunOptions, run } from '../../src/program/run.ts';
import { columnProgram } from './column-program.ts';
import { PROGRAMS } from './operated-programs.ts';

/** Programs of which a recording holds for all or most steps. */
const RECORDED: Readonly<Record<string, string>> = {
  'a regression': `
    var xs = _.range(10);
    var ys = map(function(x) { return 2 * x + 1 + (x % 3 - 1) * 0.5; }, xs);
    Infer({$, model() {
      var slope = gaussian(0, 3);
      var intercept = gaussian(0, 3);
      var sigma = gamma(2, 1);
      map2(function(x, y) { observe(Gaussian({mu: slope * x + intercept, sigma: sigma + 0.01}), y); }, xs, ys);
      return {slope: slope, all: [intercept, sigma], more: {fixed: [1, 'a']}};
    }})`,
  'parameters that depend on choices': `
    Infer({$, model() {
      var mu = laplace(0, 2);
      var tau = exponential(1);
      var groups = repeat(3, function() { return gaussian(mu, tau); });
      mapData({data: [1, 2, -1]}, function(y, i) { observe(Laplace({location: groups[i], scale: 0.5 + tau}), y); });
      var u = uniform(-tau, tau + 1);
      factor(-Math.abs(u - mu));
      return [mu, tau, groups, u];
    }})`,
  'truth values': `
    Infer({$, model() {
      var a = flip(0.3);
      var b = flip(a ? 0.9 : 0.2);
      var c = flip(0.5);
      var p = beta(2, 2);
      condition(a || b || !c);
      observe(Bernoulli({p: a && b ? p : 1 - p}), true);
      var n = (a ? 1 : 0) + (b ? 1 : 0);
      return {a: a, both: a && b, none: n === 0, n: n};
    }})`,
  'lists, objects and Maps that the model makes and changes': `
    Infer({$, model() {
      var a = gaussian(0, 1), b = gaussian(0, 1);
      var xs = [], o = {n: 0, most: -9}, m = new Map();
      for (var i = 0; i < 4; i++) {
        xs.push(a + i * b);
        o.n += a * i;
        o.most = Math.max(o.most, xs[i]);
        m.set('r' + i, xs[i] - o.n);
      }
      xs[1] = b;
      observe(Gaussian({mu: sum(xs) + o.n, sigma: 1}), 2);
      return [xs, o, m.get('r2'), m.size];
    }})`,
  'a list that the model changes after it was searched': `
    Infer({$, model() {
      var n = randomInteger(4);
      var seen = [0, 1];
      var before = seen.indexOf(n);
      seen.push(2, 3);
      factor(-0.1 * before - 0.2 * seen.indexOf(n));
      return [before, seen.indexOf(n), seen.length];
    }})`,
  'functions of Math, and others': `
    var square = function(x) { return x * x; };
    Infer({$, model() {
      var x = gaussian(0, 1);
      var y = gaussian(0, 1);
      var z = Math.exp(x) + Math.pow(y, 2) + x ** 3 + Math.max(x, y) - Math.min(x, 0) + Math.sqrt(Math.abs(y));
      var w = Math.floor(z) % 3 + Math.sigmoid(x) + Math.atan2(x, y) + Math.hypot(x, y, 1) + square(y);
      var s = sum([x, y, z]) + listMean([x, 1]) + _.sum([x, 2]) + logsumexp([x, y]) + Math.max(x, y, z);
      factor(-square(w - s) / 1000);
      observe(Gaussian({mu: 0, sigma: 10}), -z);
      return z;
    }})`,
  'families without a recorded score': `
    Infer({$, model() {
      var p = beta(2, 2);
      var k = poisson(3);
      var s = studentT({df: 3, location: p, scale: 1 + k});
      observe(Binomial({n: 10, p: p}), 7);
      observe(StudentT({df: 1 + k, location: s, scale: 2}), 1);
      observe(Categorical({ps: [p, 1 - p], vs: ['a', 'b']}), 'a');
      observe(Mixture({dists: [Gaussian({mu: s, sigma: 1}), Gaussian({mu: 0, sigma: 1 + p})], ps: [p, 1 - p]}), 0.5);
      return [p, k, s];
    }})`,
  'scores of distributions, elements, and lists': `
    var means = [-2, 0, 3];
    Infer({$, model() {
      var k = randomInteger(3);
      var x = gaussian(means[k], 1);
      var pick = [x, 2 * x, 1][k];
      var prior = Gaussian({mu: pick, sigma: 2});
      factor(prior.score(x) + Gaussian({mu: 0, sigma: 1}).score(x));
      var large = filter(function(m) { return m > -1; }, means);
      return {k: k, x: x, pick: pick, large: large.concat([x]), d: uniformDraw([1, 5, 10])};
    }})`,
  'choices that are vectors': `
    var docs = [['a', 'b', 'a'], ['c', 'a']], vocabulary = ['a', 'b', 'c'];
    Infer({$, model() {
      var topics = repeat(2, function() { return dirichlet(Vector([1, 0.5, 2])); });
      var at = multivariateGaussian({mu: Vector([0, 1]), cov: Matrix([[1, 0.5], [0.5, 2]])});
      var zs = map(function(doc) {
        var theta = dirichlet({alpha: Vector([1, 1])});
        return map(function(word) {
          var z = sample(Discrete({ps: theta}));
          observe(Categorical({vs: vocabulary, ps: topics[z]}), word);
          return z;
        }, doc);
      }, docs);
      var w = flip(0.5) ? topics[0] : topics[1];
      observe(Gaussian({mu: T.get(at, 0) * T.get(w, 1), sigma: 1 + T.sumreduce(T.exp(at))}), 1);
      factor(w.data[0] - 0.1 * at.length);
      return {zs: zs, first: T.get(topics[0], 0), all: topics, last: topics[zs[1][1]], at: at, dims: at.dims};
    }})`,
  'vectors that depend on vectors, and are counted': `
    Infer({$, model() {
      var ps = dirichlet(Vector([2, 1, 1]));
      var counts = multinomial({ps: ps, n: 6});
      var near = sample(Dirichlet({alpha: T.add(T.mul(ps, 20), 0.1)}));
      observe(Multinomial({ps: near, n: 5}), [3, 1, 1]);
      var [first, second] = counts;
      factor(first > second ? 0.1 : -0.1 * counts[2]);
      return [counts, counts[0], first === second, T.toScalars(near), near];
    }})`,
  'what functions of packages make of choices': `
    Infer({$, model() {
      var zs = repeat(5, function() { return discrete([0.2, 0.3, 0.5]); });
      var xs = repeat(4, function() { return gaussian(0, 1); });
      var counts = _.countBy(zs), most = _.max(_.values(counts)), sorted = _.sortBy(xs);
      var name = zs.join('-') + '!', label = xs[0].toFixed(1);
      observe(Gaussian({mu: most, sigma: 1}), 2);
      if (name === '0-0-0-0-0!') { factor(-1); }
      return {most: most, low: sorted[0], sorted: sorted, name: name, label: label, two: counts['2'] || 0, counts: counts};
    }})`,
  'inner enumerations': `
    var sizes = [1, 2, 3, 4];
    var literal = function(word, theta) {
      return Infer({method: 'enumerate', model() {
        var s = uniformDraw(sizes);
        condition(word === 'tall' ? s > theta : s <= theta);
        return s;
      }});
    };
    var fixed = Infer({method: 'enumerate', model() { return flip(0.3); }});
    Infer({$, model() {
      var theta = randomInteger(3) + 1, alpha = exponential(1);
      var word = uniformDraw(['tall', 'short']);
      var size = uniformDraw(sizes);
      var speaker = Infer({method: 'enumerate', model() {
        var w = uniformDraw(['tall', 'short']);
        factor(w === 'tall' ? alpha : 0);
        return w;
      }});
      var b = sample(fixed), c = sample(Enumerate(function() { return flip(0.2) || flip(0.1); }));
      factor(Math.max(-5, literal(word, theta).score(size)));
      observe(speaker, word);
      var w = sample(speaker);
      return [theta, size, word, w, b, c, Math.exp(speaker.score('tall'))];
    }})`,
  'what is remembered': `
    Infer({$, model() {
      var strength = mem(function(i) { return gaussian(i, 1); });
      observe(Gaussian({mu: strength(0) + strength(1), sigma: 1}), 2);
      observe(Gaussian({mu: strength(1) - strength(2), sigma: 1}), 1);
      return [strength(0), strength(2), strength(1)];
    }})`,
  'drift kernels': `
    Infer({$, model() {
      var width = exponential(1);
      var x = sample(Gaussian({mu: 0, sigma: 3}), {driftKernel: function(old) {
        return Gaussian({mu: old, sigma: 0.1 + width});
      }});
      var y = gaussianDrift({mu: 0, sigma: 2, width: 0.3});
      var z = uniformDrift({a: 0, b: 1});
      var n = sample(Poisson({mu: 3}), {driftKernel: function(old) { return Poisson({mu: old + 1}); }});
      var w = sample(Exponential({a: 1}), {driftKernel: function(old) { return Gaussian({mu: old, sigma: 1}); }});
      observe(Gaussian({mu: x + y + n, sigma: 0.5 + z}), w < 4 ? 4 : 3);
      return [width, x, y, z, n, w];
    }})`,
  'what the program looks at': `
    Infer({$, model() {
      var x = poisson(0.1);
      var y = gaussian(0, 1);
      observe(Gaussian({mu: x, sigma: 0.1}), 0);
      return 'x' + x + (y > -3 ? 'y' : 'z');
    }})`,
  'conditions that fail': `
    Infer({$, model() {
      var x = gaussian(0, 1);
      condition(x > 0);
      var y = gaussian(0, x);
      observe(Gaussian({mu: y, sigma: x}), 0.3);
      return y;
    }})`,
};

/** What an inference found, or the error it ended with. */
async function found(code: string, options: RunOptions): Promise<unknown> {
  try {
    const { value } = await run(code, options);
    const { samples, diagnostics } = value as Record<string, unknown>;
    return { samples, diagnostics };
  } catch (thrown) {
    return (thrown as Error).message;
  }
}

async function both(code: string, seed: number) {
  const said: string[] = [];
  const warned: string[] = [];
  const recorded = await found(code, {
    seed,
    engine: { explainBatching: true },
    warn: (message) => said.push(message),
  });
  const executed = await found(code, { seed, engine: { sequential: true }, warn: (message) => warned.push(message) });
  const how = said.filter((message) => message.startsWith('How'));
  expect(said.filter((message) => !message.startsWith('How'))).toEqual(warned);
  return { recorded, executed, how: how.join('\n') };
}

const CHAIN = "method: 'MCMC', samples: 300, burn: 20, lag: 1";

test.each(Object.keys(RECORDED))('%s', async (name) => {
  for (const seed of [1, 2]) {
    const { recorded, executed, how } = await both(RECORDED[name].replace('$', CHAIN), seed);
    expect(recorded).toEqual(executed);
    expect(how).toMatch(/steps compute what was recorded of an execution\.$/);
  }
});

/** Conditions of which neither side makes a choice: one recording holds for both. */
const BOTH_SIDES: Readonly<Record<string, string>> = {
  'variables, objects, Maps and scores that sides change': `
    Infer({$, model() {
      var p = beta(2, 2), n = 0, most = -1, xs = [0, 0, 0], o = {k: 1, all: 0}, m = new Map([['a', 0]]);
      for (var i = 0; i < 12; i++) {
        var here = flip(p);
        if (here) { n++; xs[i % 3] += i; o.k *= 2; m.set('a', m.get('a') + p); } else { most = i; o.all += p; }
        if (here && n > 3) { observe(Bernoulli({p: p}), true); factor(-0.1 * n); }
        observe(Gaussian({mu: here ? o.all : xs[1], sigma: 1 + o.k / 100}), i / 4);
      }
      return [n, most, xs, o, m.get('a')];
    }})`,
  'functions that remember, and distributions on either side': `
    Infer({$, model() {
      var strength = mem(function(who) { return gaussian(0, 1); });
      ['a', 'b', 'c'].forEach(strength);
      var pull = function(who) { return flip(0.3) ? strength(who) / 2 : strength(who); };
      var wins = 0;
      map2(function(a, b) {
        var isFar = flip(0.2), first = pull(a), second = pull(b);
        observe(isFar ? Laplace({location: strength(a), scale: 2}) : Gaussian({mu: second, sigma: 1}), 0.4);
        var near = flip(0.5);
        observe(near ? Gaussian({mu: first, sigma: 1}) : Gaussian({mu: 0, sigma: 1 + wins}), 0.5);
        if (pull(a) > pull(b)) { wins += 1; }
      }, ['a', 'b', 'c', 'a'], ['b', 'c', 'a', 'c']);
      return {wins: wins, a: strength('a')};
    }})`,
  'sides that would fail, or not end, where they are not taken': `
    var fall = function(x) { return x === 0 ? 0 : 1 + fall(x - 1); };
    Infer({$, model() {
      var xs = [1, 2, 3], found = 0;
      var flips = repeat(10, function() { return flip(0.4); });
      var at = randomInteger(3), there = flip(0.5), s = gaussian(0, 1);
      if (there) { while (xs[found] !== 2) { found++; } }
      var before = at > 0 ? xs[at - 1] : 9;
      var depth = there ? fall(at) : 7;
      var spread = s > 0.5 ? Gaussian({mu: 0, sigma: s}) : Gaussian({mu: 1, sigma: 1});
      observe(spread, 0.3 * before);
      if (s > 0) { condition(before > 0); factor(-s); } else if (flips[3]) { found = -1; }
      return [found, before, depth, flips.filter(function(f) { return f; }).length];
    }})`,
  'early returns, and variables of functions around': `
    Infer({$, model() {
      var seen = 0, note = function() { seen++; };
      var grade = function(x, strict) {
        if (strict && x < 0) { return -1; }
        var y = x * 2;
        if (y > 1) { return y; }
        return strict ? x : 0;
      };
      var all = repeat(8, function() { return grade(gaussian(0, 1), flip(0.5)); });
      if (all[0] > all[1]) { note(); }
      observe(Gaussian({mu: sum(all), sigma: 1}), 2);
      return [sum(all), seen];
    }})`,
};

test.each(Object.keys(BOTH_SIDES))('both sides are recorded: %s', async (name) => {
  for (const seed of [1, 2, 3]) {
    const { recorded, executed, how } = await both(
      BOTH_SIDES[name].replace('$', "method: 'MCMC', samples: 1500"),
      seed,
    );
    expect(recorded).toEqual(executed);
    expect(how).toContain('steps compute what was recorded of an execution.');
  }
});

test('a recording of both sides holds for the whole chain', async () => {
  for (const name of Object.keys(BOTH_SIDES).slice(0, 2)) {
    const { how } = await both(BOTH_SIDES[name].replace('$', "method: 'MCMC', samples: 3000"), 1);
    expect(how).not.toContain('it often goes another way');
  }
});

test('several chains, the most probable execution', async () => {
  const code = RECORDED['a regression'].replace('$', "method: 'MCMC', samples: 600, chains: 2, onlyMAP: true");
  const { recorded, executed, how } = await both(code, 7);
  expect(recorded).toEqual(executed);
  expect(how).toContain('steps compute');
});

test.each(Object.keys(PROGRAMS))('any control flow: %s', async (name) => {
  for (const seed of [1, 2]) {
    const { recorded, executed } = await both(PROGRAMS[name].replace('$', CHAIN), seed);
    expect(recorded).toEqual(executed);
  }
});

describe('random programs', () => {
  test.each([0, 1])('from number %d00 on', async (hundred) => {
    let steps = 0;
    for (let number = 100 * hundred; number < 100 * hundred + 20; number++) {
      const code = columnProgram(number).replace('$', "method: 'MCMC', samples: 500");
      const { recorded, executed, how } = await both(code, number);
      expect(recorded, `program ${number}:\n${code}`).toEqual(executed);
      if (how.includes('steps compute')) steps++;
    }
    expect(steps).toBeGreaterThan(5);
  });
});

/** Programs that are executed in each step, and why. */
const EXECUTED: Readonly<Record<string, readonly [string, string]>> = {
  'an inner inference that draws': [
    "var d = Infer({method: 'forward', samples: 3, model() { return flip(0.5); }}); return gaussian(0, 1) + (sample(d) ? 1 : 0);",
    'forward is called',
  ],
  'an inner inference that calls functions of the model': [
    `var x = gaussian(0, 1); var f = function() { return flip(x > 0 ? 0.3 : 0.6); };
     var d = Infer({method: 'enumerate', model() { return f(); }}); return x + (sample(d) ? 1 : 0);`,
    'an inner inference calls functions of the model',
  ],
  'an object that depends on choices, looked at as a whole': [
    'return {..._.countBy([poisson(1)]), a: 1};',
    'looked at as a whole',
  ],
  'a function as the result': [
    'var x = gaussian(0, 1); return function() { return x; };',
    'the model returns a function',
  ],
  'something shown': ['var x = gaussian(0, 1); display(x > 9); return x;', 'display is called'],
  'what is remembered by what a choice gave': [
    `var f = mem(function(i) { return gaussian(i, 1); });
     return f(poisson(2)) + f(1) + sum(repeat(20, function() { return gaussian(0, 1); }));`,
    'mem is given what depends on choices',
  ],
  'draws of its own': [
    'var x = gaussian(0, 1); return x + Gaussian({mu: 0, sigma: 1}).sample();',
    'depend on more than their choices',
  ],
};

test.each(Object.keys(EXECUTED))('each step executes the model: %s', async (name) => {
  const [body, reason] = EXECUTED[name];
  const { recorded, executed, how } = await both(`Infer({${CHAIN}, model() { ${body} }})`, 1);
  if (name === 'a function as the result') expect(typeof recorded).toBe(typeof executed);
  else expect(recorded).toEqual(executed);
  expect(how).toContain('each step executes the model, because');
  expect(how).toContain(reason);
});

test.each([
  'v > 0.5 ? Gaussian({mu: 1, sigma: 1}) : Uniform({a: 0, b: 1})',
  '[Gaussian({mu: 1, sigma: 1}), Uniform({a: 0, b: 1})][k]',
])('a value is not taken over from a distribution of another family: %s', async (several) => {
  const code = `
    Infer({method: 'MCMC', samples: 500, model() {
      var v = gaussian(0, 1);
      var k = randomInteger(2);
      return [v, k, sample(${several})];
    }})`;
  for (const seed of [1, 3]) {
    const { recorded, executed } = await both(code, seed);
    expect(recorded).toEqual(executed);
  }
});

test('a program that often goes another way', async () => {
  const code = `
    var count = function(n) { return n > 0 ? 1 + count(n - 1) : 0; };
    Infer({method: 'MCMC', samples: 1000, model() {
      var n = poisson(3);
      var m = count(n);
      observe(Gaussian({mu: m, sigma: 0.1}), 3);
      return m;
    }})`;
  const { recorded, executed, how } = await both(code, 1);
  expect(recorded).toEqual(executed);
  expect(how).toContain('because it often goes another way');
});

test('an error has its place in the program', async () => {
  const code = `
    Infer({method: 'MCMC', samples: 5000, model() {
      var x = gaussian(5, 1.5);
      return gaussian(0, x);
    }})`;
  const { recorded, executed, how } = await both(code, 1);
  expect(how).toContain('steps compute');
  expect(recorded).toEqual(executed);
  expect(recorded).toContain('Gaussian: sigma must be');
  expect(recorded).toContain('program.wppl:4:');
});

test('a program that often makes other choices is not recorded', async () => {
  const code = `
    var grow = function() { return flip(0.6) ? 1 + grow() : gaussian(0, 1); };
    Infer({method: 'MCMC', samples: 1000, model() {
      var x = grow();
      observe(Gaussian({mu: x, sigma: 1}), 2);
      return x;
    }})`;
  const { recorded, executed, how } = await both(code, 1);
  expect(recorded).toEqual(executed);
  expect(how).toContain('because it often goes another way');
  expect(how).not.toContain('steps compute');
});
