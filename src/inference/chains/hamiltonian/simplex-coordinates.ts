import type { Node } from '../../../tensor/node.ts';
import * as ops from '../../../tensor/ops.ts';
import { Tensor } from '../../../tensor/tensor.ts';
import type { Continuous, Coordinates } from './coordinates.ts';

/**
 * Probabilities that add up to 1, by the isometric log-ratio (Egozcue et al., "Isometric logratio transformations for
 * compositional data analysis", 2003): the softmax of a vector that adds up to 0, given by its n − 1 coordinates in an
 * orthonormal basis. No outcome plays a special part, as the last one does in stick-breaking. The volume is
 * √n times the product of the probabilities, with respect to all of them but one.
 */
export function simplex(value: Continuous): Coordinates {
  const { dims, length: n } = value as Tensor;
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
    locate(given) {
      const logs = (given as Tensor).data.map((p) => Math.log(Math.max(p, Number.MIN_VALUE)));
      const point = new Float64Array(n - 1);
      // The columns of the basis add up to 0, so that logs need not be centred.
      for (let k = 0; k < n - 1; k++) for (let i = 0; i < n; i++) point[k] += basis.data[i * (n - 1) + k] * logs[i];
      return new Tensor([n - 1, 1], point);
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
