import type { Node, Value } from '../../tensor/node.ts';
import * as ops from '../../tensor/ops.ts';
import { type Shape, sizeOf } from '../../tensor/shape.ts';
import { Tensor } from '../../tensor/tensor.ts';
import type { Coordinates } from './coordinates.ts';

/**
 * Probabilities that add up to 1, by the isometric log-ratio (Egozcue et al., "Isometric logratio transformations for
 * compositional data analysis", 2003): the softmax of a vector that adds up to 0, given by its n − 1 coordinates in an
 * orthonormal basis. No outcome is special, as the last one is in stick-breaking. The volume is
 * √n times the product of the probabilities, with respect to all of them but one.
 */
export function simplex(dims: Shape): Coordinates {
  const n = sizeOf(dims);
  const basis = orthonormalBasis(n);
  return {
    shape: [n - 1, 1],
    place(point) {
      const logs = ops.logSoftmax(ops.reshape(ops.matmul(basis as never, point as never) as Node, [n]));
      return {
        value: ops.reshape(ops.exp(logs) as Node, dims),
        logVolume: ops.add(ops.sum(logs), 0.5 * Math.log(n)),
      };
    },
    // The columns of the basis add up to 0, so that logs need not be centred.
    locate(given) {
      const logs = ops.log(ops.max(ops.reshape(given as Node, [n, 1]), Number.MIN_VALUE) as Node);
      return ops.matmul(basis as never, logs as never, true) as Value;
    },
  };
}

/** Columns of length 1, perpendicular to each other and to (1, …, 1): Helmert's contrasts. */
function orthonormalBasis(n: number): Tensor {
  const data = new Float64Array(n * (n - 1));
  for (let k = 1; k < n; k++) {
    const scale = 1 / Math.sqrt(k * (k + 1));
    for (let i = 0; i < k; i++) data[i * (n - 1) + k - 1] = scale;
    data[k * (n - 1) + k - 1] = -k * scale;
  }
  return new Tensor([n, n - 1], data);
}
