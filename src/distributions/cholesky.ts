/** Symmetric positive definite matrices, by their Cholesky factors. Matrices are n × n, row-major. */

/** The lower-triangular L with L Lᵀ = A, or undefined if A is not positive definite. Reads only A's lower half. */
export function cholesky(a: Float64Array, n: number): Float64Array | undefined {
  const l = new Float64Array(n * n);
  for (let i = 0; i < n; i++) {
    for (let j = 0; j <= i; j++) {
      let sum = a[i * n + j];
      for (let k = 0; k < j; k++) sum -= l[i * n + k] * l[j * n + k];
      if (i === j) {
        if (!(sum > 0)) return undefined;
        l[i * n + i] = Math.sqrt(sum);
      } else {
        l[i * n + j] = sum / l[j * n + j];
      }
    }
  }
  return l;
}

/** Whether A equals its transpose, to within rounding of its elements. */
export function isSymmetric(a: Float64Array, n: number): boolean {
  for (let i = 0; i < n; i++) {
    for (let j = 0; j < i; j++) {
      const [below, above] = [a[i * n + j], a[j * n + i]];
      if (Math.abs(below - above) > 1e-8 * Math.max(Math.abs(below), Math.abs(above))) return false;
    }
  }
  return true;
}

/** What keeps a matrix from being a covariance, or undefined. */
export function notACovariance(a: Float64Array, n: number, factor: Float64Array | undefined): string | undefined {
  if (!isSymmetric(a, n)) return 'must be symmetric';
  if (factor === undefined) {
    return 'must be positive definite, and it has no Cholesky factor (adding a small number to its diagonal may help)';
  }
  return undefined;
}

/** What keeps the parameter of that name from being the covariance, or its inverse, of vectors about `mu`; or undefined. */
export function notACovarianceOf(
  mu: { readonly length: number },
  name: string,
  matrix: { readonly data: Float64Array; readonly dims: readonly number[] },
  factor: Float64Array | undefined,
): string | undefined {
  const n = matrix.dims[0];
  if (mu.length !== n) return `${name} must have a row for each element of mu, got ${n} rows for ${mu.length} elements`;
  const problem = notACovariance(matrix.data, n, factor);
  return problem && `${name} ${problem}`;
}

/** log det A of the A that L is the factor of. */
export function logDeterminant(l: Float64Array, n: number): number {
  let total = 0;
  for (let i = 0; i < n; i++) total += Math.log(l[i * n + i]);
  return 2 * total;
}

/** The y with L y = x. */
export function solveLower(l: Float64Array, n: number, x: ArrayLike<number>): Float64Array {
  const y = new Float64Array(n);
  for (let i = 0; i < n; i++) {
    let sum = x[i];
    for (let k = 0; k < i; k++) sum -= l[i * n + k] * y[k];
    y[i] = sum / l[i * n + i];
  }
  return y;
}

/** The sum of the squares of the elements of L⁻¹ X, for a lower-triangular X. */
export function squaresOfSolution(l: Float64Array, n: number, x: Float64Array): number {
  let squares = 0;
  for (let j = 0; j < n; j++) {
    const column = Float64Array.from({ length: n }, (_, i) => x[i * n + j]);
    for (const y of solveLower(l, n, column)) squares += y * y;
  }
  return squares;
}

/** The y with Lᵀ y = x. */
export function solveUpper(l: Float64Array, n: number, x: ArrayLike<number>): Float64Array {
  const y = new Float64Array(n);
  for (let i = n - 1; i >= 0; i--) {
    let sum = x[i];
    for (let k = i + 1; k < n; k++) sum -= l[k * n + i] * y[k];
    y[i] = sum / l[i * n + i];
  }
  return y;
}

/** The inverse of the A that L is the factor of, exactly symmetric. */
export function inverseOf(l: Float64Array, n: number): Float64Array {
  const inverse = new Float64Array(n * n);
  for (let j = 0; j < n; j++) {
    const unit = Float64Array.from({ length: n }, (_, i) => (i === j ? 1 : 0));
    const column = solveUpper(l, n, solveLower(l, n, unit));
    for (let i = j; i < n; i++) {
      inverse[i * n + j] = column[i];
      inverse[j * n + i] = column[i];
    }
  }
  return inverse;
}

/** L x. */
export function timesLower(l: Float64Array, n: number, x: ArrayLike<number>): Float64Array {
  const y = new Float64Array(n);
  for (let i = 0; i < n; i++) {
    let sum = 0;
    for (let k = 0; k <= i; k++) sum += l[i * n + k] * x[k];
    y[i] = sum;
  }
  return y;
}
