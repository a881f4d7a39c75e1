/**
 * Distribution functions of whole numbers from 0 to a last one, by adding up. Files of this folder are read a second time for the
 * graph, as families are.
 */

/** P(X ≤ x). */
export function listedCdf(last: number, score: (k: number) => number, x: number): number {
  if (x >= last) return 1;
  let sum = 0;
  for (let k = 0; k < last; k++) sum += k <= x ? Math.exp(score(k)) : 0;
  return Math.min(1, sum);
}

/** The first number that leaves no more than 1 − p behind it. */
export function listedQuantile(last: number, score: (k: number) => number, p: number): number {
  let sum = 0;
  for (let k = 0; k < last; k++) {
    sum += Math.exp(score(k));
    if (sum >= p * (1 - 1e-14)) return k;
  }
  return last;
}
