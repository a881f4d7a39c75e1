// What the mixture models of section 6.1 share: the true mixture, the parameters, and how a model is judged.
import {
  argv,
  Discrete,
  Gaussian,
  Infer,
  modelParam,
  observe,
  type Params,
  sample,
  simplex,
  softplus,
  sum,
  type Tensor,
  Vector,
} from 'waymark';
import { givenData, train } from '../training.ts';

export const nComps = 3;

/** Weights and components of a mixture. */
export interface Mixture {
  readonly weights: Tensor;
  readonly components: readonly { readonly mu: number; readonly sigma: number }[];
}

/** The model that the data come from. */
export const trueMixture: Mixture = {
  weights: Vector([0.1, 0.6, 0.3]),
  components: [
    { mu: 0, sigma: 2 },
    { mu: -3, sigma: 0.5 },
    { mu: 2, sigma: 1 },
  ],
};

export const drawPoint = ({ weights, components }: Mixture): number =>
  sample(Gaussian(components[sample(Discrete({ ps: weights }))]));

const component = (k: number) => ({
  mu: modelParam({ name: `mu${k}` }),
  sigma: softplus(modelParam({ name: `s${k}` })),
});

/** A mixture whose weights, means and deviations are learned. */
export const learnedMixture = (): Mixture => ({
  weights: simplex(modelParam({ dims: [nComps - 1, 1], name: 'theta_x' })),
  components: [component(1), component(2), component(3)],
});

interface Points {
  readonly train: readonly number[];
  readonly test: readonly number[];
}

/** The data of this run. */
export const points = (): Points => givenData<{ runs: Points[] }>().runs[Number(argv.run)];

/** How many executions estimate the likelihood of a test point. */
const SAMPLES = 1000;

/** The negative log-likelihood of the test points, each by importance sampling of `explain`, from its guide if it has one. */
export function testNll(test: readonly number[], explain: (y: number) => unknown, params: Params = {}): number {
  return -sum(
    test.map(
      (y) =>
        Infer({ method: 'importance', guide: true, samples: SAMPLES, params }, () => explain(y))
          .normalizationConstant as number,
    ),
  );
}

/** A point of a mixture whose component is not guided: test points have no parameters of their own. */
export const unguided = ({ weights, components }: Mixture, y: number): void => {
  const x = sample(Discrete({ ps: weights }));
  observe(Gaussian(components[x]), y);
};

/** Learns as in the paper. */
export const learnMixture = (model: () => unknown) => train(model, { optMethod: { adam: { stepSize: 0.1 } } });
