import { digamma, logGamma } from '../tensor/special/gamma.ts';
import { gammaP, gammaPInverse, gammaQ } from '../tensor/special/incomplete-gamma.ts';
import { drawLogGamma, positiveExp } from './draws/gamma.ts';
import { family } from './family.ts';
import { positive } from './parameter.ts';
import { reals } from './value-kind.ts';

/** A positive number with mean `shape` times `scale`. */
export const Gamma = family(
  { name: 'Gamma', params: { shape: positive, scale: positive }, values: reals },
  {
    draw: ({ shape, scale }, random) => positiveExp(drawLogGamma(shape, random) + Math.log(scale)),
    score({ shape, scale }, x) {
      if (x <= 0) return -Infinity;
      return (shape - 1) * Math.log(x) - x / scale - logGamma(shape) - shape * Math.log(scale);
    },
    support: () => ({ lower: 0, upper: Infinity }),
    mean: ({ shape, scale }) => shape * scale,
    variance: ({ shape, scale }) => shape * scale * scale,
    entropy: ({ shape, scale }) => shape + Math.log(scale) + logGamma(shape) + (1 - shape) * digamma(shape),
    cdf: ({ shape, scale }, x) => gammaP(shape, x / scale),
    survival: ({ shape, scale }, x) => (x <= 0 ? 1 : gammaQ(shape, x / scale)),
    quantile: ({ shape, scale }, p) => scale * gammaPInverse(shape, p),
  },
);
