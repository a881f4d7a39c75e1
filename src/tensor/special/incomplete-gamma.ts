/** The regularised incomplete gamma functions P(a, x) and Q(a, x) = 1 − P(a, x), and the inverse (DLMF chapter 8). */
import { log1pMinus } from './exponentials.ts';
import { logGamma, stirlingError } from './gamma.ts';
import { normalQuantile } from './normal.ts';
import { solveLogLog } from './quantile.ts';

const TINY = 1e-300;
const EPSILON = 1e-17;

/** xᵃ e⁻ˣ / Γ(a + 1), without the cancellation that large a brings. */
function leadingTerm(a: number, x: number): number {
  if (a < 10) return Math.exp(a * Math.log(x) - x - logGamma(a + 1));
  return Math.exp(a * log1pMinus((x - a) / a) - stirlingError(a)) / Math.sqrt(2 * Math.PI * a);
}

/** P(a, x) by its power series (DLMF 8.11.4), for x < a + 1. */
function bySeries(a: number, x: number): number {
  let term = 1;
  let sum = 1;
  for (let n = 1; term > sum * EPSILON; n++) {
    term *= x / (a + n);
    sum += term;
  }
  return leadingTerm(a, x) * sum;
}

/** Q(a, x) by its continued fraction (DLMF 8.9.2, evaluated with Lentz's method), for x ≥ a + 1. */
function byFraction(a: number, x: number): number {
  let b = x + 1 - a;
  let c = 1 / TINY;
  let d = 1 / b;
  let value = d;
  for (let i = 1; i < 1_000_000; i++) {
    const an = -i * (i - a);
    b += 2;
    d = 1 / nonzero(an * d + b);
    c = nonzero(b + an / c);
    const factor = d * c;
    value *= factor;
    if (Math.abs(factor - 1) < 1e-16) break;
  }
  return leadingTerm(a, x) * a * value;
}

/** Keeps the fractions of Lentz's method away from 0. */
export function nonzero(x: number): number {
  return Math.abs(x) < TINY ? TINY : x;
}

/** P(a, x): the distribution function of Gamma(shape a, scale 1). */
export function gammaP(a: number, x: number): number {
  if (!(x > 0)) return 0;
  if (x === Infinity) return 1;
  return x < a + 1 ? Math.min(1, bySeries(a, x)) : 1 - byFraction(a, x);
}

/** Q(a, x) = 1 − P(a, x), precise where it is small. */
export function gammaQ(a: number, x: number): number {
  if (!(x > 0)) return 1;
  if (x === Infinity) return 0;
  return x < a + 1 ? 1 - bySeries(a, x) : Math.min(1, byFraction(a, x));
}

/** The density of Gamma(shape a, scale 1). */
function density(a: number, x: number): number {
  return (leadingTerm(a, x) * a) / x;
}

/** The x with P(a, x) = p. */
export function gammaPInverse(a: number, p: number): number {
  if (p <= 0) return 0;
  if (p >= 1) return Infinity;
  if (p > 0.9) return solveUpperTail(a, 1 - p, firstGuess(a, p));
  const start = firstGuess(a, p);
  if (start === 0) return 0;
  return solveLogLog(
    (x) => gammaP(a, x),
    (x) => density(a, x),
    p,
    start,
    Number.MAX_VALUE,
  );
}

/** The x with Q(a, x) = q, precise where q is small. */
export function gammaQInverse(a: number, q: number): number {
  if (q >= 0.1) return gammaPInverse(a, 1 - q);
  return q <= 0 ? Infinity : solveUpperTail(a, q, firstGuess(a, 1 - q));
}

/** The cube-root normal of Wilson and Hilferty, or the first term of the series. */
function firstGuess(a: number, p: number): number {
  const third = 1 / (9 * a);
  const cubeRoot = 1 - third + Math.min(normalQuantile(p), 9) * Math.sqrt(third);
  if (a > 1 && cubeRoot > 0.1) return a * cubeRoot ** 3;
  return Math.min(Math.exp((Math.log(p) + logGamma(a + 1)) / a), a + 1);
}

/** As `solveLogLog`, for Q, which falls: near p = 1 it alone has the digits. */
function solveUpperTail(a: number, q: number, start: number): number {
  const target = Math.log(q);
  let low = 0;
  let high = Infinity;
  let x = Math.max(start, 1e-300);
  for (let i = 0; i < 200; i++) {
    const tail = gammaQ(a, x);
    const excess = Math.log(tail) - target;
    if (Math.abs(excess) < 1e-16) return x;
    if (excess > 0) low = x;
    else high = x;
    const newton = x + (excess * tail) / density(a, x);
    const next = newton > low && newton < high ? newton : high === Infinity ? 2 * x : 0.5 * (low + high);
    if (Math.abs(next - x) <= 2e-16 * x) return next;
    x = next;
  }
  return x;
}
