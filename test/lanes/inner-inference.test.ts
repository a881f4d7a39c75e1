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

const ONE_BY_ONE: Readonly<Record<string, readonly [string, string]>> = {
  'that draws samples': [
    "var d = Infer({method: 'rejection', samples: 20, model() { return flip(0.5); }}); return sample(d) ? gaussian(0, 1) : 1;",
    'rejection is called',
  ],
  'without a method': [
    'var d = Infer(function() { return flip(0.5); }); return sample(d) ? gaussian(0, 1) : 1;',
    'is called',
  ],
  'that calls functions of the model': [
    "var x = gaussian(0, 1); var f = function() { return x > 0; }; return sample(Infer({method: 'enumerate', model() { return f() ? flip(0.2) : true; }}));",
    'an inner inference calls functions of the model',
  ],
  'whose inner inference draws': [
    "return sample(Infer({method: 'enumerate', model() { return sample(Infer({method: 'forward', samples: 5, model() { return flip(0.5); }})); }}));",
    'an inner inference depends on more than the variables around it',
  ],
};

test.each(Object.keys(ONE_BY_ONE))('one by one: an inner inference %s', async (name) => {
  const [body, reason] = ONE_BY_ONE[name];
  const { together, alone, how } = await both(`Infer({method: 'importance', samples: 50, model() { ${body} }})`, 1);
  expect(together).toEqual(alone);
  expect(how).toContain('one by one, because');
  expect(how).toContain(reason);
});
