// The noisy cone: what is known of a point whose distance from the origin was seen. The posterior is a thin ring.
import {
  argv,
  coupling,
  DiagCovGaussian,
  type Distribution,
  Flow,
  type FlowLayer,
  Gaussian,
  observe,
  param,
  sample,
  sigmoid,
  softplus,
  T,
  type Tensor,
  TensorGaussian,
  Vector,
} from 'waymark';
import { train } from '../../training.ts';
import { boundOf } from '../bounds.ts';

const gaussian = (start: readonly number[]): Distribution<Tensor> =>
  DiagCovGaussian({
    mu: param({ name: 'mu', dims: [2, 1], init: () => Vector([...start]) }),
    sigma: softplus(param({ name: 'sigma', dims: [2, 1] })),
  });

/** From the logarithm of a radius and an unbounded angle to a point. */
const polar: FlowLayer = {
  size: 2,
  forward(from) {
    const logRadius = T.get(from as Tensor, 0);
    const turn = sigmoid(T.get(from as Tensor, 1));
    const [radius, angle] = [Math.exp(logRadius), 2 * Math.PI * turn];
    return {
      value: Vector([radius * Math.cos(angle), radius * Math.sin(angle)]),
      logStretch: 2 * logRadius + logTurn(turn),
    };
  },
  inverse(to) {
    const [x, y] = [T.get(to as Tensor, 0), T.get(to as Tensor, 1)];
    const squared = x * x + y * y;
    const turn = (Math.atan2(-y, -x) + Math.PI) / (2 * Math.PI);
    return {
      value: Vector([Math.log(squared) / 2, Math.log(turn / (1 - turn))]),
      logStretch: Math.log(squared) + logTurn(turn),
    };
  },
};

const logTurn = (turn: number): number => Math.log(2 * Math.PI * turn * (1 - turn));

const guides = {
  // Where the ring is crossed by an axis, Gaussians that do not depend on each other fit it best.
  'mean-field': () => gaussian([2, 0]),
  ring: () => Flow({ base: gaussian([0, 0]), layers: [coupling('bend', { size: 2, kind: 'spline' }), polar] }),
};
const guide = guides[argv.guide as keyof typeof guides];

const model = () => {
  const point = sample(TensorGaussian({ mu: 0, sigma: 10, dims: [2, 1] }), { guide });
  const [x, y] = [T.get(point, 0), T.get(point, 1)];
  const squared = x * x + y * y;
  observe(Gaussian({ mu: squared, sigma: 0.1 + squared / 100 }), 5);
};

const steps = Number(argv.steps);
const samples = Number(argv.samples);
const { params, history } = train(model, {
  gradients: 'automatic',
  clip: 10,
  optMethod: { adam: { stepSize: (step: number) => 0.01 * (1 - step / steps) + 1e-5 } },
  estimator: argv.objective === 'IWAE' ? { IWAE: { samples } } : { ELBO: { samples } },
});

/** Samples that a bound is the mean of, so that its noise is far below the differences that count. */
const EVALUATED = 20_000;
const estimator = argv.objective === 'IWAE' ? { IWAE: { samples } } : 'ELBO';
export default { history, bound: boundOf(model, params, estimator, EVALUATED / samples) };
