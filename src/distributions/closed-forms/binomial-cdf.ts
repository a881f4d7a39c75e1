import { betaI } from '../../tensor/special/incomplete-beta.ts';

/** The probability of at most x successes in n trials. */
export function binomialCdf(p: number, n: number, x: number): number {
  const k = Math.floor(x);
  if (k < 0 || k >= n) return k < 0 ? 0 : 1;
  // The form whose argument is the smaller one keeps its digits.
  return p < 0.5 ? 1 - betaI(k + 1, n - k, p) : betaI(n - k, k + 1, 1 - p);
}
