/** Modified Bessel functions of the first kind, as the von Mises distribution needs them. */

/** Above this the asymptotic expansions are exact to rounding. */
const ASYMPTOTIC_FROM = 30;

/** log I₀(x). */
export function logBesselI0(x: number): number {
  const size = Math.abs(x);
  if (size >= ASYMPTOTIC_FROM) {
    return size - 0.5 * Math.log(2 * Math.PI * size) + Math.log(hankelSum(size, 0));
  }
  // DLMF 10.25.2: all terms are positive. The leading 1 is left to log1p, for small x.
  const quarter = 0.25 * size * size;
  let term = 1;
  let sum = 0;
  for (let k = 1; term > 1e-17 * (1 + sum) || k < 3; k++) {
    term *= quarter / (k * k);
    sum += term;
  }
  return Math.log1p(sum);
}

/** I₁(x) / I₀(x): the mean resultant length of a von Mises distribution of concentration x. */
export function besselRatio(x: number): number {
  const size = Math.abs(x);
  const sign = x < 0 ? -1 : 1;
  if (size >= ASYMPTOTIC_FROM) return (sign * hankelSum(size, 4)) / hankelSum(size, 0);
  // Gauss's continued fraction I₁/I₀ = x/(2 + x²/(4 + x²/(6 + …))), from far enough inside.
  const square = size * size;
  let inner = 0;
  for (let k = 60; k >= 1; k--) inner = square / (2 * k + inner);
  return size === 0 ? 0 : (sign * inner) / size;
}

/** The sum in Iᵥ(x) ~ eˣ / √(2πx) · Σ, with m = 4ν² (DLMF 10.40.1). */
function hankelSum(x: number, m: number): number {
  let term = 1;
  let sum = 1;
  for (let k = 1; k <= 40; k++) {
    const next = (-term * (m - (2 * k - 1) ** 2)) / (8 * k * x);
    if (Math.abs(next) < 1e-18) break;
    term = next;
    sum += term;
  }
  return sum;
}
