/** Programs with continuous choices of every kind, for guides that know of each other. */
export const PROGRAMS: Readonly<Record<string, string>> = {
  numbers: `
    var model = function() {
      var a = gaussian(0, 2);
      var b = gaussian(a, 1);
      observe(Gaussian({mu: a + b, sigma: 0.5}), 1);
      return [a, b];
    };`,

  supports: `
    var model = function() {
      var rate = gamma(2, 1);
      var share = beta(2, 2);
      var below = sample(Truncated(Gaussian({mu: 0, sigma: 1}), -Infinity, 2));
      var part = uniform(0, rate);
      var ps = dirichlet(Vector([1, 2, 3]));
      var factor = sample(LKJCholesky({dim: 2, eta: 2}));
      var spread = sample(InverseWishart({df: 4, scale: Matrix([[1, 0.2], [0.2, 2]])}));
      var w = sample(DiagCovGaussian({mu: Vector([0, 1]), sigma: Vector([1, 2])}));
      observe(Exponential({a: rate * share}), 0.7);
      observe(Gaussian({mu: T.get(w, 0) * T.get(w, 1) + below + part, sigma: rate}), 1.5);
      observe(Discrete({ps: ps}), 2);
      observe(MultivariateGaussian({mu: w, cov: spread}), Vector([1, 0.3]));
      observe(MultivariateGaussianFactor({mu: w, factor: factor}), Vector([0.5, 0.1]));
      return rate;
    };`,

  loop: `
    var model = function() {
      var mean = gaussian(0, 1);
      var xs = repeat(5, function() { return gaussian(mean, 1); });
      map2(function(x, y) { observe(Gaussian({mu: x, sigma: 1}), y); }, xs, [1, 2, 0, -1, 3]);
      return mean;
    };`,

  data: `
    var model = function() {
      var mean = gaussian(0, 2);
      var scale = gamma(2, 1);
      mapData({data: [[1, 2], [3], [0.5, -1], [2], [1, 1, 1]]}, function(ys) {
        var z = gaussian(mean, scale);
        var v = sample(DiagCovGaussian({mu: Vector([0, 0]), sigma: Vector([1, 1])}));
        map(function(y) { observe(Gaussian({mu: z + T.get(v, 0), sigma: 1}), y); }, ys);
        observe(Gaussian({mu: T.get(v, 1), sigma: 0.5}), z);
      });
      return mean;
    };`,

  minibatches: `
    var model = function() {
      var mean = gaussian(0, 2);
      mapData({data: [1, 3, 0.5, 2, -1, 4], batchSize: 2}, function(y) {
        var z = gaussian(mean, 1);
        observe(Gaussian({mu: z, sigma: 0.5}), y);
      });
      var after = gaussian(mean, 1);
      observe(Gaussian({mu: after, sigma: 1}), 2);
    };`,

  'choices that come and go': `
    var model = function() {
      var a = gaussian(0, 1);
      var b = flip(0.4) ? gaussian(1, 1) : gamma(2, 2) + gaussian(0, 1);
      var c = gaussian(a + b, 1);
      observe(Gaussian({mu: c, sigma: 0.5}), 1);
      return c;
    };`,

  'guides of their own, and mem': `
    var model = function() {
      var a = gaussian(0, 1);
      var b = sample(Gaussian({mu: a, sigma: 1}), {guide: function() {
        return Gaussian({mu: param({name: 'm'}), sigma: softplus(param({name: 's'}))});
      }});
      var f = mem(function(i) { return gaussian(i, 1); });
      var c = gaussian(a, 1);
      mapData({data: [0, 1, 0]}, function(i) { observe(Gaussian({mu: f(i) + a + b + c, sigma: 1}), i); });
      return c;
    };`,
};

export const KINDS = ['fullRank', 'lowRank', 'flow'] as const;

/** As the option is written, with small sizes. */
export const GUIDE: Readonly<Record<(typeof KINDS)[number] | 'laplace', string>> = {
  fullRank: `'fullRank'`,
  lowRank: `{lowRank: {rank: 2}}`,
  flow: `{flow: {hidden: 4, bins: 3}}`,
  laplace: `'laplace'`,
};
