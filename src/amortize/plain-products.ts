/** Products for a few executions, by loops. */

/** x · M, added to `out`; M has `columns` columns. */
export function addProduct(
  x: ArrayLike<number>,
  start: number,
  matrix: ArrayLike<number>,
  rows: number,
  columns: number,
  out: Float64Array,
): void {
  for (let i = 0; i < rows; i++) {
    const factor = x[start + i];
    if (factor === 0) continue;
    for (let j = 0, k = i * columns; j < columns; j++, k++) out[j] += factor * matrix[k];
  }
}
