import type { Distribution } from '../runtime/handler.ts';
import { HALF_LOG_2PI } from '../tensor/constants.ts';
import { Tensor } from '../tensor/tensor.ts';
import { family } from './family.ts';
import { positiveTensor, realTensor } from './parameter.ts';
import { TensorGaussian } from './tensor-gaussian.ts';
import { sameShape, tensors } from './value-kind.ts';
import { givenDims } from './value-size.ts';

/** A tensor whose elements are independent Gaussians, with the elements of `mu` and `sigma` as their parameters. */
export const DiagCovGaussian = family(
  {
    name: 'DiagCovGaussian',
    params: { mu: realTensor, sigma: positiveTensor },
    values: tensors,
    dims: ({ mu }) => givenDims(mu),
  },
  {
    check: ({ mu, sigma }) =>
      sameShape(mu, sigma)
        ? undefined
        : `mu and sigma must have the same dims, got [${mu.dims.join(', ')}] and [${sigma.dims.join(', ')}]`,
    draw({ mu, sigma }, random) {
      const data = new Float64Array(mu.length);
      for (let i = 0; i < data.length; i++) data[i] = mu.data[i] + sigma.data[i] * random.gaussian();
      return new Tensor(mu.dims, data);
    },
    score({ mu, sigma }, x) {
      if (!sameShape(x, mu)) return -Infinity;
      let total = 0;
      for (let i = 0; i < mu.length; i++) {
        const z = (x.data[i] - mu.data[i]) / sigma.data[i];
        total -= 0.5 * z * z + Math.log(sigma.data[i]) + HALF_LOG_2PI;
      }
      return total;
    },
    mean: ({ mu }) => mu,
    variance: ({ sigma }) =>
      new Tensor(
        sigma.dims,
        sigma.data.map((s) => s * s),
      ),
    entropy({ sigma }) {
      let total = 0;
      for (let i = 0; i < sigma.length; i++) total += 0.5 + HALF_LOG_2PI + Math.log(sigma.data[i]);
      return total;
    },
    reparameterisation: {
      base: ({ mu }): Distribution<Tensor> => TensorGaussian({ mu: 0, sigma: 1, dims: mu.dims }),
      transform: ({ mu, sigma }, noise) =>
        new Tensor(
          mu.dims,
          noise.data.map((z, i) => mu.data[i] + sigma.data[i] * z),
        ),
    },
  },
);
