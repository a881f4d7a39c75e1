/** Matrices: products, factorisations, and what follows from them. */
import { describe } from '../../runtime/describe.ts';
import { WaymarkError } from '../../runtime/errors.ts';
import { isVector, Tensor } from '../../tensor/tensor.ts';
import { checkTensor, matrixShape, squareSize } from './operands.ts';

/** The matrix with rows and columns exchanged; of a vector, a matrix of one row. */
export function transpose(tensor: Tensor): Tensor {
  const [rows, columns] = matrixShape('transpose', tensor);
  const data = new Float64Array(tensor.length);
  for (let i = 0; i < rows; i++) for (let j = 0; j < columns; j++) data[j * rows + i] = tensor.data[i * columns + j];
  return new Tensor([columns, rows], data);
}

/** The matrix with the vector on its diagonal. */
export function diagonal(vector: Tensor): Tensor {
  checkTensor('diagonal', vector);
  if (!isVector(vector)) throw new WaymarkError(`T.diagonal needs a vector, got ${describe(vector)}.`);
  const n = vector.length;
  const data = new Float64Array(n * n);
  for (let i = 0; i < n; i++) data[i * n + i] = vector.data[i];
  return new Tensor([n, n], data);
}

/** The matrix product. */
export function dot(a: Tensor, b: Tensor): Tensor {
  const [rows, inner] = matrixShape('dot', a);
  const [innerB, columns] = matrixShape('dot', b);
  if (inner !== innerB) {
    throw new WaymarkError(
      `T.dot needs as many columns on the left as rows on the right: got ${rows}×${inner} and ${innerB}×${columns}.`,
    );
  }
  const data = new Float64Array(rows * columns);
  for (let i = 0; i < rows; i++) {
    for (let k = 0; k < inner; k++) {
      const factor = a.data[i * inner + k];
      const from = k * columns;
      const to = i * columns;
      for (let j = 0; j < columns; j++) data[to + j] += factor * b.data[from + j];
    }
  }
  return new Tensor([rows, columns], data);
}

/** Gaussian elimination with row exchanges, in place; also on `right` where given. Returns the determinant. */
function eliminate(n: number, matrix: Float64Array, right: Float64Array | null, columns = n): number {
  let determinant = 1;
  for (let column = 0; column < n; column++) {
    let pivot = column;
    for (let i = column + 1; i < n; i++) {
      if (Math.abs(matrix[i * n + column]) > Math.abs(matrix[pivot * n + column])) pivot = i;
    }
    const value = matrix[pivot * n + column];
    if (value === 0) return 0;
    determinant *= value;
    if (pivot !== column) {
      determinant = -determinant;
      exchangeRows(n, matrix, pivot, column);
      if (right !== null) exchangeRows(columns, right, pivot, column);
    }
    for (let i = column + 1; i < n; i++) {
      const factor = matrix[i * n + column] / value;
      if (factor === 0) continue;
      for (let j = column; j < n; j++) matrix[i * n + j] -= factor * matrix[column * n + j];
      if (right === null) continue;
      for (let j = 0; j < columns; j++) right[i * columns + j] -= factor * right[column * columns + j];
    }
  }
  return determinant;
}

function exchangeRows(n: number, matrix: Float64Array, a: number, b: number): void {
  for (let j = 0; j < n; j++) {
    const kept = matrix[a * n + j];
    matrix[a * n + j] = matrix[b * n + j];
    matrix[b * n + j] = kept;
  }
}

/** The determinant of a square matrix. */
export function determinant(matrix: Tensor): number {
  return eliminate(squareSize('determinant', matrix), matrix.data.slice(), null);
}

/** log |det| of a square matrix, which neither overflows nor vanishes where the determinant does; −∞ if it is singular. */
export function logDet(matrix: Tensor): number {
  const n = squareSize('logDet', matrix);
  const reduced = matrix.data.slice();
  eliminate(n, reduced, null);
  let total = 0;
  for (let i = 0; i < n; i++) total += Math.log(Math.abs(reduced[i * n + i]));
  return total;
}

/** The inverse of a square matrix; a matrix that has none is an error. */
export function inverse(matrix: Tensor): Tensor {
  const n = squareSize('inverse', matrix);
  const right = new Float64Array(n * n);
  for (let i = 0; i < n; i++) right[i * n + i] = 1;
  return new Tensor([n, n], solved('inverse', matrix, right, n));
}

/** The x with `matrix` x = `right`, for a vector or for each column of a matrix. */
export function solve(matrix: Tensor, right: Tensor): Tensor {
  const n = squareSize('solve', matrix);
  const [rows, columns] = matrixShape('solve', right);
  if (rows !== n) {
    throw new WaymarkError(
      `T.solve needs as many rows on the right as on the left: got ${n}×${n} and ${rows}×${columns}.`,
    );
  }
  return new Tensor(right.dims, solved('solve', matrix, right.data.slice(), columns));
}

/** The solution of a system for several columns on the right, in their place. */
function solved(caller: string, matrix: Tensor, right: Float64Array, columns: number): Float64Array {
  const n = matrix.dims[0];
  const left = matrix.data.slice();
  if (eliminate(n, left, right, columns) === 0) {
    throw new WaymarkError(`T.${caller}: the matrix is singular, so it has no inverse.`);
  }
  for (let i = n - 1; i >= 0; i--) {
    for (let j = 0; j < columns; j++) {
      let value = right[i * columns + j];
      for (let k = i + 1; k < n; k++) value -= left[i * n + k] * right[k * columns + j];
      right[i * columns + j] = value / left[i * n + i];
    }
  }
  return right;
}

/** The lower triangular L with L·Lᵀ the matrix, which must be symmetric and positive definite. */
export function cholesky(matrix: Tensor): Tensor {
  const n = squareSize('cholesky', matrix);
  const data = new Float64Array(n * n);
  for (let i = 0; i < n; i++) {
    for (let j = 0; j <= i; j++) {
      let value = matrix.data[i * n + j];
      for (let k = 0; k < j; k++) value -= data[i * n + k] * data[j * n + k];
      if (i !== j) data[i * n + j] = value / data[j * n + j];
      else if (value > 0) data[i * n + i] = Math.sqrt(value);
      else throw new WaymarkError(`T.cholesky needs a positive definite matrix; this one fails at row ${i}.`);
    }
  }
  return new Tensor([n, n], data);
}
