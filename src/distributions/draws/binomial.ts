import type { Random } from '../../runtime/random.ts';
import { logFactorial } from '../../tensor/special/gamma.ts';
import { SMALL_MEAN } from './poisson.ts';

/** Number of successes in n trials of probability p. */
export function drawBinomial(p: number, n: number, random: Random): number {
  if (p > 0.5) return n - drawBinomial(1 - p, n, random);
  if (p === 0 || n === 0) return 0;
  return n * p < SMALL_MEAN ? byInversion(p, n, random) : byRejection(p, n, random);
}

function byInversion(p: number, n: number, random: Random): number {
  for (;;) {
    const k = binomialAt(p, n, random.uniform());
    if (k >= 0) return k;
  }
}

/** The number up to which so much probability lies, for p ≤ 1/2; −1 where that is not found, since by rounding the sum of the probabilities may end short of 1. */
export function binomialAt(p: number, n: number, u: number): number {
  const odds = p / (1 - p);
  const beyond = Math.min(n, 300);
  let rest = u;
  let probability = Math.exp(n * Math.log1p(-p));
  for (let k = 0; k <= beyond; k++) {
    if (rest <= probability) return k;
    rest -= probability;
    probability *= (odds * (n - k)) / (k + 1);
  }
  return -1;
}

/** BTRS: Hörmann, "The generation of binomial random variates", 1993. */
function byRejection(p: number, n: number, random: Random): number {
  const q = 1 - p;
  const spread = Math.sqrt(n * p * q);
  const b = 1.15 + 2.53 * spread;
  const a = -0.0873 + 0.0248 * b + 0.01 * p;
  const centre = n * p + 0.5;
  const squeeze = 0.92 - 4.2 / b;
  const alpha = (2.83 + 5.1 / b) * spread;
  const logOdds = Math.log(p / q);
  const mode = Math.floor((n + 1) * p);
  const atMode = logFactorial(mode) + logFactorial(n - mode);
  for (;;) {
    const u = random.uniform() - 0.5;
    const v = random.uniform();
    const us = 0.5 - Math.abs(u);
    const k = Math.floor(((2 * a) / us + b) * u + centre);
    if (k < 0 || k > n) continue;
    if (us >= 0.07 && v <= squeeze) return k;
    const height = Math.log((v * alpha) / (a / (us * us) + b));
    if (height <= atMode - logFactorial(k) - logFactorial(n - k) + (k - mode) * logOdds) return k;
  }
}
