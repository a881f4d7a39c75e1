/** The language on one page gives the gradients that Waymark gives. */
import { expect, test } from 'vitest';
import { gradient, mixture, type Params } from '../examples/mini.ts';
import type { Tensor } from '../src/tensor/tensor.ts';
import { runProgram } from './optimize/run-optimize.ts';

const DATA = [-3.9, 0.4, 4.2, -0.1];

/** The mixture of the tutorial: parameters before and after one step of gradient descent, and the choices of that step. */
const MIXTURE = `var guideNet = nn.mlp(1, [{nOut: 5, activation: nn.tanh}, {nOut: 2}], 'guideNet');
  var component = function(k) {
    return {mu: modelParam({name: 'mu' + k, mu: 2 * k - 4}), sigma: softplus(modelParam({name: 'sigma' + k}))};
  };
  var model = function() {
    var weights = simplex(modelParam({name: 'weights', dims: [2, 1]}));
    var components = [component(1), component(2), component(3)];
    mapData({data: ${JSON.stringify(DATA)}}, function(y) {
      var x = sample(Discrete({ps: weights}), {guide: Discrete({ps: simplex(nneval(guideNet, Vector([y])))})});
      display(x);
      observe(Gaussian(components[x]), y);
    });
  };
  var step = function(stepSize) {
    Optimize(model, {steps: 1, optMethod: {sgd: {stepSize: stepSize}}, estimator: {ELBO: {avgBaselines: false}}});
    return getParams();
  };
  [step(0), step(1)]`;

const numbered = (params: object): Params =>
  new Map(
    Object.entries(params as Record<string, Tensor>).flatMap(([name, { data }]) =>
      Array.from(data, (x, i): [string, number] => [`${name}:${i}`, x]),
    ),
  );

test('the gradient of the mixture is that of Waymark for the same choices', async () => {
  const { value, texts } = await runProgram(MIXTURE, { engine: { sequential: true, precision: 'double' } });
  const [before, after] = (value as object[]).map(numbered);
  // Both steps display their choices; the second has moved.
  const choices = texts.slice(DATA.length).map(Number);
  expect(choices).toHaveLength(DATA.length);
  const drawn = choices.values();
  const model = mixture(DATA, 'guideNet.0', 'guideNet.1');
  const { gradient: found } = gradient(model, before, () => drawn.next().value as never);
  for (const [name, slope] of found) expect(before.get(name)! - after.get(name)!, name).toBeCloseTo(slope, 9);
  expect(found.size).toBe(before.size);
});
