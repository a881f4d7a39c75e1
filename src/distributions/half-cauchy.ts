import type { Distribution } from '../runtime/handler.ts';
import { family } from './family.ts';
import { positive } from './parameter.ts';
import { Uniform } from './uniform.ts';
import { reals } from './value-kind.ts';

/** The size of a Cauchy(0, scale): a weak prior for scales. */
export const HalfCauchy = family(
  { name: 'HalfCauchy', params: { scale: positive }, values: reals },
  {
    draw: ({ scale }, random) => scale * Math.tan(0.5 * Math.PI * random.uniform()),
    score({ scale }, x) {
      if (x < 0) return -Infinity;
      const z = x / scale;
      return Math.log(2 / Math.PI) - Math.log(scale) - Math.log1p(z * z);
    },
    support: () => ({ lower: 0, upper: Infinity }),
    entropy: ({ scale }) => Math.log(2 * Math.PI * scale),
    cdf: ({ scale }, x) => (x <= 0 ? 0 : (2 / Math.PI) * Math.atan(x / scale)),
    survival: ({ scale }, x) => (x <= 0 ? 1 : (2 / Math.PI) * Math.atan(scale / x)),
    quantile: ({ scale }, p) => (p === 1 ? Infinity : scale * Math.tan(0.5 * Math.PI * p)),
    reparameterisation: {
      base: (): Distribution<number> => Uniform({ a: 0, b: 1 }),
      transform: ({ scale }, noise) => scale * Math.tan(0.5 * Math.PI * noise),
    },
  },
);
