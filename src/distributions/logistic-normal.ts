import type { Distribution } from '../runtime/handler.ts';
import { HALF_LOG_2PI } from '../tensor/constants.ts';
import type { Tensor } from '../tensor/tensor.ts';
import { family } from './family.ts';
import { elementsOf, positiveVector, realVector } from './parameter.ts';
import { isOnSimplex, simplexFromLogs } from './simplex.ts';
import { TensorGaussian } from './tensor-gaussian.ts';
import { probabilityVectors } from './value-kind.ts';
import { columnLike } from './value-size.ts';

/**
 * A vector of probabilities, one longer than `mu`: Gaussians with parameters `mu` and `sigma`, a 0 appended, squashed
 * by softmax.
 */
export const LogisticNormal = family(
  {
    name: 'LogisticNormal',
    params: { mu: realVector, sigma: positiveVector },
    values: probabilityVectors,
    dims: ({ mu }) => columnLike(mu, 1),
  },
  {
    check: ({ mu, sigma }) =>
      mu.length === sigma.length
        ? undefined
        : `mu and sigma must have the same length, got ${mu.length} and ${sigma.length}`,
    draw({ mu, sigma }, random) {
      const noise = new Float64Array(mu.length);
      for (let i = 0; i < noise.length; i++) noise[i] = random.gaussian();
      return squash(mu, sigma, noise);
    },
    score({ mu, sigma }, value) {
      const x = elementsOf(value)!;
      const d = mu.length;
      if (x.length !== d + 1 || !isOnSimplex(x)) return -Infinity;
      const last = Math.log(x[d]);
      let score = -last;
      for (let i = 0; i < d; i++) {
        const logX = Math.log(x[i]);
        const z = (logX - last - mu.data[i]) / sigma.data[i];
        score -= 0.5 * z * z + Math.log(sigma.data[i]) + HALF_LOG_2PI + logX;
      }
      return score;
    },
    reparameterisation: {
      base: ({ mu }): Distribution<Tensor> => TensorGaussian({ mu: 0, sigma: 1, dims: [mu.length, 1] }),
      transform: ({ mu, sigma }, noise) => squash(mu, sigma, noise.data),
    },
  },
);

function squash(mu: Tensor, sigma: Tensor, noise: Float64Array): Tensor {
  const scores = new Float64Array(mu.length + 1);
  for (let i = 0; i < mu.length; i++) scores[i] = mu.data[i] + sigma.data[i] * noise[i];
  return simplexFromLogs(scores);
}
