import type { Random } from '../../runtime/random.ts';
import { logFactorial } from '../../tensor/special/gamma.ts';

/** Below this mean, adding up probabilities is the faster way. */
export const SMALL_MEAN = 10;

/** A sum of probabilities that ends short of 1 by rounding must not be searched for ever. */
const BEYOND = 200;

export function drawPoisson(mu: number, random: Random): number {
  return mu < SMALL_MEAN ? byInversion(mu, random) : byRejection(mu, random);
}

function byInversion(mu: number, random: Random): number {
  for (;;) {
    const k = poissonAt(mu, random.uniform());
    if (k >= 0) return k;
  }
}

/** The number up to which so much probability lies; −1 where that is not found. */
export function poissonAt(mu: number, u: number): number {
  let rest = u;
  let probability = Math.exp(-mu);
  for (let k = 0; k < BEYOND; k++) {
    if (rest <= probability) return k;
    rest -= probability;
    probability *= mu / (k + 1);
  }
  return -1;
}

/** PTRS: Hörmann, "The transformed rejection method for generating Poisson random variables", 1993. */
function byRejection(mu: number, random: Random): number {
  const logMu = Math.log(mu);
  const b = 0.931 + 2.53 * Math.sqrt(mu);
  const a = -0.059 + 0.02483 * b;
  const logInverseAlpha = Math.log(1.1239 + 1.1328 / (b - 3.4));
  const squeeze = 0.9277 - 3.6224 / (b - 2);
  for (;;) {
    const u = random.uniform() - 0.5;
    const v = random.uniform();
    const us = 0.5 - Math.abs(u);
    const k = Math.floor(((2 * a) / us + b) * u + mu + 0.43);
    if (us >= 0.07 && v <= squeeze) return k;
    if (k < 0 || (us < 0.013 && v > us)) continue;
    const height = Math.log(v) + logInverseAlpha - Math.log(a / (us * us) + b);
    if (height <= k * logMu - mu - logFactorial(k)) return k;
  }
}
