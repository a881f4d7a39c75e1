import { expect, test } from 'vitest';
import { both } from './both-ways.ts';

const MODELS: Readonly<Record<string, string>> = {
  'that depends on no choice': `
    var listener = function() { return Infer({method: 'enumerate', model() { var a = flip(0.3); var b = flip(a ? 0.8 : 0.1); condition(a || b); return a; }}); };
    Infer({$, model() {
      var x = gaussian(0, 1);
      factor(sample(listener()) ? x : -x);
      return x;
    }})`,
  'that depends on choices': `
    var listener = function(word, scale) {
      return Infer({method: 'enumerate', model() {
        var object = categorical({vs: ['a', 'b', 'c'], ps: [0.5, 0.3, 0.2]});
        var fits = word === 'x' ? object !== 'c' : object !== 'a';
        factor(fits ? 0 : -scale);
        return object;
      }});
    };
    Infer({$, model() {
      var word = uniformDraw(['x', 'y']);
      var scale = randomInteger(3) + 1;
      var heard = sample(listener(word, scale));
      var sure = listener(word, 1).score('a');
      observe(Gaussian({mu: heard === 'a' ? 1 : sure, sigma: 1}), 0.5);
      return [word, scale, heard, sure, gaussian(0, 1)];
    }})`,
  'of those who reason about others': `
    var literal = function(word) {
      return Infer({method: 'enumerate', model() { var n = randomInteger(3); condition(word === 'none' ? n === 0 : n > 0); return n; }});
    };
    var speaker = function(n) {
      return Infer({method: 'enumerate', model() { var word = uniformDraw(['none', 'some']); factor(2 * literal(word).score(n)); return word; }});
    };
    Infer({$, model() {
      var n = randomInteger(3);
      var m = flip(0.5) ? sample(literal('some')) : n;
      observe(speaker(m), 'some');
      return {n: n, m: m};
    }})`,
  'inside of another': `
    Infer({$, model() {
      var p = flip(0.4) ? 0.2 : 0.7;
      var n = randomInteger(2);
      var d = Infer({method: 'enumerate', model() {
        var a = flip(p);
        var inner = Infer({method: 'enumerate', model() { var b = flip(a ? p : 0.5); factor(b ? n : 0); return b; }});
        factor(inner.score(true));
        return a;
      }});
      observe(d, true);
      return [p, n, sample(d)];
    }})`,
  'that depends on numbers of a continuum': `
    var guess = function(p) { return Infer({method: 'enumerate', model() { var a = flip(p); factor(a ? p : 0); return a; }}); };
    Infer({$, model() { var p = uniform(0.1, 0.9); var d = guess(p); observe(d, true); return [p, sample(d)]; }})`,
};

test.each(Object.keys(MODELS))('an inner enumeration %s', async (name) => {
  for (const options of [
    "method: 'forward', samples: 100",
    "method: 'importance', samples: 100",
    "method: 'SMC', particles: 100",
    "method: 'SMC', particles: 60, rejuvSteps: 1",
  ]) {
    for (const seed of [1, 2]) {
      const { together, alone, how } = await both(MODELS[name].replace('$', options), seed);
      expect(together, options).toEqual(alone);
      expect(how, options).toContain('side by side');
    }
  }
});

const DRAWING: Readonly<Record<string, string>> = {
  'that draws samples': `
    Infer({$, model() {
      var d = Infer({method: 'rejection', samples: 20, model() { return flip(0.5); }});
      return sample(d) ? gaussian(expectation(d), 1) : 1;
    }})`,
  'without a method, after resampling': `
    var guess = function(p) { return Infer({samples: 10, model() { var x = flip(p) ? gaussian(0, 1) : 0; factor(-x * x); return x; }}); };
    Infer({$, model() {
      var p = uniform(0.1, 0.9);
      factor(flip(0.5) ? -4 : 0);
      var a = sample(guess(p));
      observe(Gaussian({mu: a, sigma: 0.3}), 0.5);
      return [p, a, expectation(guess(0.5))];
    }})`,
  'inside of an enumeration, with chains and particles of their own': `
    Infer({$, model() {
      var n = randomInteger(3);
      var d = Infer({method: 'enumerate', model() {
        var k = randomInteger(2) + n;
        var samples = Infer({method: 'forward', samples: 3, model() { return gaussian(k, 1); }});
        return k + expectation(samples);
      }});
      var steps = Infer({method: 'MCMC', samples: 5, model() { var x = gaussian(n, 1); factor(-x * x); return x; }});
      var particles = Infer({method: 'SMC', particles: 20, model() { var x = gaussian(n, 1); factor(-x); return x; }});
      observe(Gaussian({mu: expectation(d, function(x) { return x + n; }), sigma: 2}), 3);
      return [expectation(d), expectation(steps), particles.logZ];
    }})`,
  'in one branch, and in iterations': `
    Infer({$, model() {
      var x = gaussian(0, 1);
      var y = x > 0 ? sample(Infer({method: 'forward', samples: 4, model() { return gaussian(x, 1); }})) : flip(0.5) ? 1 : 2;
      var zs = map(function(i) {
        return sample(Infer({method: 'importance', samples: 4, model() { var z = gaussian(i, 1); factor(z); return z; }}));
      }, [1, 2]);
      observe(Gaussian({mu: y, sigma: 1}), 0.3);
      return [x, y, zs, gaussian(0, 1)];
    }})`,
};

test.each(Object.keys(DRAWING))('an inner inference %s', async (name) => {
  for (const options of [
    "method: 'forward', samples: 60",
    "method: 'SMC', particles: 60",
    "method: 'SMC', particles: 40, rejuvSteps: 1",
  ]) {
    const { together, alone, how } = await both(DRAWING[name].replace('$', options), 1);
    expect(together, options).toEqual(alone);
    expect(how, options).toMatch(/(executions|particles) side by side/);
    expect(how, options).toContain('one after the other for executions that run side by side');
  }
});

test('an inner inference that fails says so as in an execution alone', async () => {
  const code = `
    Infer({method: 'importance', samples: 50, model() {
      var p = uniform(0, 1.1);
      return sample(Infer({method: 'forward', samples: 3, model() { return flip(p); }}));
    }})`;
  const { together, alone } = await both(code, 1);
  expect(alone).toContain('p must be');
  expect(together).toEqual(alone);
});

const ONE_BY_ONE: Readonly<Record<string, readonly [string, string]>> = {
  'whose callbacks might see the order': [
    "return sample(Infer({method: 'forward', samples: 3, callbacks: [{sample: function(x) { return 0; }}], model() { return flip(0.5); }}));",
    'forward is called',
  ],
  'whose options differ': [
    "return sample(Infer({method: 'forward', samples: 1 + poisson(2), model() { return flip(0.5); }}));",
    'options of forward differ',
  ],
  'that calls functions of the model': [
    "var x = gaussian(0, 1); var f = function() { return x > 0; }; return sample(Infer({method: 'enumerate', model() { return f() ? flip(0.2) : true; }}));",
    'an inner inference calls functions of the model',
  ],
};

test.each(Object.keys(ONE_BY_ONE))('one by one: an inner inference %s', async (name) => {
  const [body, reason] = ONE_BY_ONE[name];
  const { together, alone, how } = await both(`Infer({method: 'importance', samples: 50, model() { ${body} }})`, 1);
  expect(together).toEqual(alone);
  expect(how).toContain('one by one, because');
  expect(how).toContain(reason);
});
