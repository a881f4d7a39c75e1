/** Small programs with coins, mostly vectors of them, whose ELBO can be computed exactly: for rules that try values between 0 and 1. VECTOR stands for one. */
import type { SmallProgram } from './programs.ts';

const coins = (name: string, ps = 'Vector([0.4, 0.7])'): string =>
  `sample(MultivariateBernoulli({ps: ${ps}}), {guide: MultivariateBernoulli({ps: sigmoid(param({name: '${name}', dims: [2, 1]}))}), VECTOR})`;

export const VECTOR_PROGRAMS: Readonly<Record<string, SmallProgram>> = {
  'one vector': {
    code: `var model = function() {
      var x = ${coins('a')};
      observe(Gaussian({mu: T.sumreduce(T.mul(x, Vector([2, -1]))), sigma: 1}), 1.3);
    }; model`,
    params: { a: [0.3, -0.4] },
  },
  'two layers for each datum of a minibatch': {
    code: `var model = function() {
      var m = modelParam({name: 'm', dims: [2, 1]});
      mapData({data: [0.5, -0.7, 1.9], batchSize: 2}, function(y) {
        var top = sample(MultivariateBernoulli({ps: Vector([0.5, 0.5])}), {
          guide: MultivariateBernoulli({ps: sigmoid(T.mul(param({name: 'a', dims: [2, 1]}), y))}), VECTOR});
        var bottom = sample(MultivariateBernoulli({ps: sigmoid(T.add(top, m))}), {
          guide: MultivariateBernoulli({ps: sigmoid(T.add(param({name: 'b', dims: [2, 1]}), T.mul(top, y)))}), VECTOR});
        observe(Gaussian({mu: T.sumreduce(bottom), sigma: 0.8}), y);
      });
    }; model`,
    params: { m: [0.1, -0.2], a: [0.3, -0.4], b: [0.2, 0.6] },
  },
  'a branch on an element, and on another choice': {
    code: `var model = function() {
      var x = ${coins('a')};
      if (T.get(x, 0) > 0.5) {
        var y = ${coins('b', 'T.add(T.mul(x, 0.5), 0.2)')};
        factor(T.sumreduce(T.mul(y, x)));
      } else {
        var z = sample(Bernoulli({p: 0.3}), {guide: Bernoulli({p: sigmoid(param({name: 'c'}))}), gradient: 'score'});
        factor(z ? T.get(x, 1) : 0.4);
      }
    }; model`,
    params: { a: [0.3, -0.4], b: [0.5, 0.1], c: 0.2 },
  },
  recursion: {
    code: `var total = function(n, x) {
      if (n === 0) return T.sumreduce(x);
      var y = sample(MultivariateBernoulli({ps: sigmoid(T.sub(x, 0.3))}), {
        guide: MultivariateBernoulli({ps: sigmoid(T.add(T.mul(x, n), param({name: 'a', dims: [2, 1]})))}), VECTOR});
      return total(n - 1, y);
    };
    var model = function() {
      observe(Gaussian({mu: total(2, Vector([1, 0])), sigma: 1}), 0.6);
    }; model`,
    params: { a: [0.3, -0.4] },
  },
  'iterations of a map inside nested data': {
    code: `var model = function() {
      mapData({data: [[0.5], [1, -1]]}, function(row) {
        var xs = map(function(w) {
          return sample(MultivariateBernoulli({ps: Vector([0.3, 0.6])}), {
            guide: MultivariateBernoulli({ps: sigmoid(T.mul(param({name: 'a', dims: [2, 1]}), w))}), VECTOR});
        }, [1, -1]);
        mapData({data: row}, function(y) {
          observe(Gaussian({mu: T.get(xs[0], 0) - T.get(xs[1], 1), sigma: 1}), y);
        });
      });
    }; model`,
    params: { a: [0.3, -0.4] },
  },
  'between continuous choices and coins': {
    code: `var model = function() {
      var s = sample(Gaussian({mu: 0, sigma: 1}), {guide: Gaussian({mu: param({name: 'm'}), sigma: 0.5})});
      var x = sample(MultivariateBernoulli({ps: Vector([0.3, 0.6])}), {
        guide: MultivariateBernoulli({ps: sigmoid(T.add(param({name: 'a', dims: [2, 1]}), s))}), VECTOR});
      var k = sample(Bernoulli({p: 0.5}), {guide: Bernoulli({p: sigmoid(T.get(x, 0) + param({name: 'c'}))}), gradient: 'enumerate'});
      observe(Gaussian({mu: s * T.sumreduce(x) + (k ? 1 : 0), sigma: 1}), 0.8);
    }; model`,
    params: { m: 0.1, a: [0.3, -0.4], c: 0.2 },
  },
  'data of their own after a shared vector': {
    code: `var model = function() {
      var x = ${coins('a')};
      mapData({data: [0.2, 1.1]}, function(y) {
        var own = sample(MultivariateBernoulli({ps: T.add(T.mul(x, 0.3), 0.4)}), {
          guide: MultivariateBernoulli({ps: sigmoid(T.mul(param({name: 'b', dims: [2, 1]}), y))}), VECTOR});
        observe(Gaussian({mu: T.sumreduce(T.mul(own, x)), sigma: 1}), y);
      });
      factor(T.get(x, 0) * 0.5);
    }; model`,
    params: { a: [0.3, -0.4], b: [0.7, 0.2] },
  },
  'a jump between the values, selected': {
    code: `var model = function() {
      var x = ${coins('a')};
      factor((T.get(x, 0) > 0.3 ? 3 : -3) + T.get(x, 1));
    }; model`,
    params: { a: [0.3, -0.4] },
  },
  'a jump between the values, by which the program goes on': {
    code: `var model = function() {
      var x = ${coins('a')};
      if (T.get(x, 0) > 0.3) { factor(3); } else { factor(-3); }
      factor(T.get(x, 1));
    }; model`,
    params: { a: [0.3, -0.4] },
  },
  'single coins that are calculated with, negated and combined': {
    code: `var coin = function(name) {
      return sample(Bernoulli({p: 0.4}), {guide: Bernoulli({logits: param({name: name})}), VECTOR});
    };
    var model = function() {
      var x = coin('a');
      var y = coin('b');
      observe(Gaussian({mu: 2 * x + (!y ? 1.5 : x && y ? 0.5 : 0), sigma: 1}), 1.3);
      factor(x === true ? 1 : 0);
    }; model`,
    params: { a: 0.3, b: -0.4 },
  },
};
