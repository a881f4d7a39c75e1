/** Reference linear algebra on the last two axes; everything before them is a batch. */
import type { Attributes, Data, Kernel, Operand } from '../node.ts';

function order(operand: Operand): number {
  return operand.dims[operand.dims.length - 1];
}

/** The lower triangular L with L Lᵀ = A. Not positive definite: NaN, as a gradient step may pass through one. */
export const choleskyKernel: Kernel = (out, [input]) => {
  const n = order(input);
  const a = input.data;
  const l = out.data;
  l.fill(0);
  for (let base = 0; base < a.length; base += n * n) {
    for (let i = 0; i < n; i++) {
      for (let j = 0; j <= i; j++) {
        let total = a[base + i * n + j];
        for (let k = 0; k < j; k++) total -= l[base + i * n + k] * l[base + j * n + k];
        l[base + i * n + j] = i === j ? Math.sqrt(total) : total / l[base + j * n + j];
      }
    }
  }
};

export interface SolveAttributes extends Attributes {
  /** Solves with the transpose of the lower triangular matrix. */
  readonly transpose: boolean;
}

/** X with L X = B, or Lᵀ X = B; only the lower triangle of L is read. */
export const triangularSolveKernel: Kernel = (out, [triangle, right], attributes) => {
  const { transpose } = attributes as SolveAttributes;
  const n = order(triangle);
  const columns = order(right);
  const l = triangle.data;
  const x = out.data;
  const batches = l.length / (n * n);
  x.set(right.data);
  for (let batch = 0; batch < batches; batch++) {
    const at = batch * n * n;
    const to = batch * n * columns;
    for (let step = 0; step < n; step++) {
      const i = transpose ? n - 1 - step : step;
      for (let c = 0; c < columns; c++) {
        let total = x[to + i * columns + c];
        if (transpose) for (let k = i + 1; k < n; k++) total -= l[at + k * n + i] * x[to + k * columns + c];
        else for (let k = 0; k < i; k++) total -= l[at + i * n + k] * x[to + k * columns + c];
        x[to + i * columns + c] = total / l[at + i * n + i];
      }
    }
  }
};

/** LU factorisation with partial pivoting in place; gives the sign of the permutation and the row order. */
function factorise(a: Float64Array, n: number, rows: Int32Array): number {
  let sign = 1;
  for (let i = 0; i < n; i++) rows[i] = i;
  for (let k = 0; k < n; k++) {
    let pivot = k;
    for (let i = k + 1; i < n; i++) if (Math.abs(a[i * n + k]) > Math.abs(a[pivot * n + k])) pivot = i;
    if (pivot !== k) {
      for (let j = 0; j < n; j++) [a[k * n + j], a[pivot * n + j]] = [a[pivot * n + j], a[k * n + j]];
      [rows[k], rows[pivot]] = [rows[pivot], rows[k]];
      sign = -sign;
    }
    if (a[k * n + k] === 0) continue;
    for (let i = k + 1; i < n; i++) {
      const factor = a[i * n + k] / a[k * n + k];
      a[i * n + k] = factor;
      for (let j = k + 1; j < n; j++) a[i * n + j] -= factor * a[k * n + j];
    }
  }
  return sign;
}

function eachMatrix(
  input: Operand,
  use: (lu: Float64Array, rows: Int32Array, sign: number, batch: number) => void,
): void {
  const n = order(input);
  const lu = new Float64Array(n * n);
  const rows = new Int32Array(n);
  for (let batch = 0; batch * n * n < input.data.length; batch++) {
    lu.set(input.data.subarray(batch * n * n, (batch + 1) * n * n));
    use(lu, rows, factorise(lu, n, rows), batch);
  }
}

export const inverseKernel: Kernel = (out, [input]) => {
  const n = order(input);
  const column = new Float64Array(n);
  eachMatrix(input, (lu, rows, _sign, batch) => {
    for (let c = 0; c < n; c++) {
      for (let i = 0; i < n; i++) {
        let total = rows[i] === c ? 1 : 0;
        for (let k = 0; k < i; k++) total -= lu[i * n + k] * column[k];
        column[i] = total;
      }
      for (let i = n - 1; i >= 0; i--) {
        let total = column[i];
        for (let k = i + 1; k < n; k++) total -= lu[i * n + k] * column[k];
        column[i] = total / lu[i * n + i];
      }
      for (let i = 0; i < n; i++) out.data[batch * n * n + i * n + c] = column[i];
    }
  });
};

function diagonal(lu: Data, n: number, fold: (total: number, x: number) => number, start: number): number {
  let total = start;
  for (let i = 0; i < n; i++) total = fold(total, lu[i * n + i]);
  return total;
}

/** log |det A|. */
export const logdetKernel: Kernel = (out, [input]) => {
  const n = order(input);
  eachMatrix(input, (lu, _rows, _sign, batch) => {
    out.data[batch] = diagonal(lu, n, (total, x) => total + Math.log(Math.abs(x)), 0);
  });
};

export const determinantKernel: Kernel = (out, [input]) => {
  const n = order(input);
  eachMatrix(input, (lu, _rows, sign, batch) => {
    out.data[batch] = diagonal(lu, n, (total, x) => total * x, sign);
  });
};
