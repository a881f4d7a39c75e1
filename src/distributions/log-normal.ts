import type { Distribution } from '../runtime/handler.ts';
import { HALF_LOG_2PI } from '../tensor/constants.ts';
import { normalCdf, normalQuantile } from '../tensor/special/normal.ts';
import { positiveExp } from './draws/gamma.ts';
import { family } from './family.ts';
import { Gaussian } from './gaussian.ts';
import { positive, real } from './parameter.ts';
import { reals } from './value-kind.ts';

/** The exponential of a Gaussian(mu, sigma). */
export const LogNormal = family(
  { name: 'LogNormal', params: { mu: real, sigma: positive }, values: reals },
  {
    draw: ({ mu, sigma }, random) => positiveExp(mu + sigma * random.gaussian()),
    score({ mu, sigma }, x) {
      if (x <= 0) return -Infinity;
      const logX = Math.log(x);
      const z = (logX - mu) / sigma;
      return -0.5 * z * z - Math.log(sigma) - HALF_LOG_2PI - logX;
    },
    support: () => ({ lower: 0, upper: Infinity }),
    mean: ({ mu, sigma }) => Math.exp(mu + 0.5 * sigma * sigma),
    variance: ({ mu, sigma }) => Math.expm1(sigma * sigma) * Math.exp(2 * mu + sigma * sigma),
    entropy: ({ mu, sigma }) => mu + 0.5 + HALF_LOG_2PI + Math.log(sigma),
    cdf: ({ mu, sigma }, x) => (x <= 0 ? 0 : normalCdf((Math.log(x) - mu) / sigma)),
    survival: ({ mu, sigma }, x) => (x <= 0 ? 1 : normalCdf((mu - Math.log(x)) / sigma)),
    quantile: ({ mu, sigma }, p) => Math.exp(mu + sigma * normalQuantile(p)),
    reparameterisation: {
      base: (): Distribution<number> => Gaussian({ mu: 0, sigma: 1 }),
      transform: ({ mu, sigma }, noise) => Math.exp(mu + sigma * noise),
    },
  },
);
