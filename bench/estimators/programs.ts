/** Programs that are nearer to what is trained than those whose gradients can be enumerated one by one. RULE stands for a rule. */
import type { SmallProgram } from '../../test/optimize/programs.ts';

const DATA = Array.from({ length: 200 }, (_, i) => (3 * Math.sin(i) + (i % 5) - 2).toFixed(2));

export const LARGER_PROGRAMS: Readonly<Record<string, SmallProgram>> = {
  'a label of ten for each of 200 data, 50 a step': {
    code: `var data = [${DATA.join(', ')}];
    var model = function() {
      var means = modelParam({name: 'means', dims: [10, 1]});
      var w = param({name: 'w', dims: [9, 1]});
      var v = param({name: 'v', dims: [9, 1]});
      mapData({data: data, batchSize: 50}, function(y) {
        var k = sample(RandomInteger({n: 10}), {guide: Discrete({ps: simplex(T.add(T.mul(w, y), v))}), ANY});
        observe(Gaussian({mu: T.get(means, k), sigma: 1}), y);
      });
    }; model`,
    params: {
      means: [-4, -3, -2, -1, 0, 1, 2, 3, 4, 5],
      w: [-0.4, -0.3, -0.2, -0.1, 0, 0.1, 0.2, 0.3, 0.4],
      v: [0, 0.1, 0.2, 0.3, 0.4, 0.3, 0.2, 0.1, 0],
    },
  },
  'causes and effects: twelve coins for each of ten data': {
    code: `var effects = [${Array.from({ length: 10 }, (_, i) => (i * 7) % 12).join(', ')}];
    var model = function() {
      mapData({data: effects}, function(y, i) {
        var on = map(function(c) {
          return sample(Bernoulli({p: 0.2}), {guide: Bernoulli({p: sigmoid(param({name: 'a'}) + param({name: 'b'}) * (y - c))}), RULE});
        }, [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]);
        var count = sum(map(function(x) { return x ? 1 : 0; }, on));
        observe(Gaussian({mu: count, sigma: 1}), y / 3);
      });
    }; model`,
    params: { a: -1, b: 0.1 },
  },
  'a coin before 100 data': {
    code: `var data = [${DATA.slice(0, 100).join(', ')}];
    var model = function() {
      var wide = sample(Bernoulli({p: 0.5}), {guide: Bernoulli({p: sigmoid(param({name: 'a'}))}), RULE});
      var mu = sample(Gaussian({mu: 0, sigma: 1}), {guide: Gaussian({mu: param({name: 'm'}), sigma: softplus(param({name: 's'}))})});
      mapData({data: data}, function(y) { observe(Gaussian({mu: mu, sigma: wide ? 3 : 2}), y); });
    }; model`,
    params: { a: 0.2, m: 0, s: -2 },
  },
};
