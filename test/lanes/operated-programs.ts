/** Programs for texts in which operators are functions of values that are no plain numbers; `$` stands for the method and its options. */
export const PROGRAMS: Readonly<Record<string, string>> = {
  'numbers and truth values': `
    Infer({$, model() {
      var rain = flip(0.3);
      var sprinkler = rain ? flip(0.1) : flip(0.5);
      var depth = gaussian(rain ? 2 : 0, 1);
      observe(Gaussian({mu: depth, sigma: 2}), 1.5);
      return depth + (sprinkler ? 1 : 0);
    }})`,
  'a hidden Markov model of numbers': `
    var data = map(function(i) { return Math.sin(i / 3) * 2; }, _.range(12));
    var step = function(i, state) {
      if (i === data.length) {
        return state;
      }
      var next = gaussian(state, 0.5);
      observe(Gaussian({mu: next, sigma: 0.7}), data[i]);
      return step(i + 1, next);
    };
    Infer({$, model() { return step(0, gaussian(0, 1)); }})`,
  'a hidden Markov model of states, with their history': `
    var data = [true, true, false, true, false, false];
    var transition = function(s) { return s ? flip(0.7) : flip(0.3); };
    var step = function(i, states) {
      if (i === data.length) { return states; }
      var next = transition(states[states.length - 1]);
      observe(Bernoulli({p: next ? 0.9 : 0.1}), data[i]);
      return step(i + 1, states.concat([next]));
    };
    Infer({$, model() { return step(0, [flip(0.5)]); }})`,
  'the same family on either side': `
    Infer({$, model() {
      var a = flip(0.4);
      var b = a ? flip(0.2) : flip(0.9);
      var x = b ? gaussian(0, 1) : gaussian(a ? 3 : -3, 0.5);
      var y = x > 0 ? (a ? uniform(0, 1) : uniform(x, x + 2)) : uniform(x - 2, x);
      var z = a ? gaussian(y, 1) : (b ? gaussian(x, 2) : gaussian(0, 2));
      var n = b ? poisson(2) : poisson(x > 0 ? 1 : 3);
      observe(Bernoulli({p: b ? 0.7 : 0.4}), true);
      var c = flip(a ? (b ? 0.1 : 0.3) : 0.6) ? flip(0.5) : flip(Math.abs(Math.sin(x)));
      observe(Gaussian({mu: a ? 1 : 2, sigma: b ? 1 : 2}), z);
      return {x: x, y: y, z: z, n: n, c: c, d: c ? flip(0.3) : gaussian(0, 1)};
    }})`,
  'choices on sides that others never take': `
    var spread = function(x) { return x > 0 ? gaussian(0, x) : gaussian(0, 1 - x); };
    var shifted = function(o) { return o.there ? flip(o.place.p) : flip(0.2); };
    Infer({$, model() {
      var x = gaussian(0, 1);
      var y = spread(x);
      observe(Gaussian({mu: y, sigma: 1}), 0.5);
      var z = flip(0.5) ? shifted({there: flip(0.5), place: {p: 0.7}}) : shifted({there: false});
      return [y, spread(y - 1), z];
    }})`,
  'numbers that are one of two, before and after factors': `
    Infer({$, model() {
      var a = flip(0.5);
      var p = a ? 0.2 : 0.7;
      var q = a ? 1 : 2;
      var unused = gaussian(0, 1);
      factor(a ? 0 : -4);
      var b = flip(p);
      observe(Gaussian({mu: q, sigma: 0.2}), b ? 1.2 : 2);
      var c = flip(a ? p : 0.5);
      var x = gaussian(q, q);
      factor(-3 * x * x);
      var d = flip(p);
      observe(Bernoulli({p: b ? 0.01 : p}), true);
      return [p, q, b, c, d, x, unused, flip(p), gaussian(unused, q)];
    }})`,
  'factors that some do not survive': `
    Infer({$, model() {
      var x = gaussian(0, 1);
      observe(Uniform({a: x - 1, b: x + 1}), 0.3);
      var y = gaussian(x, 1);
      factor(y > 2 ? -Infinity : y / 3);
      factor(0.5);
      observe(Gaussian({mu: y, sigma: 1}), x);
      var z = flip(0.5);
      condition(z || y > -1);
      return [x, y, z];
    }})`,
  conditions: `
    Infer({$, model() {
      var a = gaussian(0, 1);
      var b = gaussian(a, 1);
      var c = flip(b > 0 ? 0.8 : 0.2);
      condition(c || a + b > 2);
      var d = gaussian(b, 1);
      factor(c ? d : -d);
      return {a: a, both: [b, c], d: d};
    }})`,
  'observations on either side': `
    Infer({$, model() {
      var a = flip(0.4);
      var x = gaussian(0, 1);
      if (a) {
        observe(Gaussian({mu: x, sigma: 1}), 2);
      } else {
        observe(Gaussian({mu: x, sigma: 0.1}), -1);
      }
      var y = gaussian(x, 1);
      observe(Gaussian({mu: y, sigma: 0.3}), 0.3);
      return [a, y];
    }})`,
  'recursion to different depths': `
    var geometric = function(p) { return flip(p) ? 1 : 1 + geometric(p); };
    Infer({$, model() {
      var n = geometric(0.3);
      var m = geometric(0.6);
      observe(Gaussian({mu: n + m, sigma: 1}), 5);
      return n * m;
    }})`,
  'mapped choices': `
    Infer({$, model() {
      var xs = map(function(i) { return gaussian(i, 1); }, [1, 2, 3]);
      var ys = repeat(2, function() { return flip(0.2); });
      var zs = mapData({data: [0.5, 1.5, 2.5]}, function(y, i) {
        observe(Gaussian({mu: xs[i], sigma: 1}), y);
        return uniform(0, 2) + y;
      });
      return {s: sum(xs), ys: ys, zs: zs, top: reduce(function(x, m) { return Math.max(x, m); }, 0, xs)};
    }})`,
  'families without a loop of their own': `
    Infer({$, model() {
      var k = poisson(3);
      var p = beta(1 + k, 2);
      var c = categorical({ps: [0.2, 0.3, 0.5], vs: ['a', 'b', 'c']});
      var d = discrete([p, 1 - p, 0.1]);
      var g = gamma(c === 'a' ? 1 : 2, 1);
      var w = uniformDraw([1, 5, 10]);
      observe(Binomial({n: 10, p: p}), 7);
      observe(Categorical({ps: [p, 1 - p], vs: [true, false]}), true);
      return [k, c, d, g, w];
    }})`,
  'distributions that differ': `
    Infer({$, model() {
      var heavy = flip(0.5);
      var prior = heavy ? Gaussian({mu: 0, sigma: 3}) : Laplace({location: 1, scale: 1});
      var x = sample(prior);
      var y = sample(heavy ? Gaussian({mu: x, sigma: 1}) : Gaussian({mu: 0, sigma: 0.5}));
      factor(prior.score(y));
      return x + y;
    }})`,
  'functions and objects that differ': `
    var double = function(x) { return 2 * x; };
    var shift = function(x) { return x + gaussian(0, 1); };
    Infer({$, model() {
      var c = flip(0.5);
      var f = c ? double : shift;
      var o = c ? {name: 'left', at: 1} : {name: 'right', at: uniform(0, 1)};
      var x = f(o.at);
      factor(o.name === 'left' ? -x : x - 1);
      return [o.name, x, o];
    }})`,
  'lane-varying indices and tensors': `
    var means = [-2, 0, 3];
    Infer({$, model() {
      var k = randomInteger(3);
      var v = Vector([gaussian(0, 1), means[k]]);
      var t = T.get(T.mul(v, 2), 1);
      observe(Gaussian({mu: t, sigma: 1}), 1);
      var pick = [gaussian(0, 1), gaussian(5, 1), 1][k];
      return [k, t, pick, -k, k % 2, Math.pow(k, 2), !k];
    }})`,
  'early returns': `
    var f = function(x) {
      if (x < 0) { return 'negative'; }
      var y = gaussian(x, 1);
      if (y > 1) {
        if (flip(0.5)) { return 'large'; }
        observe(Gaussian({mu: y, sigma: 1}), 2);
      } else if (y > 0.5) {
        return 'middling';
      }
      return 'small';
    };
    Infer({$, model() { return f(gaussian(0.5, 1)); }})`,
  'variables that inner functions change': `
    var wander = function(start, n) {
      let x = start;
      let steps = 0;
      map(function(i) { x = x + gaussian(0, 1); steps++; }, _.range(n));
      const more = function(k) { if (k > 0) { x += uniform(0, 1); more(k - 1); } };
      more(2);
      return {x: x, steps: steps};
    };
    Infer({$, model() {
      let total = 0;
      mapIndexed(function(i, y) { total += i * gaussian(y, 1); }, [0.5, 1, -1]);
      factor(-total * total / 10);
      var end = wander(total, 3);
      observe(Gaussian({mu: end.x, sigma: 2}), 1);
      var other = flip(0.5) ? wander(end.x, 2).x : 0;
      return [total, end, other];
    }})`,
  'several lists, neighbours, fields and what is left of a list': `
    var xs = [1, 2, 3, 4];
    var ys = [0.5, 2, 2.5, 5];
    Infer({$, model() {
      var slope = gaussian(1, 1);
      var zs = map2(function(x, y) { var z = gaussian(slope * x, 1); observe(Gaussian({mu: z, sigma: 1}), y); return z; }, xs, ys);
      var steps = mapPairs(function(a, b) { return b - a + (flip(0.2) ? 1 : 0); }, zs);
      var fields = mapObject(function(key, x) { return gaussian(x, key === 'a' ? 1 : 2); }, {a: slope, b: 2});
      var large = filter(function(x) { return x > 2; }, xs);
      factor(-Math.abs(sum(steps)) / 10);
      return {slope: slope, steps: steps, fields: fields, count: large.length};
    }})`,
};
