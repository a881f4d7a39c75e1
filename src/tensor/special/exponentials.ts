/** Logarithms and exponentials that neither overflow nor lose their digits. */

/** log(1 + eˣ), the smooth version of max(0, x). */
export function softplus(x: number): number {
  return x > 0 ? x + Math.log1p(Math.exp(-x)) : Math.log1p(Math.exp(x));
}

/** The x with softplus(x) = y, for y > 0: log(eʸ − 1). */
export function inverseSoftplus(y: number): number {
  return y + log1mExp(-y);
}

/** log(1 − eˣ) for x < 0. */
export function log1mExp(x: number): number {
  return x > -Math.LN2 ? Math.log(-Math.expm1(x)) : Math.log1p(-Math.exp(x));
}

/** 1 / (1 + e⁻ˣ). */
export function sigmoid(x: number): number {
  if (x >= 0) return 1 / (1 + Math.exp(-x));
  const e = Math.exp(x);
  return e / (1 + e);
}

/** The x with sigmoid(x) = p. */
export function logit(p: number): number {
  return Math.log(p) - Math.log1p(-p);
}

/** log(1 + x) − x, with all its digits near 0. */
export function log1pMinus(x: number): number {
  if (Math.abs(x) > 0.4) return Math.log1p(x) - x;
  // log(1 + x) = 2 artanh r with r = x / (2 + x); its first term and x combine exactly.
  const r = x / (2 + x);
  const y = r * r;
  let sum = 0;
  for (let k = 12; k >= 0; k--) sum = 1 / (2 * k + 3) + y * sum;
  return r * (2 * y * sum - x);
}

/** log(eᵃ + eᵇ). */
export function logAddExp(a: number, b: number): number {
  if (a === -Infinity) return b;
  if (a === b) return a + Math.LN2;
  return a > b ? a + Math.log1p(Math.exp(b - a)) : b + Math.log1p(Math.exp(a - b));
}

/** log Σ exp(xᵢ); −∞ of nothing. */
export function logSumExp(xs: ArrayLike<number>): number {
  let largest = -Infinity;
  for (let i = 0; i < xs.length; i++) if (xs[i] > largest) largest = xs[i];
  if (largest === -Infinity || largest === Infinity) return largest;
  let total = 0;
  for (let i = 0; i < xs.length; i++) total += Math.exp(xs[i] - largest);
  return largest + Math.log(total);
}
