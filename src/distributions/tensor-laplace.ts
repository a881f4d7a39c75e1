import type { Distribution } from '../runtime/handler.ts';
import { sizeOf } from '../tensor/shape.ts';
import { Tensor } from '../tensor/tensor.ts';
import { family } from './family.ts';
import { standardLaplace } from './laplace.ts';
import { dimensions, positive, real } from './parameter.ts';
import { hasDims, tensors } from './value-kind.ts';
import { knownDims } from './value-size.ts';

/** A tensor of `dims` whose elements are independent draws from Laplace(location, scale). */
export const TensorLaplace = family(
  {
    name: 'TensorLaplace',
    params: { location: real, scale: positive, dims: dimensions },
    values: tensors,
    dims: ({ dims }) => knownDims(dims),
  },
  {
    draw({ location, scale, dims }, random) {
      const data = new Float64Array(sizeOf(dims));
      for (let i = 0; i < data.length; i++) data[i] = location + scale * standardLaplace(random.uniform());
      return new Tensor(dims, data);
    },
    score({ location, scale, dims }, x) {
      if (!hasDims(x, dims)) return -Infinity;
      let distance = 0;
      for (let i = 0; i < x.length; i++) distance += Math.abs(x.data[i] - location);
      return -distance / scale - x.length * Math.log(2 * scale);
    },
    mean: ({ location, dims }) => new Tensor(dims, new Float64Array(sizeOf(dims)).fill(location)),
    variance: ({ scale, dims }) => new Tensor(dims, new Float64Array(sizeOf(dims)).fill(2 * scale * scale)),
    entropy: ({ scale, dims }) => sizeOf(dims) * (1 + Math.log(2 * scale)),
    reparameterisation: {
      base: ({ dims }): Distribution<Tensor> => TensorLaplace({ location: 0, scale: 1, dims }),
      transform: ({ location, scale }, noise) =>
        new Tensor(
          noise.dims,
          noise.data.map((z) => location + scale * z),
        ),
    },
  },
);
