/** The regularised incomplete beta function I(a, b; x) and its inverse (DLMF 8.17). */
import { log1pMinus } from './exponentials.ts';
import { logBeta, stirlingError } from './gamma.ts';
import { nonzero } from './incomplete-gamma.ts';
import { solveLogLog } from './quantile.ts';

/** xᵃ (1 − x)ᵇ / B(a, b), with y = 1 − x, without the cancellation that large a and b bring. */
function leadingTerm(a: number, b: number, x: number, y: number): number {
  if (a < 10 || b < 10) return Math.exp(a * Math.log(x) + b * (x < 0.5 ? Math.log1p(-x) : Math.log(y)) - logBeta(a, b));
  const n = a + b;
  const distance = x < 0.5 ? x - a / n : b / n - y;
  const exponent = a * log1pMinus((distance * n) / a) + b * log1pMinus((-distance * n) / b);
  const correction = stirlingError(n) - stirlingError(a) - stirlingError(b);
  return Math.exp(exponent + correction) * Math.sqrt((a * b) / (2 * Math.PI * n));
}

/** The continued fraction DLMF 8.17.22 by Lentz's method; converges fast for x < (a + 1) / (a + b + 2). */
function fraction(a: number, b: number, x: number): number {
  let c = 1;
  let d = 1 / nonzero(1 - ((a + b) * x) / (a + 1));
  let value = d;
  for (let m = 1; m < 1_000_000; m++) {
    const even = (m * (b - m) * x) / ((a + 2 * m - 1) * (a + 2 * m));
    d = 1 / nonzero(1 + even * d);
    c = nonzero(1 + even / c);
    value *= d * c;
    const odd = (-(a + m) * (a + b + m) * x) / ((a + 2 * m) * (a + 2 * m + 1));
    d = 1 / nonzero(1 + odd * d);
    c = nonzero(1 + odd / c);
    const factor = d * c;
    value *= factor;
    if (Math.abs(factor - 1) < 1e-16) break;
  }
  return value;
}

/** I(a, b; x) with y = 1 − x given too, because near x = 1 it alone has the digits. */
function regularised(a: number, b: number, x: number, y: number): number {
  if (!(x > 0)) return 0;
  if (!(y > 0)) return 1;
  const term = leadingTerm(a, b, x, y);
  if (x < (a + 1) / (a + b + 2)) return Math.min(1, (term * fraction(a, b, x)) / a);
  return Math.max(0, 1 - (term * fraction(b, a, y)) / b);
}

/** I(a, b; x): the distribution function of Beta(a, b). */
export function betaI(a: number, b: number, x: number): number {
  return regularised(a, b, x, 1 - x);
}

/** The x with I(a, b; x) = p. */
export function betaIInverse(a: number, b: number, p: number): number {
  if (p <= 0) return 0;
  if (p >= 1) return 1;
  const mean = a / (a + b);
  // The side of the mean on which the answer lies is solved for, so that it is found with all its digits.
  if (p <= betaI(a, b, mean)) return lowerSide(a, b, p, mean);
  return 1 - lowerSide(b, a, 1 - p, b / (a + b));
}

function lowerSide(a: number, b: number, p: number, mean: number): number {
  const start = Math.exp((Math.log(p) + Math.log(a) + logBeta(a, b)) / a);
  if (start === 0) return 0;
  const density = (x: number) => leadingTerm(a, b, x, 1 - x) / (x * (1 - x));
  return solveLogLog((x) => betaI(a, b, x), density, p, Math.min(start, mean), Math.min(1, mean * (1 + 1e-9)));
}
