/** The special functions elementwise source code may name, and derivatives of them that only gradients need. */
import { besselRatio, logBesselI0 } from '../special/bessel.ts';
import { log1mExp, logAddExp, sigmoid } from '../special/exponentials.ts';
import { digamma, logBeta, logGamma, trigamma } from '../special/gamma.ts';
import { betaI, betaIInverse } from '../special/incomplete-beta.ts';
import { gammaP, gammaPInverse, gammaQ, gammaQInverse } from '../special/incomplete-gamma.ts';
import { erf, erfc, erfInverse, normalCdf, normalQuantile } from '../special/normal.ts';

const MOST_TERMS = 100_000;

/**
 * The derivative of P(a, x) in the shape a, from the series P = Σ xⁿ⁺ᵃ e⁻ˣ / Γ(a + n + 1) (DLMF 8.7.1): each term t
 * contributes t · (log x − ψ(a + n + 1)). Correct to about 1e-15 in absolute terms.
 */
function gammaPShape(a: number, x: number): number {
  if (!(x > 0) || x === Infinity) return Number.isNaN(x) || Number.isNaN(a) ? Number.NaN : 0;
  const logX = Math.log(x);
  let term = Math.exp(a * logX - x - logGamma(a + 1));
  let psi = digamma(a + 1);
  let sum = 0;
  for (let n = 1; n <= MOST_TERMS; n++) {
    const part = term * (logX - psi);
    sum += part;
    // Terms shrink once n > x − a; before that a small one may stand between large ones.
    if (a + n > x && Math.abs(part) <= 1e-17 * Math.abs(sum)) break;
    if (term === 0) break;
    term *= x / (a + n);
    psi += 1 / (a + n);
  }
  return sum;
}

/**
 * The derivatives of I(a, b; x) in a and in b, from the series I = Σ xᵃ⁺ⁿ (1 − x)ᵇ Γ(a + b + n) / (Γ(a + n + 1) Γ(b)) (DLMF
 * 8.17.8), whose terms are positive: each contributes itself times the derivative of its logarithm. Beyond the mean the
 * terms shrink slowly, and I(a, b; x) = 1 − I(b, a; 1 − x) takes over. Correct to about 1e-14 in absolute terms.
 */
function betaISlope(a: number, b: number, x: number, ofFirst: boolean): number {
  if (Number.isNaN(a + b + x)) return Number.NaN;
  if (!(x > 0 && x < 1)) return 0;
  if (x > (a + 1) / (a + b + 2)) return -betaISeriesSlope(b, a, 1 - x, !ofFirst);
  return betaISeriesSlope(a, b, x, ofFirst);
}

function betaISeriesSlope(a: number, b: number, x: number, ofFirst: boolean): number {
  const logX = Math.log(x);
  const logRest = Math.log1p(-x);
  let term = Math.exp(a * logX + b * logRest - logBeta(a, b) - Math.log(a));
  let both = digamma(a + b);
  let other = ofFirst ? digamma(a + 1) : digamma(b);
  const log = ofFirst ? logX : logRest;
  let sum = 0;
  for (let n = 0; n < MOST_TERMS; n++) {
    const part = term * (log + both - other);
    sum += part;
    const ratio = (x * (a + b + n)) / (a + n + 1);
    if (term === 0 || (ratio < 1 && Math.abs(part) * ratio <= 1e-17 * (1 - ratio) * Math.abs(sum))) break;
    term *= ratio;
    both += 1 / (a + b + n);
    if (ofFirst) other += 1 / (a + n + 1);
  }
  return sum;
}

const betaIFirst = (a: number, b: number, x: number): number => betaISlope(a, b, x, true);
const betaISecond = (a: number, b: number, x: number): number => betaISlope(a, b, x, false);

/** d/dx of I₁(x)/I₀(x) = 1 − r/x − r², and ½ at 0. */
function besselRatioSlope(x: number): number {
  if (x === 0) return 0.5;
  const r = besselRatio(x);
  return 1 - r / x - r * r;
}

export const special = {
  besselRatio,
  besselRatioSlope,
  betaI,
  betaIFirst,
  betaIInverse,
  betaISecond,
  digamma,
  erf,
  erfc,
  erfinv: erfInverse,
  gammaP,
  gammaPInverse,
  gammaPShape,
  gammaQ,
  gammaQInverse,
  lgamma: logGamma,
  log1mExp,
  logAddExp,
  logBesselI0,
  logBeta,
  normalCdf,
  normalQuantile,
  sigmoid,
  trigamma,
};
