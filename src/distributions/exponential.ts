import type { Distribution } from '../runtime/handler.ts';
import { family } from './family.ts';
import { positive } from './parameter.ts';
import { Uniform } from './uniform.ts';
import { reals } from './value-kind.ts';

/** Waiting time of an event that happens at rate `a`. */
export const Exponential = family(
  { name: 'Exponential', params: { a: positive }, values: reals },
  {
    draw: ({ a }, random) => -Math.log(random.uniform()) / a,
    score: ({ a }, x) => (x < 0 ? -Infinity : Math.log(a) - a * x),
    support: () => ({ lower: 0, upper: Infinity }),
    mean: ({ a }) => 1 / a,
    variance: ({ a }) => 1 / (a * a),
    entropy: ({ a }) => 1 - Math.log(a),
    cdf: ({ a }, x) => (x <= 0 ? 0 : -Math.expm1(-a * x)),
    survival: ({ a }, x) => (x <= 0 ? 1 : Math.exp(-a * x)),
    quantile: ({ a }, p) => -Math.log1p(-p) / a,
    reparameterisation: {
      base: (): Distribution<number> => Uniform({ a: 0, b: 1 }),
      transform: ({ a }, noise) => -Math.log(noise) / a,
    },
  },
);
