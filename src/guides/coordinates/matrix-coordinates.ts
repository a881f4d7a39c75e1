import type { Node, Value } from '../../tensor/node.ts';
import * as ops from '../../tensor/ops.ts';
import type { Shape } from '../../tensor/shape.ts';
import type { Coordinates } from './coordinates.ts';

/** The places of elements below the diagonal, row by row. */
function below(n: number): [number, number][] {
  const places: [number, number][] = [];
  for (let i = 0; i < n; i++) for (let j = 0; j < i; j++) places.push([i, j]);
  return places;
}

const element = (x: Value, k: number): Node => ops.reshape(ops.sliceAxis(x as Node, 0, k, k + 1), []);

/** The element of a matrix at a place. */
const entry = (x: Value, i: number, j: number): Value => ops.reshape(ops.slice(x as Node, [i, j], [1, 1]), []);

/** A matrix of scalars, given row by row. */
const matrix = (n: number, entries: readonly Value[]): Value => ops.reshape(ops.stack(entries as Node[]), [n, n]);

/**
 * Cholesky factors L of correlation matrices. Each element below the diagonal is the hyperbolic tangent of its
 * coordinate times what the row has left of its length 1 (Lewandowski, Kurowicka & Joe, 2009: partial correlations).
 */
export function correlationFactor([n]: Shape): Coordinates {
  const places = below(n);
  return {
    shape: [places.length],
    place(point) {
      const entries: Value[] = new Array<Value>(n * n).fill(0);
      let logVolume: Value = 0;
      let k = 0;
      for (let i = 0; i < n; i++) {
        // The log of what the row has left, squared.
        let logLeft: Value = 0;
        for (let j = 0; j < i; j++) {
          const y = element(point, k++);
          entries[i * n + j] = ops.mul(ops.tanh(y), ops.exp(ops.mul(0.5, logLeft)));
          // log(1 − tanh² y) = 2 log 2 + log σ(2y) + log σ(−2y).
          const twice = ops.mul(2, y);
          const logSlope = ops.add(ops.add(ops.logSigmoid(twice), ops.logSigmoid(ops.neg(twice))), 2 * Math.LN2);
          logVolume = ops.add(logVolume, ops.add(logSlope, ops.mul(0.5, logLeft)));
          logLeft = ops.add(logLeft, logSlope);
        }
        entries[i * n + i] = ops.exp(ops.mul(0.5, logLeft));
      }
      return { value: matrix(n, entries), logVolume };
    },
    locate(given) {
      const coordinates: Value[] = [];
      let left: Value = 1;
      for (const [i, j] of places) {
        if (j === 0) left = 1;
        const x = entry(given, i, j);
        const share = ops.div(x, ops.sqrt(left));
        coordinates.push(ops.atanh(ops.max(ops.min(share, 1 - 2 ** -53), -1 + 2 ** -53) as Value));
        left = ops.max(ops.sub(left, ops.square(x)), Number.MIN_VALUE);
      }
      return ops.stack(coordinates as Node[]);
    },
  };
}

/** Covariance matrices as L Lᵀ; on the diagonal of L are the exponentials of coordinates. */
export function covarianceMatrix([n]: Shape): Coordinates {
  const size = (n * (n + 1)) / 2;
  return {
    shape: [size],
    place(point) {
      const entries: Value[] = new Array<Value>(n * n).fill(0);
      let logVolume: Value = n * Math.LN2;
      let k = 0;
      for (let i = 0; i < n; i++) {
        for (let j = 0; j <= i; j++) {
          const y = element(point, k++);
          entries[i * n + j] = i === j ? ops.exp(y) : y;
          // The volume: L Lᵀ by L gives 2ⁿ ∏ Lᵢᵢ to the power n − i (i from 0), and L by the logs of its diagonal gives each Lᵢᵢ once
          // more.
          if (i === j) logVolume = ops.add(logVolume, ops.mul(n - i + 1, y));
        }
      }
      const factor = matrix(n, entries) as Node;
      return { value: ops.matmul(factor, ops.transposeMatrix(factor)), logVolume };
    },
    locate(given) {
      const factor = ops.cholesky(given as Node);
      const coordinates: Value[] = [];
      for (let i = 0; i < n; i++) {
        for (let j = 0; j <= i; j++) {
          const x = entry(factor, i, j);
          coordinates.push(i === j ? ops.log(x) : x);
        }
      }
      return ops.stack(coordinates as Node[]);
    },
  };
}
