import type { Distribution } from '../runtime/handler.ts';
import { HALF_LOG_2PI } from '../tensor/constants.ts';
import { inverseSoftplus, log1mExp, softplus } from '../tensor/special/exponentials.ts';
import { normalCdf, normalQuantile } from '../tensor/special/normal.ts';
import { family } from './family.ts';
import { Gaussian } from './gaussian.ts';
import { positive, real } from './parameter.ts';
import { reals } from './value-kind.ts';

/** The softplus of a Gaussian(mu, sigma): the paper's InverseSoftplusNormal, a guide for positive numbers. */
export const IspNormal = family(
  { name: 'IspNormal', params: { mu: real, sigma: positive }, values: reals },
  {
    draw: ({ mu, sigma }, random) => Math.max(softplus(mu + sigma * random.gaussian()), Number.MIN_VALUE),
    score({ mu, sigma }, x) {
      if (x <= 0) return -Infinity;
      const z = (inverseSoftplus(x) - mu) / sigma;
      // The derivative of the inverse of softplus is 1 / (1 − e⁻ˣ).
      return -0.5 * z * z - Math.log(sigma) - HALF_LOG_2PI - log1mExp(-x);
    },
    support: () => ({ lower: 0, upper: Infinity }),
    cdf: ({ mu, sigma }, x) => (x <= 0 ? 0 : normalCdf((inverseSoftplus(x) - mu) / sigma)),
    quantile: ({ mu, sigma }, p) => softplus(mu + sigma * normalQuantile(p)),
    reparameterisation: {
      base: (): Distribution<number> => Gaussian({ mu: 0, sigma: 1 }),
      transform: ({ mu, sigma }, noise) => softplus(mu + sigma * noise),
    },
  },
);
