import type { Distribution } from '../runtime/handler.ts';
import { family } from './family.ts';
import { real } from './parameter.ts';
import { reals } from './value-kind.ts';

/** Every number from `a` to `b` alike. */
export const Uniform = family(
  { name: 'Uniform', params: { a: real, b: real }, values: reals },
  {
    check({ a, b }) {
      if (a >= b) return `a must be less than b, got a = ${a} and b = ${b}`;
      return b - a < Infinity ? undefined : `b - a must be a finite number, got a = ${a} and b = ${b}`;
    },
    draw: ({ a, b }, random) => between(a, b, random.uniform()),
    score: ({ a, b }, x) => (x < a || x > b ? -Infinity : -Math.log(b - a)),
    support: ({ a, b }) => ({ lower: a, upper: b }),
    mean: ({ a, b }) => a + 0.5 * (b - a),
    variance: ({ a, b }) => ((b - a) * (b - a)) / 12,
    entropy: ({ a, b }) => Math.log(b - a),
    cdf: ({ a, b }, x) => (x <= a ? 0 : x >= b ? 1 : (x - a) / (b - a)),
    quantile: ({ a, b }, p) => between(a, b, p),
    reparameterisation: {
      base: (): Distribution<number> => Uniform({ a: 0, b: 1 }),
      transform: ({ a, b }, noise) => between(a, b, noise),
    },
  },
);

/** Written so that 0 gives a and 1 gives b exactly. */
function between(a: number, b: number, u: number): number {
  return (1 - u) * a + u * b;
}
