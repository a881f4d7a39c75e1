/** The special functions elementwise source code may name, and derivatives of them that nobody else needs. */
import { besselRatio, logBesselI0 } from '../special/bessel.ts';
import { log1mExp, logAddExp, sigmoid } from '../special/exponentials.ts';
import { digamma, logBeta, logGamma, trigamma } from '../special/gamma.ts';
import { betaI } from '../special/incomplete-beta.ts';
import { gammaP, gammaQ } from '../special/incomplete-gamma.ts';
import { erf, erfc, erfInverse, normalCdf, normalQuantile } from '../special/normal.ts';

const MOST_TERMS = 100_000;

/**
 * The derivative of P(a, x) in the shape a, from the series P = Σ xⁿ⁺ᵃ e⁻ˣ / Γ(a + n + 1) (DLMF 8.7.1): each term t
 * contributes t · (log x − ψ(a + n + 1)). Correct to about 1e-15 in absolute terms.
 */
export function gammaPShape(a: number, x: number): number {
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

/** d/dx of I₁(x)/I₀(x) = 1 − r/x − r², and ½ at 0. */
export function besselRatioSlope(x: number): number {
  if (x === 0) return 0.5;
  const r = besselRatio(x);
  return 1 - r / x - r * r;
}

export const special = {
  besselRatio,
  besselRatioSlope,
  betaI,
  digamma,
  erf,
  erfc,
  erfinv: erfInverse,
  gammaP,
  gammaPShape,
  gammaQ,
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
