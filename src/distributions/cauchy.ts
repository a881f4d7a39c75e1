import type { Distribution } from '../runtime/handler.ts';
import { family } from './family.ts';
import { positive, real } from './parameter.ts';
import { Uniform } from './uniform.ts';
import { reals } from './value-kind.ts';

/** So heavy-tailed that it has no mean. */
export const Cauchy = family(
  { name: 'Cauchy', params: { location: real, scale: positive }, values: reals },
  {
    draw: ({ location, scale }, random) => location + scale * Math.tan(Math.PI * (random.uniform() - 0.5)),
    score({ location, scale }, x) {
      const z = (x - location) / scale;
      return -Math.log(Math.PI) - Math.log(scale) - Math.log1p(z * z);
    },
    entropy: ({ scale }) => Math.log(4 * Math.PI * scale),
    cdf: ({ location, scale }, x) => Math.atan2(1, (location - x) / scale) / Math.PI,
    survival: ({ location, scale }, x) => Math.atan2(1, (x - location) / scale) / Math.PI,
    quantile({ location, scale }, p) {
      if (p === 0 || p === 1) return p === 0 ? -Infinity : Infinity;
      return location + scale * Math.tan(Math.PI * (p - 0.5));
    },
    reparameterisation: {
      base: (): Distribution<number> => Uniform({ a: 0, b: 1 }),
      transform: ({ location, scale }, noise) => location + scale * Math.tan(Math.PI * (noise - 0.5)),
    },
  },
);
