import { digamma, logGamma } from '../tensor/special/gamma.ts';
import { gammaP, gammaQ, gammaQInverse } from '../tensor/special/incomplete-gamma.ts';
import { drawLogGamma, positiveExp } from './draws/gamma.ts';
import { family } from './family.ts';
import { positive } from './parameter.ts';
import { reals } from './value-kind.ts';

/** One divided by a Gamma with rate `scale`: the conjugate prior of a Gaussian's variance. */
export const InverseGamma = family(
  { name: 'InverseGamma', params: { shape: positive, scale: positive }, values: reals },
  {
    draw: ({ shape, scale }, random) => positiveExp(Math.log(scale) - drawLogGamma(shape, random)),
    score({ shape, scale }, x) {
      if (x <= 0) return -Infinity;
      return shape * Math.log(scale) - logGamma(shape) - (shape + 1) * Math.log(x) - scale / x;
    },
    support: () => ({ lower: 0, upper: Infinity }),
    mean: ({ shape, scale }) => (shape > 1 ? scale / (shape - 1) : Infinity),
    variance: ({ shape, scale }) => (shape > 2 ? (scale / (shape - 1)) ** 2 / (shape - 2) : Infinity),
    entropy: ({ shape, scale }) => shape + Math.log(scale) + logGamma(shape) - (1 + shape) * digamma(shape),
    cdf: ({ shape, scale }, x) => (x <= 0 ? 0 : gammaQ(shape, scale / x)),
    survival: ({ shape, scale }, x) => (x <= 0 ? 1 : gammaP(shape, scale / x)),
    quantile: ({ shape, scale }, p) => scale / gammaQInverse(shape, p),
  },
);
