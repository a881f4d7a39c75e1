/** Constructs that do not keep executions from running side by side. */
import { expect, test } from 'vitest';
import { both } from './both-ways.ts';

const MODELS: Readonly<Record<string, string>> = {
  'repeating something a number of times that differs': `
    Infer({$, model() {
      var degree = uniformDraw([0, 1, 2]);
      var weights = repeat(degree + 1, function() { return gaussian(0, 2); });
      observe(Gaussian({mu: sum(weights), sigma: 1}), 1);
      return {degree: degree, last: weights[degree]};
    }})`,
  'putting lists in order': `
    Infer({$, model() {
      var xs = repeat(5, function() { return gaussian(0, 1); });
      var sorted = sort(xs);
      factor(-Math.abs(sorted[2]));
      var names = sort(['b', 'c', 'a'], gt);
      var far = argMax(function(x) { return x * x; }, [1, -3, 2]);
      return [sort(xs, gt)[0], sorted[0], names, far, argMax(xs), sortOn(['xx', 'y'], function(s) { return s.length; })];
    }})`,
  'functions made of functions': `
    var twice = function(x) { return 2 * x; };
    Infer({$, model() {
      var k = gaussian(0, 1);
      var both = compose(twice, function(x) { return x + k; });
      var y = apply(gaussian, [both(1), 1]);
      factor(-y * y);
      return both(y);
    }})`,
  'copies of objects': `
    Infer({$, model() {
      var a = {x: gaussian(0, 1), y: 'b'};
      var b = Object.assign({}, a, {z: flip(0.5)});
      var c = _.defaults({x: 1}, b);
      factor(b.z ? b.x : 0);
      return [b.x, b.y, c.x, c.z];
    }})`,
  expectations: `
    Infer({$, model() {
      var p = uniform(0.1, 0.9);
      var k = gaussian(0, 1);
      var d = Infer({method: 'enumerate', model() { return flip(p) ? 1 : 2; }});
      var plain = Categorical({ps: [0.2, 0.8], vs: [3, 5]});
      var of = function(x) { return x * k; };
      observe(Gaussian({mu: expectation(d), sigma: 1}), 1.5);
      return [expectation(d, of), expectation(plain, of), expectation(plain), expectation(d, function(x) { return x > 1; })];
    }})`,
  'a model with a name inside of a function, given functions': `
    var means = function(word, object) { return word === object || object === 'any'; };
    var listener = function(word, meaning) {
      var model = function() {
        var object = uniformDraw(['a', 'b', 'any']);
        condition(meaning(word, object));
        return object;
      };
      return Infer({method: 'enumerate', model: model});
    };
    Infer({$, model() {
      var word = uniformDraw(['a', 'b']);
      observe(listener(word, means), 'any');
      return [word, sample(listener(word, means))];
    }})`,
  'fields and methods of text': `
    Infer({$, model() {
      var w = uniformDraw(['a', 'abc', 'bcd', 'xyzzy']);
      observe(Gaussian({mu: w.length, sigma: 1}), 2);
      var first = w.charAt(0);
      return [w.length * 2, first, first === 'a' ? w.slice(1) : w.toUpperCase(), w.indexOf('b')];
    }})`,
  'functions that change things at top level': `
    var seen = [];
    var count = 0;
    var note = function(x) { seen.push(x); count = count + 1; };
    [1, 2, 3].forEach(function(x) { note(x); seen.push(-x); });
    var squares = function(xs) { var out = []; xs.forEach(function(x) { out.push(x * x); }); return out; };
    var data = squares(seen);
    Infer({$, model() {
      var m = gaussian(0, 3);
      map(function(y) { observe(Gaussian({mu: m, sigma: 3}), y); }, data);
      return m + count;
    }})`,
};

test.each(Object.keys(MODELS))('%s', async (name) => {
  for (const options of ["method: 'importance', samples: 100", "method: 'SMC', particles: 80, rejuvSteps: 1"]) {
    const { together, alone, how } = await both(MODELS[name].replace('$', options), 1);
    expect(together, options).toEqual(alone);
    expect(how, options).toMatch(/(executions|particles) side by side/);
  }
});

/** What keeps them from it, and where. */
const NOISY: Readonly<Record<string, readonly [string, string]>> = {
  'a function that a model may call': [
    'var log = [];\nvar note = function(x) { log.push(x); };\nvar keep = note;\nInfer({$, model() { return flip(0.5); }})',
    'functions of the program change what others see (program.wppl:2:26)',
  ],
  'a function that a model calls': [
    'var n = 0;\nvar next = function() { n = n + 1; return n; };\nInfer({$, model() { return next() + gaussian(0, 1); }})',
    'functions of the program change what others see (program.wppl:2:25)',
  ],
  'a method of its own': [
    'var n = [];\nvar o = {forEach: function(f) { return f; }};\nvar f = o.forEach(function(x) { n.push(x); });\nInfer({$, model() { f(1); return n.length; }})',
    'functions of the program change what others see (program.wppl:3:',
  ],
  'a field that makes a choice when it is read': [
    'Infer({$, model() { var o = {get a() { return gaussian(0, 1); }}; return [o.a, flip(0.5) ? o.a : 1, o.a]; }})',
    'reading a field makes choices (program.wppl:1:',
  ],
  'another name': [
    'var draw = gaussian;\nInfer({$, model() { return draw(0, 1); }})',
    'a function of the library is given another name (program.wppl:1:12)',
  ],
};

test.each(Object.keys(NOISY))('one by one: %s', async (name) => {
  const [code, reason] = NOISY[name];
  const { together, alone, how } = await both(code.replace('$', "method: 'forward', samples: 50"), 1);
  expect(together).toEqual(alone);
  expect(how).toContain(`one by one, because ${reason}`);
});
