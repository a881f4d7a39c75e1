/** Small programs whose ELBO can be computed exactly, with the parameters at which gradients are compared. */
export interface SmallProgram {
  readonly code: string;
  readonly params: Readonly<Record<string, number | readonly number[]>>;
}

const GAUSSIAN = "Gaussian({mu: param({name: 'm'}), sigma: softplus(param({name: 's'}))})";
const bernoulli = (name: string): string => `Bernoulli({p: sigmoid(param({name: '${name}'}))})`;

export const SMALL_PROGRAMS: Readonly<Record<string, SmallProgram>> = {
  'one continuous choice': {
    code: `var model = function() {
      var x = sample(Gaussian({mu: 0, sigma: 1}), {guide: ${GAUSSIAN}});
      observe(Gaussian({mu: x, sigma: 0.5}), 1);
    }; model`,
    params: { m: 0.3, s: -0.2 },
  },
  'one continuous choice, its reparameterisation hidden': {
    code: `var model = function() {
      var x = sample(Gaussian({mu: 0, sigma: 1}), {guide: ${GAUSSIAN}, reparam: false});
      observe(Gaussian({mu: x, sigma: 0.8}), 1);
    }; model`,
    params: { m: 0.3, s: 0.4 },
  },
  'one discrete choice': {
    code: `var model = function() {
      var x = sample(Bernoulli({p: 0.75}), {guide: ${bernoulli('a')}});
      observe(Gaussian({mu: x ? 2 : 0, sigma: 1}), 0.5);
    }; model`,
    params: { a: 0.4 },
  },
  'a discrete choice of three, then one that depends on it': {
    code: `var model = function() {
      var k = sample(Discrete({ps: [0.2, 0.3, 0.5]}), {guide: Discrete({ps: simplex(param({name: 'v', dims: [2, 1]}))})});
      var x = sample(Bernoulli({p: 0.2 + 0.3 * k}), {guide: Bernoulli({p: sigmoid(param({name: 'a'}) * k)})});
      factor(x ? k : -k * k);
    }; model`,
    params: { v: [0.5, -0.3], a: 0.7 },
  },
  'continuous after discrete': {
    code: `var model = function() {
      var k = sample(Bernoulli({p: 0.3}), {guide: ${bernoulli('a')}});
      var x = sample(Gaussian({mu: k ? 1 : -1, sigma: 1}), {
        guide: Gaussian({mu: param({name: 'm'}) + (k ? 0.5 : 0), sigma: softplus(param({name: 's'}))})});
      observe(Gaussian({mu: x, sigma: 1}), 0.7);
    }; model`,
    params: { a: -0.2, m: 0.1, s: 0.2 },
  },
  'discrete after continuous': {
    code: `var model = function() {
      var x = sample(Gaussian({mu: 0, sigma: 1}), {guide: ${GAUSSIAN}});
      var k = sample(Bernoulli({p: sigmoid(x)}), {guide: Bernoulli({p: sigmoid(x * param({name: 'w'}))})});
      observe(Gaussian({mu: k ? x : -x, sigma: 1}), 0.6);
    }; model`,
    params: { m: 0.2, s: -0.5, w: 0.8 },
  },
  'continuous choices with bounds': {
    code: `var model = function() {
      var p = sample(Beta({a: 2, b: 3}), {guide: LogitNormal({mu: param({name: 'm'}), sigma: softplus(param({name: 's'})), a: 0, b: 1})});
      var r = sample(Gamma({shape: 2, scale: 1}), {guide: IspNormal({mu: param({name: 'n'}), sigma: 0.7})});
      observe(Bernoulli({p: p}), true);
      observe(Gaussian({mu: r, sigma: 1}), 1.5);
    }; model`,
    params: { m: 0.2, s: 0.1, n: 0.8 },
  },
  'a parameter of the model': {
    code: `var model = function() {
      var mu = modelParam({name: 'mu'});
      var k = sample(Bernoulli({p: 0.5}), {guide: ${bernoulli('a')}});
      observe(Gaussian({mu: k ? mu : 2 * mu, sigma: 1}), 1.2);
    }; model`,
    params: { mu: 0.4, a: 0.3 },
  },
  'parameters directly in the model': {
    code: `var model = function() {
      var k = sample(Bernoulli({p: sigmoid(param({name: 'b'}))}), {guide: ${bernoulli('a')}});
      observe(Gaussian({mu: k ? param({name: 'mu'}) : 0, sigma: 1}), 1.2);
    }; model`,
    params: { mu: 0.4, a: 0.3, b: -0.6 },
  },
  'independent data': {
    code: `var model = function() {
      var mu = sample(Gaussian({mu: 0, sigma: 1}), {guide: ${GAUSSIAN}});
      mapData({data: [0.5, -0.4]}, function(y) {
        var k = sample(Bernoulli({p: 0.4}), {guide: Bernoulli({p: sigmoid(param({name: 'w'}) * y)})});
        observe(Gaussian({mu: k ? mu : 0, sigma: 1}), y);
      });
    }; model`,
    params: { m: 0.1, s: -0.3, w: 1.1 },
  },
  'choices before, in and after nested data': {
    code: `var model = function() {
      var a = sample(Bernoulli({p: 0.4}), {guide: ${bernoulli('a')}});
      mapData({data: [[0, 1], [1]]}, function(row) {
        var b = sample(Bernoulli({p: a ? 0.7 : 0.2}), {guide: ${bernoulli('b')}});
        mapData({data: row}, function(y) {
          var c = sample(Bernoulli({p: b ? 0.8 : 0.3}), {guide: ${bernoulli('c')}});
          observe(Bernoulli({p: c ? 0.9 : 0.2}), y === 1);
        });
      });
      var d = sample(Bernoulli({p: a ? 0.1 : 0.6}), {guide: ${bernoulli('d')}});
      factor(d ? 1 : 0);
    }; model`,
    params: { a: 0.3, b: -0.2, c: 0.6, d: 0.1 },
  },
  minibatches: {
    code: `var model = function() {
      var mu = sample(Bernoulli({p: 0.5}), {guide: ${bernoulli('a')}});
      mapData({data: [0.5, -0.4, 1.5], batchSize: 2}, function(y) {
        var k = sample(Bernoulli({p: 0.4}), {guide: Bernoulli({p: sigmoid(param({name: 'w'}) * y)})});
        observe(Gaussian({mu: k ? 1 : (mu ? 0 : -1), sigma: 1}), y);
      });
      factor(mu ? 0.5 : 0);
    }; model`,
    params: { a: 0.2, w: 0.9 },
  },
  'nested minibatches': {
    code: `var model = function() {
      mapData({data: [[0, 1], [1, 1]], batchSize: 1}, function(row) {
        var b = sample(Bernoulli({p: 0.2}), {guide: ${bernoulli('b')}});
        mapData({data: row, batchSize: 1}, function(y) {
          var c = sample(Bernoulli({p: b ? 0.8 : 0.3}), {guide: ${bernoulli('c')}});
          observe(Bernoulli({p: c ? 0.9 : 0.2}), y === 1);
        });
      });
    }; model`,
    params: { b: -0.2, c: 0.6 },
  },
  'variable structure': {
    code: `var model = function() {
      var more = sample(Bernoulli({p: 0.5}), {guide: ${bernoulli('a')}});
      if (more) {
        var x = sample(Gaussian({mu: 1, sigma: 1}), {guide: ${GAUSSIAN}});
        observe(Gaussian({mu: x, sigma: 1}), 2);
      } else {
        var k = sample(Bernoulli({p: 0.3}), {guide: ${bernoulli('b')}});
        factor(k ? 0 : -1);
      }
    }; model`,
    params: { a: 0.3, b: -0.4, m: 0.8, s: 0.2 },
  },
  'a point as guide of a discrete and of a continuous choice': {
    code: `var model = function() {
      var x = sample(Gaussian({mu: 0, sigma: 2}), {guide: Delta({v: param({name: 'm'})})});
      var k = sample(Bernoulli({p: sigmoid(x)}), {guide: Delta({v: true})});
      observe(Gaussian({mu: k ? x : 0, sigma: 1}), 1);
    }; model`,
    params: { m: 0.4 },
  },
  'data that differ in structure': {
    code: `var model = function() {
      mapData({data: [0.5, -0.4, 1.5]}, function(y) {
        if (y > 0) {
          var k = sample(Bernoulli({p: 0.4}), {guide: ${bernoulli('a')}});
          factor(k ? y : 0);
        } else {
          var x = sample(Gaussian({mu: 0, sigma: 1}), {guide: ${GAUSSIAN}});
          observe(Gaussian({mu: x, sigma: 1}), y);
        }
      });
    }; model`,
    params: { a: 0.2, m: 0.3, s: -0.1 },
  },
  'data whose structure depends on their choices': {
    code: `var model = function() {
      var shift = sample(Bernoulli({p: 0.3}), {guide: ${bernoulli('b')}});
      mapData({data: [0.5, -0.4]}, function(y) {
        var more = sample(Bernoulli({p: 0.4}), {guide: ${bernoulli('a')}});
        if (more) {
          var x = sample(Gaussian({mu: 0, sigma: 1}), {guide: ${GAUSSIAN}});
          observe(Gaussian({mu: x + (shift ? 1 : 0), sigma: 1}), y);
        } else {
          factor(shift ? y : -1);
        }
      });
    }; model`,
    params: { a: 0.2, b: -0.3, m: 0.3, s: -0.1 },
  },
  'a mixture: data that pick from arrays': {
    code: `var model = function() {
      var theta = simplex(modelParam({name: 't', dims: [2, 1]}));
      var parts = [
        {mu: modelParam({name: 'm0'}), sigma: 1},
        {mu: modelParam({name: 'm1'}), sigma: softplus(modelParam({name: 's1'}))},
        {mu: 3, sigma: 2}
      ];
      mapData({data: [0.5, -0.4, 2], batchSize: 2}, function(y) {
        var k = sample(Discrete({ps: theta}), {guide: Discrete({ps: simplex(Vector([y * param({name: 'w'}), param({name: 'v'})]))})});
        observe(Gaussian(parts[k]), y);
      });
    }; model`,
    params: { t: [0.3, -0.2], m0: -0.5, m1: 0.7, s1: 0.2, w: 0.8, v: -0.1 },
  },
  'ragged nested data, with continuous choices of their own': {
    code: `var model = function() {
      var w = param({name: 'w', dims: [2, 1]});
      mapData({data: [[0.5], [1, -1]]}, function(row) {
        var b = sample(Bernoulli({p: 0.3}), {guide: Bernoulli({p: sigmoid(T.get(w, 0) * row.length)})});
        mapData({data: row}, function(y) {
          var x = sample(Gaussian({mu: b ? 1 : -1, sigma: 1}), {guide: Gaussian({mu: T.get(w, 1) * y, sigma: 1})});
          observe(Gaussian({mu: x, sigma: 1}), y);
        });
      });
    }; model`,
    params: { w: [0.3, 0.6] },
  },
};
