import type { Distribution } from '../runtime/handler.ts';
import { EULER } from '../tensor/constants.ts';
import { family } from './family.ts';
import { positive, real } from './parameter.ts';
import { reals } from './value-kind.ts';

/** The largest of many: of draws whose tails fall like an exponential, shifted by `location` and stretched by `scale`. */
export const Gumbel = family(
  { name: 'Gumbel', params: { location: real, scale: positive }, values: reals },
  {
    draw: ({ location, scale }, random) => location - scale * Math.log(-Math.log(random.uniform())),
    score({ location, scale }, x) {
      const z = (x - location) / scale;
      return -z - Math.exp(-z) - Math.log(scale);
    },
    mean: ({ location, scale }) => location + EULER * scale,
    variance: ({ scale }) => (Math.PI * Math.PI * scale * scale) / 6,
    entropy: ({ scale }) => Math.log(scale) + EULER + 1,
    cdf: ({ location, scale }, x) => Math.exp(-Math.exp((location - x) / scale)),
    survival: ({ location, scale }, x) => -Math.expm1(-Math.exp((location - x) / scale)),
    quantile: ({ location, scale }, p) => location - scale * Math.log(-Math.log(p)),
    reparameterisation: {
      base: (): Distribution<number> => Gumbel({ location: 0, scale: 1 }),
      transform: ({ location, scale }, noise) => location + scale * noise,
    },
  },
);
