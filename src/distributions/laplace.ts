import type { Distribution } from '../runtime/handler.ts';
import { family } from './family.ts';
import { positive, real } from './parameter.ts';
import { reals } from './value-kind.ts';

/** Exponential on both sides of `location`. */
export const Laplace = family(
  { name: 'Laplace', params: { location: real, scale: positive }, values: reals },
  {
    draw: ({ location, scale }, random) => location + scale * standardLaplace(random.uniform()),
    score: ({ location, scale }, x) => -Math.abs(x - location) / scale - Math.log(2 * scale),
    support: () => ({ lower: -Infinity, upper: Infinity }),
    mean: ({ location }) => location,
    variance: ({ scale }) => 2 * scale * scale,
    entropy: ({ scale }) => 1 + Math.log(2 * scale),
    cdf({ location, scale }, x) {
      const z = (x - location) / scale;
      return z < 0 ? 0.5 * Math.exp(z) : 1 - 0.5 * Math.exp(-z);
    },
    survival({ location, scale }, x) {
      const z = (x - location) / scale;
      return z > 0 ? 0.5 * Math.exp(-z) : 1 - 0.5 * Math.exp(z);
    },
    quantile: ({ location, scale }, p) => location + scale * standardLaplace(p),
    reparameterisation: {
      base: (): Distribution<number> => Laplace({ location: 0, scale: 1 }),
      transform: ({ location, scale }, noise) => location + scale * noise,
    },
  },
);

/** The quantile of the standard Laplace distribution. */
export function standardLaplace(p: number): number {
  return p < 0.5 ? Math.log(2 * p) : -Math.log(2 * (1 - p));
}
