import type { Distribution } from '../runtime/handler.ts';
import { HALF_LOG_2PI } from '../tensor/constants.ts';
import { inverseSoftplus, log1mExp, softplus } from '../tensor/special/exponentials.ts';
import { normalCdf, normalQuantile } from '../tensor/special/normal.ts';
import { nextTowards } from './draws/next-towards.ts';
import { family } from './family.ts';
import { Gaussian } from './gaussian.ts';
import { bound, optional, positive, real } from './parameter.ts';
import { reals } from './value-kind.ts';

/**
 * The softplus of a Gaussian(mu, sigma): the paper's InverseSoftplusNormal, a guide for positive numbers. With `a` it is added to that number,
 * and with `b` in place of it taken from it: a guide for numbers greater than a, or less than b.
 */
export const IspNormal = family(
  { name: 'IspNormal', params: { mu: real, sigma: positive, a: optional(bound), b: optional(bound) }, values: reals },
  {
    check: ({ a, b }) =>
      a === undefined || b === undefined ? undefined : 'it takes a or b, not both; LogitNormal has two ends',
    draw({ mu, sigma, a, b }, random) {
      const distance = Math.max(softplus(mu + sigma * random.gaussian()), Number.MIN_VALUE);
      if (a === undefined && b === undefined) return distance;
      return b === undefined ? off(a as number, distance) : off(b, -distance);
    },
    score({ mu, sigma, a = 0, b }, x) {
      const distance = b === undefined ? x - a : b - x;
      if (distance <= 0) return -Infinity;
      const z = (inverseSoftplus(distance) - mu) / sigma;
      // The derivative of the inverse of softplus is 1 / (1 − e⁻ˣ).
      return -0.5 * z * z - Math.log(sigma) - HALF_LOG_2PI - log1mExp(-distance);
    },
    support: ({ a = 0, b }) => (b === undefined ? { lower: a, upper: Infinity } : { lower: -Infinity, upper: b }),
    cdf({ mu, sigma, a = 0, b }, x) {
      const distance = b === undefined ? x - a : b - x;
      const below = distance <= 0 ? 0 : normalCdf((inverseSoftplus(distance) - mu) / sigma);
      return b === undefined ? below : 1 - below;
    },
    quantile: ({ mu, sigma, a = 0, b }, p) =>
      b === undefined ? a + softplus(mu + sigma * normalQuantile(p)) : b - softplus(mu + sigma * normalQuantile(1 - p)),
    reparameterisation: {
      base: (): Distribution<number> => Gaussian({ mu: 0, sigma: 1 }),
      transform: ({ mu, sigma, a = 0, b }, noise) =>
        b === undefined ? a + softplus(mu + sigma * noise) : b - softplus(mu + sigma * noise),
    },
  },
);

/** A point at some distance from an end, kept off it, where the density is 0. */
function off(end: number, distance: number): number {
  const x = end + distance;
  return x === end ? nextTowards(end, end + Math.sign(distance)) : x;
}
