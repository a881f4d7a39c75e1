import type { Distribution } from '../runtime/handler.ts';
import { erf, erfc, erfInverse } from '../tensor/special/normal.ts';
import { family } from './family.ts';
import { Gaussian } from './gaussian.ts';
import { positive } from './parameter.ts';
import { reals } from './value-kind.ts';

export const LOG_ROOT_HALF_PI = 0.5 * Math.log(Math.PI / 2);

/** The size of a Gaussian(0, sigma). */
export const HalfNormal = family(
  { name: 'HalfNormal', params: { sigma: positive }, values: reals },
  {
    draw: ({ sigma }, random) => sigma * Math.abs(random.gaussian()),
    score({ sigma }, x) {
      if (x < 0) return -Infinity;
      const z = x / sigma;
      return -0.5 * z * z - Math.log(sigma) - LOG_ROOT_HALF_PI;
    },
    support: () => ({ lower: 0, upper: Infinity }),
    mean: ({ sigma }) => sigma * Math.sqrt(2 / Math.PI),
    variance: ({ sigma }) => sigma * sigma * (1 - 2 / Math.PI),
    entropy: ({ sigma }) => 0.5 + LOG_ROOT_HALF_PI + Math.log(sigma),
    cdf: ({ sigma }, x) => (x <= 0 ? 0 : erf(x / (sigma * Math.SQRT2))),
    survival: ({ sigma }, x) => (x <= 0 ? 1 : erfc(x / (sigma * Math.SQRT2))),
    quantile: ({ sigma }, p) => sigma * Math.SQRT2 * erfInverse(p),
    reparameterisation: {
      base: (): Distribution<number> => Gaussian({ mu: 0, sigma: 1 }),
      transform: ({ sigma }, noise) => sigma * Math.abs(noise),
    },
  },
);
