import type { Distribution } from '../runtime/handler.ts';
import { HALF_LOG_2PI } from '../tensor/constants.ts';
import { sigmoid } from '../tensor/special/exponentials.ts';
import { normalCdf, normalQuantile } from '../tensor/special/normal.ts';
import { nextTowards } from './draws/next-towards.ts';
import { family } from './family.ts';
import { Gaussian } from './gaussian.ts';
import { bound, optional, positive, real } from './parameter.ts';
import { reals } from './value-kind.ts';

/** The sigmoid of a Gaussian(mu, sigma), stretched to the interval from `a` to `b`, by default from 0 to 1. */
export const LogitNormal = family(
  {
    name: 'LogitNormal',
    params: { mu: real, sigma: positive, a: optional(bound), b: optional(bound) },
    values: reals,
  },
  {
    check: ({ a = 0, b = 1 }) => (a < b ? undefined : `a must be less than b, got a = ${a} and b = ${b}`),
    draw: ({ mu, sigma, a = 0, b = 1 }, random) => inside(a, b, sigmoid(mu + sigma * random.gaussian())),
    score({ mu, sigma, a = 0, b = 1 }, x) {
      if (x <= a || x >= b) return -Infinity;
      const fromA = Math.log(x - a);
      const toB = Math.log(b - x);
      const z = (fromA - toB - mu) / sigma;
      return -0.5 * z * z - Math.log(sigma) - HALF_LOG_2PI + Math.log(b - a) - fromA - toB;
    },
    support: ({ a = 0, b = 1 }) => ({ lower: a, upper: b }),
    cdf({ mu, sigma, a = 0, b = 1 }, x) {
      if (x <= a || x >= b) return x <= a ? 0 : 1;
      return normalCdf((Math.log(x - a) - Math.log(b - x) - mu) / sigma);
    },
    quantile: ({ mu, sigma, a = 0, b = 1 }, p) => a + (b - a) * sigmoid(mu + sigma * normalQuantile(p)),
    reparameterisation: {
      base: (): Distribution<number> => Gaussian({ mu: 0, sigma: 1 }),
      transform: ({ mu, sigma, a = 0, b = 1 }, noise) => a + (b - a) * sigmoid(mu + sigma * noise),
    },
  },
);

/** The point at the fraction s between a and b, kept off both ends, where the density is 0. */
function inside(a: number, b: number, s: number): number {
  const x = a + (b - a) * s;
  if (x <= a) return nextTowards(a, b);
  return x >= b ? nextTowards(b, a) : x;
}
