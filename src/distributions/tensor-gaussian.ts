import type { Distribution } from '../runtime/handler.ts';
import { HALF_LOG_2PI } from '../tensor/constants.ts';
import { sizeOf } from '../tensor/shape.ts';
import { Tensor } from '../tensor/tensor.ts';
import { family } from './family.ts';
import { dimensions, positive, real } from './parameter.ts';
import { hasDims, tensors } from './value-kind.ts';
import { knownDims } from './value-size.ts';

/** A tensor of `dims` whose elements are independent draws from Gaussian(mu, sigma). */
export const TensorGaussian = family(
  {
    name: 'TensorGaussian',
    params: { mu: real, sigma: positive, dims: dimensions },
    values: tensors,
    dims: ({ dims }) => knownDims(dims),
  },
  {
    draw({ mu, sigma, dims }, random) {
      const data = new Float64Array(sizeOf(dims));
      for (let i = 0; i < data.length; i++) data[i] = mu + sigma * random.gaussian();
      return new Tensor(dims, data);
    },
    score({ mu, sigma, dims }, x) {
      if (!hasDims(x, dims)) return -Infinity;
      let squares = 0;
      for (let i = 0; i < x.length; i++) {
        const z = (x.data[i] - mu) / sigma;
        squares += z * z;
      }
      return -0.5 * squares - x.length * (Math.log(sigma) + HALF_LOG_2PI);
    },
    mean: ({ mu, dims }) => new Tensor(dims, new Float64Array(sizeOf(dims)).fill(mu)),
    variance: ({ sigma, dims }) => new Tensor(dims, new Float64Array(sizeOf(dims)).fill(sigma * sigma)),
    entropy: ({ sigma, dims }) => sizeOf(dims) * (0.5 + HALF_LOG_2PI + Math.log(sigma)),
    reparameterisation: {
      base: ({ dims }): Distribution<Tensor> => TensorGaussian({ mu: 0, sigma: 1, dims }),
      transform: ({ mu, sigma }, noise) =>
        new Tensor(
          noise.dims,
          noise.data.map((z) => mu + sigma * z),
        ),
    },
  },
);
