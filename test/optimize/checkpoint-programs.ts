/**
 * A program whose optimisation remembers everything it can: discrete choices for each datum, which have baselines;
 * minibatches; a global choice with an automatic guide; parameters in both precisions; Adam. `options` are further ones of Optimize.
 */
export const mixture = (options: string): string => `
var data = map(function(i) { return i % 2 === 0 ? -2 + i / 50 : 3 - i / 50; }, _.range(40));
var model = function() {
  var scale = sample(Gamma({shape: 2, scale: 1}));
  var mus = [modelParam({name: 'mu0', mu: -1}), modelParam({name: 'mu1', mu: 1})];
  mapData({data: data, batchSize: 7}, function(y) {
    var k = sample(Discrete({ps: [0.4, 0.6]}), {
      guide: function() {
        var h = T.tanh(T.mul(param({name: 'w', dims: [3, 1]}), y));
        return Discrete({ps: softmax(linear('W', {in: 3, out: 2})(h))});
      }
    });
    observe(Gaussian({mu: mus[k], sigma: 0.5 + scale}), y);
  });
  return scale;
};
var params = Optimize(model, {
  optMethod: {adam: {stepSize: 0.02}}, checkGradients: false,
  onFinish: function(result) { display(result.history); },
  ${options}
});
display(serializeParams(params));
display(sample(Gaussian({mu: 0, sigma: 1})));
`;

/** Trees of random shape: data part into few groups in some steps, and into many in others, from which on they branch. */
export const trees = (options: string): string => `
var data = map(function(i) { return Math.sin(i); }, _.range(9));
var tree = function(x, n) {
  var leaf = n === 4 || sample(Bernoulli({p: 0.8}), {guide: Bernoulli({p: sigmoid(0.6 + param({name: 'leaf'}) * x)})});
  if (leaf) { return sample(Gaussian({mu: 1, sigma: 1}), {guide: Gaussian({mu: param({name: 'a'}) * x, sigma: 0.5})}); }
  return tree(x / 2, n + 1) + tree(x / 3, n + 1);
};
var model = function() { mapData({data: data}, function(y) { observe(Gaussian({mu: tree(y, 0), sigma: 0.5}), y); }); };
var params = Optimize(model, {
  checkGradients: false, onFinish: function(result) { display(result.history); },
  ${options}
});
display(serializeParams(params));
`;

/** Guides that run first, choose, and are mixtures, in minibatches: components are drawn where there are too many to try. */
export const structured = (options: string): string => `
var model = function() {
  mapData({data: [0.5, 1.5, -1, 2, 0.3], batchSize: 2}, function(y) {
    var found = guide(function(d) { return param({name: 'a'}) * d; });
    var x = sample(Gaussian({mu: 0, sigma: 1}), {guideSamples: 3, guide: function() {
      return Gaussian({mu: found() + gaussian(0, softplus(param({name: 't'}))), sigma: 0.5});
    }});
    var zs = repeat(3, function() {
      return sample(Gaussian({mu: 0, sigma: 1}), {guide: function() {
        return Gaussian({mu: flip(sigmoid(param({name: 'w'}))) ? found() : -1, sigma: 1});
      }});
    });
    observe(Gaussian({mu: x + sum(zs), sigma: 1}), y);
  });
};
var params = Optimize(model, {
  checkGradients: false, onFinish: function(result) { display(result.history); },
  ${options}
});
display(serializeParams(params));
`;

/** Minibatches of sequences of different length, through networks wide enough for products by other routines: steps are compiled for all ways. */
export const ragged = (options: string): string => `
var lengths = [1, 2, 5, 2, 1, 3, 2, 1, 1, 2, 2, 1, 7];
var data = mapIndexed(function(i, n) {
  return map(function(j) { return Vector([Math.sin(i + j), Math.cos(i * j + 1)]); }, _.range(n));
}, lengths);
var net = nn.mlp(70, [{nOut: 70, activation: nn.tanh}], 'net');
var emit = nn.linear(70, 2, 'emit');
var read = nn.mlp(72, [{nOut: 70, activation: nn.tanh}], 'read');
var zero = zeros([70, 1]);
var model = function() {
  mapData({data: data, batchSize: 5}, function(sequence) {
    var backwards = {init: zero, fn: function(ahead, y) { return nneval(read, T.concat(y, ahead)); }};
    foldData({data: sequence, init: zero, backwards: backwards}, function(s, y, i, ahead) {
      var sigma = T.add(T.mul(s, 0), 0.5);
      var next = sample(DiagCovGaussian({mu: nnevalModel(net, s), sigma: sigma}), {
        guide: function() { return DiagCovGaussian({mu: T.add(s, ahead), sigma: sigma}); }
      });
      observe(DiagCovGaussian({mu: nnevalModel(emit, next), sigma: Vector([0.5, 0.5])}), y);
      return next;
    });
  });
};
var params = Optimize(model, {
  checkGradients: false, onFinish: function(result) { display(result.history); },
  ${options}
});
display(serializeParams(params));
`;

/** Walks that end by chance: in each step data take other sides of a condition. */
export const walks = (options: string): string => `
var data = map(function(i) { return 1 + Math.sin(i); }, _.range(12));
var walk = function(x, n) {
  var ends = n === 4 || sample(Bernoulli({p: 0.5}), {guide: Bernoulli({p: sigmoid(param({name: 'end'}) * x)})});
  if (ends) { return 0; }
  var by = sample(Gaussian({mu: 0, sigma: 1}), {guide: Gaussian({mu: param({name: 'a'}) * x, sigma: 0.5})});
  return by + walk(x - by, n + 1);
};
var model = function() { mapData({data: data}, function(y) { observe(Gaussian({mu: walk(y, 0), sigma: 0.5}), y); }); };
var params = Optimize(model, {
  checkGradients: false, onFinish: function(result) { display(result.history); },
  ${options}
});
display(serializeParams(params));
`;
