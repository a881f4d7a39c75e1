import type { Distribution } from '../runtime/handler.ts';
import { HALF_LOG_2PI } from '../tensor/constants.ts';
import { normalCdf, normalQuantile } from '../tensor/special/normal.ts';
import { family } from './family.ts';
import { positive, real } from './parameter.ts';
import { reals } from './value-kind.ts';

/** The normal distribution with mean `mu` and standard deviation `sigma`. */
export const Gaussian = family(
  { name: 'Gaussian', params: { mu: real, sigma: positive }, values: reals },
  {
    draw: ({ mu, sigma }, random) => mu + sigma * random.gaussian(),
    score({ mu, sigma }, x) {
      const z = (x - mu) / sigma;
      return -0.5 * z * z - Math.log(sigma) - HALF_LOG_2PI;
    },
    mean: ({ mu }) => mu,
    variance: ({ sigma }) => sigma * sigma,
    entropy: ({ sigma }) => 0.5 + HALF_LOG_2PI + Math.log(sigma),
    cdf: ({ mu, sigma }, x) => normalCdf((x - mu) / sigma),
    survival: ({ mu, sigma }, x) => normalCdf((mu - x) / sigma),
    quantile: ({ mu, sigma }, p) => mu + sigma * normalQuantile(p),
    reparameterisation: {
      base: (): Distribution<number> => Gaussian({ mu: 0, sigma: 1 }),
      transform: ({ mu, sigma }, noise) => mu + sigma * noise,
      score: ({ sigma }, noise) => -0.5 * noise * noise - Math.log(sigma) - HALF_LOG_2PI,
    },
  },
);
