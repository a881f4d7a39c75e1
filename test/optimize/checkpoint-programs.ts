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
