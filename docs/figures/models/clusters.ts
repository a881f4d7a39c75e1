// The mixture model of the tutorial: its data, with the component guided by a network and summed out.
import {
  Discrete,
  factor,
  Gaussian,
  logsumexp,
  mapData,
  modelParam,
  nn,
  nneval,
  observe,
  repeat,
  sample,
  simplex,
  softplus,
  T,
  Vector,
} from 'waymark';

const truth = [
  { mu: -4, sigma: 0.5 },
  { mu: 0, sigma: 1 },
  { mu: 4, sigma: 0.8 },
];
export const points = repeat(200, () => sample(Gaussian(truth[sample(Discrete({ ps: [0.3, 0.3, 0.4] }))])));

export const guideNet = nn.mlp(1, [{ nOut: 5, activation: nn.tanh }, { nOut: 2 }], 'guideNet');

const component = (k: number) => ({
  mu: modelParam({ name: `mu${k}`, mu: 2 * k - 4 }),
  sigma: softplus(modelParam({ name: `sigma${k}` })),
});

const mixture = () => ({
  weights: simplex(modelParam({ name: 'weights', dims: [2, 1] })),
  components: [component(1), component(2), component(3)],
});

export const guided = () => {
  const { weights, components } = mixture();
  mapData({ data: points }, (y) => {
    const output = nneval(guideNet, Vector([y]));
    const x = sample(Discrete({ ps: weights }), { guide: Discrete({ ps: simplex(output) }) });
    observe(Gaussian(components[x]), y);
  });
};

export const summedOut = () => {
  const { weights, components } = mixture();
  mapData({ data: points }, (y) => {
    const scores = components.map((it, k) => Math.log(T.get(weights, k)) + Gaussian(it).score(y));
    factor(logsumexp(scores));
  });
};
