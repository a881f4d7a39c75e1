import type { Distribution } from '../runtime/handler.ts';
import { EULER } from '../tensor/constants.ts';
import { logGamma } from '../tensor/special/gamma.ts';
import { positiveExp } from './draws/gamma.ts';
import { family } from './family.ts';
import { positive } from './parameter.ts';
import { Uniform } from './uniform.ts';
import { reals } from './value-kind.ts';

/** A life time; `shape` above 1 means ageing, below 1 that the weak fail early. */
export const Weibull = family(
  { name: 'Weibull', params: { shape: positive, scale: positive }, values: reals },
  {
    draw: ({ shape, scale }, random) => positiveExp(Math.log(scale) + Math.log(-Math.log(random.uniform())) / shape),
    score({ shape, scale }, x) {
      if (x <= 0) return -Infinity;
      const logZ = Math.log(x / scale);
      return Math.log(shape / scale) + (shape - 1) * logZ - Math.exp(shape * logZ);
    },
    support: () => ({ lower: 0, upper: Infinity }),
    mean: ({ shape, scale }) => scale * Math.exp(logGamma(1 + 1 / shape)),
    variance({ shape, scale }) {
      const mean = Math.exp(logGamma(1 + 1 / shape));
      return scale * scale * (Math.exp(logGamma(1 + 2 / shape)) - mean * mean);
    },
    entropy: ({ shape, scale }) => EULER * (1 - 1 / shape) + Math.log(scale / shape) + 1,
    cdf: ({ shape, scale }, x) => (x <= 0 ? 0 : -Math.expm1(-((x / scale) ** shape))),
    survival: ({ shape, scale }, x) => (x <= 0 ? 1 : Math.exp(-((x / scale) ** shape))),
    quantile: ({ shape, scale }, p) => scale * (-Math.log1p(-p)) ** (1 / shape),
    reparameterisation: {
      base: (): Distribution<number> => Uniform({ a: 0, b: 1 }),
      transform: ({ shape, scale }, noise) => scale * (-Math.log(noise)) ** (1 / shape),
    },
  },
);
